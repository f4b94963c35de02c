//! States that are found: those that belong here wait until some are looked up together, others are gathered for whom they
//! belong to.

use std::ops::ControlFlow;

use stubborn_space::successors::{Footprints, Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::coded::Coded;
use super::gathers::{Gathers, STATES_AT_ONCE, WORDS_AT_ONCE};
use super::one_word::{OneWords, not_ours};
use super::taking::{Heard, Taking};
use super::telling::{Itself, Telling, Whose};
use crate::search::layers::look::Takes;
use crate::search::layers::passed::Passed;
use crate::search::layers::remembered::Remembered;
use crate::search::meter::Stop;
use crate::search::spilled::Follow;
use crate::store::coding::Coding;
use crate::store::quotient::AT_ONCE;

/// What takes the steps of a share's states, and takes others in.
pub struct Finding<'f, 'm, L, T> {
    pub taking: &'f mut Taking<'m, L>,
    pub kept: &'f mut OneWords,
    pub told: &'f mut T,
    looking: Looking<'f>,
    /// What is to be sent, by whom it belongs to.
    pub gathered: &'f mut [Vec<u64>],
    /// How many words were gathered or looked up.
    pub words: usize,
    /// How many steps the meter was not told of: those to states that were met lately.
    met: usize,
}

/// What states are told of.
pub struct Looking<'f> {
    pub passed: &'f mut Passed,
    /// For one of them.
    pub state: &'f mut Vec<u64>,
    /// That of the states whose steps are taken.
    pub layer: u64,
}

impl<'f, 'm, L: Gathers, T: Telling> Finding<'f, 'm, L, T> {
    pub fn new(
        taking: &'f mut Taking<'m, L>,
        (kept, told): (&'f mut OneWords, &'f mut T),
        looking: Looking<'f>,
        gathered: &'f mut [Vec<u64>],
    ) -> Finding<'f, 'm, L, T> {
        Finding {
            taking,
            kept,
            told,
            looking,
            gathered,
            words: 0,
            met: 0,
        }
    }

    /// Takes the steps of some states of the present layer. Whether there are more.
    pub fn take_steps<S: Footprints>(
        &mut self,
        (model, steps): (&S, &mut Remembered),
        scratch: &mut S::Scratch,
    ) -> ControlFlow<Stop, bool> {
        self.make_room()?;
        let flow = self.takes_steps((model, steps), scratch);
        self.end(flow)?;
        ControlFlow::Continue(self.kept.has_more() || self.told.has_more())
    }

    /// No state waits afterwards that is not looked up: what was found before the search came to its end was found.
    fn end(&mut self, flow: ControlFlow<Stop>) -> ControlFlow<Stop> {
        let found = self.look_up();
        let whole = self.told.take_in(self.taking);
        flow?;
        found?;
        whole
    }

