//! What a debugger's buttons do with a run, and where that stops.

use stubborn_checker::stepping::{
    Asking, Chance, End, LONGEST, Run, TraceStep, Turned, Who, has_part, standing_of_monitor,
};
use stubborn_report::{counted, grouped};
use stubborn_system::system::InstanceId;

use super::breakpoints::{Breakpoints, Stops};
use super::wishes::Wishes;

/// So many steps of a state are gone into.
pub const MOST_ENABLED: usize = 1_000;
/// So many steps are told of those that are taken at once.
const MOST_TOLD: usize = 100;

/// A button.
#[derive(Clone, Debug)]
pub enum Go {
    /// One step of anybody; of a run that is made up, this one.
    Step(Option<TraceStep>),
    /// To behind the next step in which this one takes part.
    Of(Who),
    /// From a place where it stands.
    On,
    /// From the start, where nobody has stopped yet: a breakpoint there counts.
    Begin,
    Back,
    /// Back to where something turns.
    OnBack,
    Restart,
}

/// Where a button has led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The protocol's word for it.
    pub reason: &'static str,
    /// What it is, in few words.
    pub brief: String,
    /// All that is to be seen here.
    pub description: String,
    /// It is what the run is there to show, or where it can go no further.
    pub is_end: bool,
}

/// What a run is there to show.
#[derive(Clone, Debug)]
pub struct Shows {
    /// "mutex is violated: …"
    pub sentence: String,
    /// "mutex is violated"
    pub brief: String,
    /// It is no witness of what is to be reached.
    pub is_wrong: bool,
}

/// A run with those who look at it.
pub struct Going {
    pub run: Run,
    pub asking: Asking,
    pub breakpoints: Breakpoints,
    /// What the run shows at its end; of one that is made up nothing.
    pub shows: Option<Shows>,
    seed: u64,
    chance: Chance,
    /// What chance has drawn to come next here.
    drawn: Option<TraceStep>,
    /// What was told of the steps that the last button has taken.
    pub told: Vec<String>,
    untold: usize,
}

impl Going {
    pub fn new(run: Run, breakpoints: Breakpoints, shows: Option<Shows>, seed: u64) -> Going {
        let model = run.model().clone();
        Going {
            asking: Asking::new(model),
            run,
            breakpoints,
            shows,
            seed,
            chance: Chance::new(seed),
            drawn: None,
            told: Vec::new(),
            untold: 0,
        }
    }

    /// Presses a button.
    pub fn go(&mut self, go: Go, wishes: &Wishes) -> Stop {
        self.told.clear();
        self.untold = 0;
        let stop = match go {
            Go::Step(chosen) => match chosen.or_else(|| self.coming(None)) {
                // One that a person has chosen is one more, too.
                Some(_) if self.run.is_at_limit() => self.at_end(),
                Some(step) => {
                    let turned = self.take(step);
                    self.stop_after(&turned, "step")
                }
                None => self.at_end(),
            },
            Go::Of(who) => self.of(who, wishes),
            Go::On => self.on(wishes, true),
            Go::Begin => self.on(wishes, false),
            Go::Back => {
                let turned = self.back();
                self.stop_back(turned.as_deref())
            }
            Go::OnBack => self.on_back(wishes),
            Go::Restart => {
                self.run.restart();
                self.chance = Chance::new(self.seed);
                self.drawn = None;
                self.at_start("restart")
            }
        };
        if self.untold > 0 {
            let untold = self.untold;
            self.told.push(format!("… and {untold} steps more"));
        }
        stop
    }

    /// Where a session begins.
    pub fn at_start(&self, reason: &'static str) -> Stop {
        let description = match (&self.run.given(), self.run.end()) {
            (_, Some(end)) => self.told_end(&end),
            (Some(given), None) => {
                format!(
                    "at the start, before {}",
                    counted(given.trace.len(), "step")
                )
            }
            (None, None) => "at the start".to_owned(),
        };
        // Of a run that was found it is known what it shows.
        let standing = self
            .run
            .conditions()
            .map(|(one, truth)| one.standing(truth));
        let wrong = standing.filter(|one| one.is_wrong && self.run.given().is_none());
        let parts = std::iter::once(description).chain(wrong.map(|one| one.sentence));
        let description = parts.collect::<Vec<_>>().join("; ");
        Stop {
            reason,
            brief: "at the start".to_owned(),
            description,
            is_end: false,
        }
    }

