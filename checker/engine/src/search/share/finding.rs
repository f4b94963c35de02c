//! States of one word that are found: those that belong here wait until some are looked up together, others are gathered
//! for whom they belong to.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::gathers::{Gathers, STATES_AT_ONCE, WORDS_AT_ONCE};
use super::one_word::{OneWords, not_ours};
use super::taking::{Heard, Taking};
use crate::search::layers::look::Takes;
use crate::search::layers::passed::Passed;
use crate::search::layers::remembered::Remembered;
use crate::search::meter::Stop;
use crate::search::spilled::Follow;
use crate::store::coding::OneWord;
use crate::store::quotient::AT_ONCE;
use crate::successors::{Label, Successors, Visit, Wanted};

/// What takes the steps of a share's states, and takes others in.
pub struct Finding<'f, 'm, L> {
    taking: &'f mut Taking<'m, L>,
    kept: &'f mut OneWords,
    passed: &'f mut Passed,
    /// What is to be sent, by whom it belongs to.
    gathered: &'f mut [Vec<u64>],
    /// How many words were gathered or looked up.
    words: usize,
    /// How many steps the meter was not told of: those to states that were met lately.
    met: usize,
    coding: OneWord,
}

impl<'f, 'm, L: Gathers> Finding<'f, 'm, L> {
    pub fn new(
        taking: &'f mut Taking<'m, L>,
        (kept, passed): (&'f mut OneWords, &'f mut Passed),
        gathered: &'f mut [Vec<u64>],
    ) -> Finding<'f, 'm, L> {
        Finding {
            taking,
            kept,
            passed,
            gathered,
            words: 0,
            met: 0,
            coding: OneWord { width: u64::BITS },
        }
    }

    /// Takes in states that somebody has found, those that are new, or that have no layer yet.
    pub fn meet(&mut self, words: &[u64]) -> ControlFlow<Stop> {
        if self.kept.is_noting() {
            return self.kept.note(words, self.taking);
        }
        self.make_room()?;
        for word in words {
            let Some(dealt) = self.kept.deal_own(*word) else {
                // No state waits that is not looked up.
                let _ = self.take_in();
                return ControlFlow::Break(not_ours());
            };
            if self.kept.have_wait(*word, dealt) {
                self.look_up()?;
            }
        }
        self.look_up()
    }

    /// Takes the steps of some states of the present layer, which has this number. Whether there are more.
    pub fn take_steps<S: Successors>(
        &mut self,
        (model, steps): (&S, &mut Remembered),
        scratch: &mut S::Scratch,
        layer: u64,
    ) -> ControlFlow<Stop, bool> {
        self.make_room()?;
        match self.takes_steps((model, steps), scratch, layer) {
            ControlFlow::Continue(()) => self.look_up()?,
            ControlFlow::Break(stop) => {
                // What was found before the search came to its end was found.
                let _ = self.take_in();
                return ControlFlow::Break(stop);
            }
        }
        ControlFlow::Continue(self.kept.has_more())
    }

    fn takes_steps<S: Successors>(
        &mut self,
        (model, steps): (&S, &mut Remembered),
        scratch: &mut S::Scratch,
        layer: u64,
    ) -> ControlFlow<Stop> {
        let mut state = [0];
        for _ in 0..STATES_AT_ONCE {
            if self.words >= WORDS_AT_ONCE {
                break;
            }
            let Some(word) = self.kept.take() else {
                break;
            };
            steps.fetch(self.kept.upcoming().unwrap_or(word));
            self.taking.of_state = 0;
            if !self.taking.is_noting {
                self.taking.look.begins(layer, &[word]);
            }
            let _ = steps.visit(model, word, &mut state, scratch, self);
            self.taking.end_state(&[word])?;
        }
        ControlFlow::Continue(())
    }

    /// Looks up the states that wait.
    #[inline(never)]
    fn look_up(&mut self) -> ControlFlow<Stop> {
        self.words += AT_ONCE;
        self.take_in()?;
        self.taking.measure_of(AT_ONCE)?;
        self.make_room()
    }

    /// Takes in those that wait, as far as they are new.
    fn take_in(&mut self) -> ControlFlow<Stop> {
        let many = self.kept.put_in();
        self.taking.states += many as u64;
        let mut passed = std::mem::take(self.passed);
        let flow = (0..many).rev().try_for_each(|later| {
            let word = self.kept.found_before(later);
            passed.found(word, &mut [0], self)
        });
        *self.passed = passed;
        flow
    }

    #[inline]
    fn make_room(&mut self) -> ControlFlow<Stop> {
        match self.kept.has_room() {
            true => ControlFlow::Continue(()),
            false => self.makes_room(),
        }
    }

    #[cold]
    fn makes_room(&mut self) -> ControlFlow<Stop> {
        self.taking.account_for(self.kept.bytes())?;
        let taking = &mut *self.taking;
        self.kept.make_room(|more| {
            taking.may_hold(more)?;
            taking.meter.poll(taking.figures())
        })?;
        self.taking.account_for(self.kept.bytes())
    }
}

impl<L: Gathers> Visit for Finding<'_, '_, L> {
    fn wanted(&self) -> Wanted {
        self.taking.wanted()
    }

    fn leaves_out(&mut self) {
        self.taking.leaves_out();
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => self.leads_to(state[0]),
            Err(_) => self.taking.step(label, outcome),
        }
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.taking.pulse()
    }
}

impl<L: Gathers> Takes for Finding<'_, '_, L> {
    type Coding = OneWord;
    type Look = Heard<L>;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn look(&mut self) -> &mut Heard<L> {
        &mut self.taking.look
    }

    #[inline(always)]
    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        if self.taking.met_lately(word) {
            self.met += 1;
            if self.met < AT_ONCE {
                return ControlFlow::Continue(());
            }
            self.met = 0;
            let flow = self.taking.measure_of(AT_ONCE);
            return self.taking.or_stop(flow);
        }
        let dealt = self.kept.deal(word);
        if let Some(to) = self.kept.is_sent_to(dealt) {
            self.gathered[to].push(word);
            self.words += 1;
            let flow = self.taking.measure();
            return self.taking.or_stop(flow);
        }
        if !self.kept.have_wait(word, dealt) {
            return ControlFlow::Continue(());
        }
        let flow = self.look_up();
        self.taking.or_stop(flow)
    }

    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        ControlFlow::Continue(Some(state[0]))
    }

    fn changes(&self) -> u64 {
        0
    }

    fn holds(&mut self, bytes: u64) -> bool {
        self.taking.holds(bytes)
    }

    fn lets_go(&mut self, bytes: u64) {
        self.taking.lets_go(bytes);
    }
}
