//! Büchi automata and testing automata (H. Hansen, W. Penczek, A. Valmari, "Stuttering-insensitive
//! automata for on-the-fly detection of livelock properties", 2002): drawn by lot, and written as
//! text.

use super::formula::{self, Formula};
use super::marks::{Marks, fewer, words};
use crate::random::Random;

/// Its states are labelled (section 2.1).
#[derive(Clone, Debug)]
pub struct Buchi {
    pub observed: usize,
    pub states: Vec<Labelled>,
}

#[derive(Clone, Debug)]
pub struct Labelled {
    pub initial: bool,
    /// `livelock` is never set.
    pub marks: Marks,
    pub label: Formula,
    pub next: Vec<u32>,
}

/// It observes changes (section 3.1).
#[derive(Clone, Debug)]
pub struct Testing {
    pub observed: usize,
    pub states: Vec<Waiting>,
}

#[derive(Clone, Debug)]
pub struct Waiting {
    /// Of an initial one, with which valuations it begins.
    pub initial: Option<Formula>,
    pub marks: Marks,
    /// Which conditions change, bit by bit, and where that leads.
    pub next: Vec<(u64, u32)>,
}

fn observed_name(look: usize) -> String {
    format!("o{look}")
}

fn observations(count: usize) -> String {
    let line = |look| format!("    observe {} = look{look}\n", observed_name(look));
    (0..count).map(line).collect()
}

pub fn draw_buchi(looks: usize, r: &mut Random) -> Buchi {
    let observed = 1 + r.below(looks.min(3));
    let count = 1 + r.below(5);
    // Loops of their own make it more likely that stuttering makes no difference.
    let loops = [0, 50, 90, 100][r.below(4)];
    let likely: [usize; 3] = std::array::from_fn(|_| if r.one_in(2) { 40 } else { 0 });
    let states = (0..count).map(|s| {
        let others = (0..[0, 1, 1, 2, 3][r.below(5)]).map(|_| r.below(count) as u32);
        let mut next: Vec<u32> = others.collect();
        if r.percent(loops) {
            next.push(s as u32);
        }
        next.sort_unstable();
        next.dedup();
        Labelled {
            initial: s == 0 || r.one_in(4),
            marks: Marks {
                reject: r.percent(likely[0] / 3),
                deadlock: r.percent(likely[1]),
                livelock: false,
                infinite: r.percent(likely[2] + 20),
            },
            label: match s {
                0 if r.one_in(2) => Formula::Constant(true),
                _ => formula::condition(observed, r),
            },
            next,
        }
    });
    Buchi {
        observed,
        states: states.collect(),
    }
}

pub fn draw_testing(looks: usize, r: &mut Random) -> Testing {
    let observed = 1 + r.below(looks.min(3));
    let count = 1 + r.below(5);
    let likely: [usize; 4] = std::array::from_fn(|_| if r.one_in(2) { 40 } else { 0 });
    let states = (0..count).map(|s| {
        let mut next = Vec::new();
        for change in 1..1_u64 << observed {
            for _ in 0..[0, 1, 1, 2][r.below(4)] {
                next.push((change, r.below(count) as u32));
            }
        }
        next.sort_unstable();
        next.dedup();
        let begins = s == 0 || r.one_in(4);
        Waiting {
            initial: begins.then(|| match r.below(2) {
                0 => Formula::Constant(true),
                _ => formula::condition(observed, r),
            }),
            marks: Marks {
                reject: r.percent(likely[0] / 3),
                deadlock: r.percent(likely[1]),
                livelock: r.percent(likely[2]),
                infinite: r.percent(likely[3]),
            },
            next,
        }
    });
    Testing {
        observed,
        states: states.collect(),
    }
}