    /// Who comes next, or else has moved last, if anybody has.
    pub fn mover(&self) -> Option<InstanceId> {
        let next = self.run.next_given().or(self.drawn.as_ref());
        let of = |step: &TraceStep| step.participants.first().map(|(instance, _)| *instance);
        next.and_then(of)
            .or_else(|| self.run.last().and_then(|(_, step)| of(step)))
    }

    /// The step that comes next; of a run that is made up one that chance draws, in which `who` takes part.
    fn coming(&mut self, who: Option<InstanceId>) -> Option<TraceStep> {
        if self.run.given().is_some() {
            return self.run.next_given().cloned();
        }
        if self.run.is_at_limit() {
            return None;
        }
        let is_wanted = |drawn: &mut TraceStep| who.is_none_or(|who| has_part(drawn, who));
        if let Some(drawn) = self.drawn.take_if(is_wanted) {
            return Some(drawn);
        }
        self.run.draw(&mut self.chance, MOST_ENABLED, who)
    }

    fn take(&mut self, step: TraceStep) -> Vec<Turned> {
        if self.told.len() < MOST_TOLD {
            let words = self.run.model().in_short(self.run.state(), &step);
            self.told.push(format!("{}: {words}", self.run.len() + 1));
        } else {
            self.untold += 1;
        }
        self.drawn = None;
        self.run.take(step)
    }

    fn back(&mut self) -> Option<Vec<Turned>> {
        self.drawn = None;
        self.run.back()
    }

    fn of(&mut self, who: Who, wishes: &Wishes) -> Stop {
        if self.run.given().is_none() {
            let Who::Instance(instance) = who else {
                return self.here("step", "nothing watches this run".to_owned());
            };
            return match self.coming(Some(instance)) {
                Some(step) => {
                    let turned = self.take(step);
                    self.stop_after(&turned, "step")
                }
                None if self.run.end().is_some() || self.run.is_at_limit() => self.at_end(),
                None => {
                    let name = self.run.model().map.instance(instance);
                    let why = format!("{name} can take no step here; others can");
                    self.here("step", why)
                }
            };
        }
        if !self.run.goes_to_end() && !self.moves_again(who) {
            let name = match who {
                Who::Instance(instance) => self.run.model().map.instance(instance).to_owned(),
                Who::Monitor => {
                    standing_of_monitor(&self.run).map_or_else(String::new, |one| one.who)
                }
            };
            let why = format!("{name} takes no step any more, however often the cycle goes round");
            return self.here("step", why);
        }
        let mut all = Vec::new();
        let mut is_first = true;
        loop {
            let Some(step) = self.run.next_given().cloned() else {
                return self.at_end();
            };
            if !is_first && let Some(why) = self.why_to_stop_before(&step) {
                return self.here("breakpoint", why);
            }
            is_first = false;
            let has_part = self.run.takes_part(who, self.run.len());
            all.extend(self.take(step));
            if has_part || self.run.end().is_some() || wishes.to_stop() {
                return self.stop_after(&all, "step");
            }
        }
    }

    /// Whether somebody takes part in a step of the given run from here on: its steps to its end and once round its
    /// cycle are all that there are.
    fn moves_again(&self, who: Who) -> bool {
        let all = self.run.given().map_or(0, |given| given.trace.len());
        let here = self.run.len();
        (here..here + all).any(|taken| self.run.takes_part(who, taken))
    }

    /// `is_first`: whether somebody stands before the next step, who need not be stopped there again.
    fn on(&mut self, wishes: &Wishes, mut is_first: bool) -> Stop {
        loop {
            if self.run.is_at_limit() {
                return self.at_end();
            }
            let Some(step) = self.coming(None) else {
                return self.at_end();
            };
            if !is_first && let Some(why) = self.why_to_stop_before(&step) {
                self.drawn = self.run.given().is_none().then_some(step);
                return self.here("breakpoint", why);
            }
            is_first = false;
            let turned = self.take(step);
            let is_over = !turned.is_empty() || self.run.end().is_some();
            if is_over || self.run.is_where_cycle_begins() {
                return self.stop_after(&turned, "data breakpoint");
            }
            if wishes.to_stop() {
                return self.stop_after(&turned, "pause");
            }
        }
    }