    fn takes_steps<S: Footprints>(
        &mut self,
        (model, steps): (&S, &mut Remembered),
        scratch: &mut S::Scratch,
    ) -> ControlFlow<Stop> {
        let mut state = vec![0; model.words()];
        for _ in 0..STATES_AT_ONCE {
            if self.words >= WORDS_AT_ONCE {
                break;
            }
            if let Some(word) = self.kept.take() {
                self.steps_of_word(word, (model, steps), &mut state, scratch)?;
            } else if self.told.take(&mut state) {
                self.told.begins(None);
                self.taking.of_state = 0;
                self.begins(&state);
                let _ = model.visit(&state, scratch, self);
                self.taking.end_state(&state)?;
            } else {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn steps_of_word<S: Footprints>(
        &mut self,
        word: u64,
        (model, steps): (&S, &mut Remembered),
        state: &mut [u64],
        scratch: &mut S::Scratch,
    ) -> ControlFlow<Stop> {
        steps.fetch(self.kept.upcoming().unwrap_or(word));
        self.told.begins(Some(word));
        self.taking.of_state = 0;
        if T::IS_STATE {
            self.begins(&[word]);
        }
        let _ = steps.visit(model, word, state, scratch, self);
        if T::IS_STATE {
            return self.taking.end_state(&[word]);
        }
        if self.taking.of_state == 0 {
            // The word is what it was, as no step has led anywhere.
            self.told.coding().state(word, state);
            self.begins(state);
        }
        self.taking.end_state(state)
    }

    #[inline(always)]
    fn begins(&mut self, state: &[u64]) {
        if !self.taking.is_noting {
            self.taking.look.begins(self.looking.layer, state);
        }
    }

    /// The look was not told which state it is whose step fails, if that has a word.
    #[cold]
    fn lay_out(&mut self) {
        if let Some(word) = self.told.present() {
            let mut state = std::mem::take(self.looking.state);
            self.told.coding().state(word, &mut state);
            self.begins(&state);
            *self.looking.state = state;
        }
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
    pub fn take_in(&mut self) -> ControlFlow<Stop> {
        let many = self.kept.put_in();
        self.taking.states += many as u64;
        let mut passed = std::mem::take(self.looking.passed);
        let mut state = std::mem::take(self.looking.state);
        let flow = (0..many).rev().try_for_each(|later| {
            let word = self.kept.found_before(later);
            passed.found(word, &mut state, self)
        });
        (*self.looking.passed, *self.looking.state) = (passed, state);
        flow
    }

    #[inline]
    pub fn make_room(&mut self) -> ControlFlow<Stop> {
        match self.kept.has_room() {
            true => ControlFlow::Continue(()),
            false => self.makes_room(),
        }
    }

    #[cold]
    fn makes_room(&mut self) -> ControlFlow<Stop> {
        self.account()?;
        let taking = &mut *self.taking;
        self.kept.make_room(|more| {
            taking.may_hold(more)?;
            taking.meter.poll(taking.figures())
        })?;
        self.account()
    }

    pub fn account(&mut self) -> ControlFlow<Stop> {
        let bytes = self.kept.bytes() + self.told.bytes();
        self.taking.account_for(bytes)
    }
}

impl<L: Gathers> Finding<'_, '_, L, Itself> {
    /// Takes in states that somebody has found, those that are new, or that have no layer yet.
    pub fn meet(&mut self, words: &[u64]) -> ControlFlow<Stop> {
        if self.kept.is_noting() {
            return self.kept.note(words, self.taking);
        }
        self.make_room()?;
        let flow = words.iter().try_for_each(|word| {
            let Some(dealt) = self.kept.deal_own(*word) else {
                return ControlFlow::Break(not_ours());
            };
            match self.kept.have_wait(*word, dealt) {
                true => self.look_up(),
                false => ControlFlow::Continue(()),
            }
        });
        self.end(flow)
    }
}

impl<L: Gathers> Finding<'_, '_, L, Coded> {
    /// The same of states of several words, one after the other, which belong here.
    pub fn meet_several(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        self.make_room()?;
        let words = self.looking.state.len();
        let flow = rows.chunks_exact(words).try_for_each(|state| {
            let Some(word) = Coded::word(self, state)? else {
                return ControlFlow::Continue(());
            };
            // Who sends them has found them one after the other.
            self.told.goes_on_from(word, state);
            match self.kept.have_wait(word, self.kept.deal(word)) {
                true => self.look_up(),
                false => ControlFlow::Continue(()),
            }
        });
        self.end(flow)
    }
}

impl<L: Gathers, T: Telling> Visit for Finding<'_, '_, L, T> {
    fn wanted(&self) -> Wanted {
        match self.taking.is_noting {
            true => Wanted::All,
            false => Wanted::AsItPays,
        }
    }

    fn leaves_out(&mut self) {
        self.taking.leaves_out();
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => match self.word_of(state)? {
                Some(word) => self.leads_to(word),
                None => ControlFlow::Continue(()),
            },
            Err(failure) => {
                if !T::IS_STATE && !self.taking.is_noting {
                    self.lay_out();
                }
                self.taking.fails(label, failure)
            }
        }
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.taking.pulse()
    }
}

impl<'m, L: Gathers, T: Telling> Takes for Finding<'_, 'm, L, T> {
    type Coding = T::Coding;
    type Look = Heard<L>;

    fn coding(&mut self) -> &mut T::Coding {
        self.told.coding()
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
        let dealt = match self.told.whose(word, self.kept) {
            Whose::Here(dealt) => dealt,
            Whose::Sent(to) => {
                self.words += self.told.send(word, &mut self.gathered[to]);
                let flow = self.taking.measure();
                return self.taking.or_stop(flow);
            }
        };
        if !self.kept.have_wait(word, dealt) {
            return ControlFlow::Continue(());
        }
        let flow = self.look_up();
        self.taking.or_stop(flow)
    }

    #[inline(always)]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        let flow = T::word(self, state);
        self.taking.or_stop(flow)
    }

    fn changes(&self) -> u64 {
        self.told.changes()
    }

    fn holds(&mut self, bytes: u64) -> bool {
        self.taking.holds(bytes)
    }

    fn lets_go(&mut self, bytes: u64) {
        self.taking.lets_go(bytes);
    }
}