impl Buchi {
    pub fn text(&self) -> String {
        let mut text = format!("buchi watch {{\n{}", observations(self.observed));
        for (s, state) in self.states.iter().enumerate() {
            let initial = if state.initial { "initial " } else { "" };
            let label = state.label.text(&observed_name, s as u64);
            text += &format!(
                "    {initial}{}state q{s} when {label} {{\n",
                words(state.marks)
            );
            for next in &state.next {
                text += &format!("        -> q{next}\n");
            }
            text += "    }\n";
        }
        text + "}\n"
    }

    pub fn marks(&self, state: u32) -> Marks {
        self.states[state as usize].marks
    }

    /// The initial states that read a valuation.
    pub fn begins(&self, valuation: u64) -> impl Iterator<Item = u32> + '_ {
        let states = (0..).zip(&self.states);
        let begin = states.filter(move |(_, state)| state.initial && state.label.holds(valuation));
        begin.map(|(number, _)| number)
    }

    /// Whether it goes from one state to another while a valuation is read.
    pub fn goes(&self, from: u32, to: u32, valuation: u64) -> bool {
        self.states[from as usize].next.contains(&to)
            && self.states[to as usize].label.holds(valuation)
    }

    pub fn smaller(&self) -> Vec<Buchi> {
        let mut all = Vec::new();
        for s in 0..self.states.len() {
            for k in 0..self.states[s].next.len() {
                let mut less = self.clone();
                less.states[s].next.remove(k);
                all.push(less);
            }
            for marks in fewer(self.states[s].marks) {
                let mut less = self.clone();
                less.states[s].marks = marks;
                all.push(less);
            }
            for label in self.states[s].label.smaller() {
                let mut less = self.clone();
                less.states[s].label = label;
                all.push(less);
            }
            if self.states[s].initial && self.states.iter().filter(|s| s.initial).count() > 1 {
                let mut less = self.clone();
                less.states[s].initial = false;
                all.push(less);
            }
        }
        all
    }
}

impl Testing {
    pub fn text(&self) -> String {
        let mut text = format!("testing watch {{\n{}", observations(self.observed));
        for (s, state) in self.states.iter().enumerate() {
            let (initial, when) = match &state.initial {
                Some(label) => {
                    let label = label.text(&observed_name, s as u64);
                    ("initial ", format!(" when {label}"))
                }
                None => ("", String::new()),
            };
            text += &format!("    {initial}{}state q{s}{when} {{\n", words(state.marks));
            for (change, to) in &state.next {
                let changes = (0..self.observed).filter(|look| change >> look & 1 == 1);
                let changes: Vec<_> = changes.map(observed_name).collect();
                text += &format!("        change {} -> q{to}\n", changes.join(", "));
            }
            text += "    }\n";
        }
        text + "}\n"
    }

    pub fn marks(&self, state: u32) -> Marks {
        self.states[state as usize].marks
    }

    /// What it observes of a valuation.
    pub fn observes(&self, valuation: u64) -> u64 {
        valuation & ((1 << self.observed) - 1)
    }

    pub fn begins(&self, valuation: u64) -> impl Iterator<Item = u32> + '_ {
        let states = (0..).zip(&self.states);
        let begin = states.filter(move |(_, state)| {
            let label = state.initial.as_ref();
            label.is_some_and(|label| label.holds(valuation))
        });
        begin.map(|(number, _)| number)
    }

    /// Whether it goes from one state to another while these conditions change.
    pub fn goes(&self, from: u32, to: u32, change: u64) -> bool {
        match change {
            0 => from == to,
            _ => self.states[from as usize].next.contains(&(change, to)),
        }
    }

    pub fn smaller(&self) -> Vec<Testing> {
        let mut all = Vec::new();
        for s in 0..self.states.len() {
            for k in 0..self.states[s].next.len() {
                let mut less = self.clone();
                less.states[s].next.remove(k);
                all.push(less);
            }
            for marks in fewer(self.states[s].marks) {
                let mut less = self.clone();
                less.states[s].marks = marks;
                all.push(less);
            }
        }
        all
    }
}