    fn on_back(&mut self, wishes: &Wishes) -> Stop {
        loop {
            let undone = self.run.last().map(|(_, step)| step.clone());
            let (Some(turned), Some(undone)) = (self.back(), undone) else {
                return self.stop_back(None);
            };
            if let Some(why) = self.why_to_stop_before(&undone) {
                return self.here("breakpoint", why);
            }
            if !turned.is_empty() || self.run.is_empty() || wishes.to_stop() {
                return self.stop_back(Some(&turned));
            }
        }
    }

    /// Where somebody wants to stop before a step: that; where it cannot be told whether somebody does, that too.
    fn why_to_stop_before(&mut self, step: &TraceStep) -> Option<String> {
        match self.breakpoints.stops(&self.run, &mut self.asking, step) {
            Stops::No => None,
            Stops::Yes => Some("before a step that is stopped at".to_owned()),
            Stops::Fails(why) => {
                let why = format!("before a step at which a condition has no value: {why}");
                self.told.push(why.clone());
                Some(why)
            }
        }
    }

    /// What is to be seen behind a step.
    fn stop_after(&self, turned: &[Turned], reason: &'static str) -> Stop {
        let mut parts = vec![self.place()];
        parts.extend(turned.iter().map(|one| one.sentence.clone()));
        let worst = turned.iter().find(|one| one.is_wrong).or(turned.first());
        let mut brief = worst.map_or_else(|| self.place(), |one| one.sentence.clone());
        let end = self.run.end();
        if let Some(end) = &end {
            parts.push(self.told_end(end));
            if let Some(shows) = &self.shows {
                brief.clone_from(&shows.brief);
            } else if turned.is_empty() {
                brief = end.name().to_owned();
            }
        } else if self.run.is_where_cycle_begins() {
            parts.push(match self.run.rounds() {
                Some(0) | None => "here the cycle begins, which goes round for ever".to_owned(),
                Some(rounds) => {
                    format!("round {rounds} of the cycle is over: it is where it began")
                }
            });
        }
        let ends_wrong = end.as_ref().is_some_and(|end| self.is_wrong_end(end));
        let is_wrong = turned.iter().any(|one| one.is_wrong) || ends_wrong;
        Stop {
            reason: if is_wrong { "exception" } else { reason },
            brief,
            description: parts.join("; "),
            is_end: end.is_some(),
        }
    }

    fn stop_back(&self, turned: Option<&[Turned]>) -> Stop {
        let mut parts = vec![self.place()];
        match turned {
            None => parts.push("this is where it begins".to_owned()),
            Some(turned) => parts.extend(turned.iter().map(|one| one.sentence.clone())),
        }
        self.here("step", parts.join("; "))
    }

    fn at_end(&self) -> Stop {
        match self.run.end() {
            Some(end) => Stop {
                reason: match self.is_wrong_end(&end) {
                    true => "exception",
                    false => "pause",
                },
                brief: match &self.shows {
                    Some(shows) => shows.brief.clone(),
                    None => end.name().to_owned(),
                },
                description: self.told_end(&end),
                is_end: true,
            },
            None => self.here(
                "pause",
                format!(
                    "a run has no more than {} steps here",
                    grouped(LONGEST as u64)
                ),
            ),
        }
    }

    fn here(&self, reason: &'static str, description: String) -> Stop {
        Stop {
            reason,
            brief: self.place(),
            description,
            is_end: false,
        }
    }

    /// Whether that is what nobody wants: a client shows it as an exception.
    fn is_wrong_end(&self, end: &End) -> bool {
        match (&self.shows, end) {
            (Some(shows), _) => shows.is_wrong,
            (None, End::Failed(_) | End::Deadlock(_)) => true,
            (None, End::Terminal | End::RunEnds) => false,
        }
    }

    fn told_end(&self, end: &End) -> String {
        match (&self.shows, end) {
            (Some(shows), _) => format!("the run ends here: {}", shows.sentence),
            (None, end) => end.sentence(),
        }
    }

    /// "after step 3 of 9".
    fn place(&self) -> String {
        let taken = self.run.len();
        match (self.run.given(), taken) {
            (_, 0) => "at the start".to_owned(),
            (None, taken) => format!("after step {taken}"),
            (Some(given), taken) => {
                let number = self.run.number(taken - 1) + 1;
                let (number, all) = (number as u64, given.trace.len() as u64);
                format!("after step {} of {}", grouped(number), grouped(all))
            }
        }
    }
}
