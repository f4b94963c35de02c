//! A shortest way to a state, found by going back through the layers.

use std::ops::ControlFlow;

use stubborn_space::successors::{Footprints, Label, Visit, Wanted};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::tiers::or_stop;
use super::{Follow, Spilled};
use crate::search::layers::look::{Nobody, Takes};
use crate::search::layers::remembered::Remembered;
use crate::search::meter::Stop;
use crate::store::coding::OneWord;

/// Asked now and then whether to go on, with so many bytes of what is made.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<Stop>;

/// So many steps are taken between two questions.
const STEPS_BETWEEN_QUESTIONS: u32 = 1 << 10;
/// What is remembered of steps takes no more than this, in bytes.
const MOST_REMEMBERED: u64 = 4 << 20;

impl<S: Footprints, L: Follow> Spilled<'_, '_, S, L> {
    /// The states of a run to a state of this layer, from the initial one on: of each layer one, the first in
    /// their order that has a step to the next. Takes the steps of a part of all states again.
    ///
    /// Breaks where a limit is reached, or what was written cannot be read.
    pub fn way(
        &mut self,
        layer: u64,
        state: &[u64],
        poll: Poll<'_>,
    ) -> ControlFlow<Stop, Vec<Box<[u64]>>> {
        or_stop(self.to.flush())?;
        let mut way: Vec<Box<[u64]>> = vec![state.into()];
        let mut scratch = self.model.scratch();
        let mut steps = Remembered::default();
        let mut seeking = Seeking {
            target: state.to_vec(),
            is_found: false,
            coding: OneWord { width: u64::BITS },
            nobody: Nobody,
            remembered: 0,
            countdown: 0,
            way_bytes: 0,
            poll,
            stop: None,
        };
        let mut buffer = state.to_vec();
        for at in (0..layer as usize).rev() {
            let mut reader = self.gathering.files.reader(self.layers[at]);
            seeking.is_found = false;
            'seek: while or_stop(reader.next_block())? {
                for row in reader.rows().chunks_exact(state.len()) {
                    let flow = match *row {
                        [word] => {
                            steps.visit(self.model, word, &mut buffer, &mut scratch, &mut seeking)
                        }
                        _ => self.model.visit(row, &mut scratch, &mut seeking),
                    };
                    if let Some(stop) = seeking.stop.take() {
                        return ControlFlow::Break(stop);
                    }
                    if seeking.is_found {
                        debug_assert!(flow.is_break(), "nothing more is looked for");
                        seeking.target.copy_from_slice(row);
                        seeking.way_bytes += (row.len() as u64 + 2) * 8;
                        way.push(row.into());
                        break 'seek;
                    }
                }
            }
            if !seeking.is_found {
                let defect = "no state of a layer leads to one of the next".to_owned();
                return ControlFlow::Break(Stop::Limit(Reason::Internal(defect)));
            }
        }
        way.reverse();
        debug_assert_eq!(
            way.first().map(|first| &first[..]),
            Some(self.model.initial()),
            "a run begins in the initial state"
        );
        ControlFlow::Continue(way)
    }
}

/// Whether one of a state's steps leads to another one.
struct Seeking<'p> {
    target: Vec<u64>,
    is_found: bool,
    coding: OneWord,
    nobody: Nobody,
    remembered: u64,
    countdown: u32,
    /// What the way takes, in bytes.
    way_bytes: u64,
    poll: Poll<'p>,
    stop: Option<Stop>,
}

impl Seeking<'_> {
    #[inline]
    fn leads_to(&mut self, state: &[u64]) -> ControlFlow<()> {
        self.is_found = self.target == state;
        match self.is_found {
            true => ControlFlow::Break(()),
            false => self.measure(),
        }
    }

    #[inline]
    fn measure(&mut self) -> ControlFlow<()> {
        if self.countdown > 0 {
            self.countdown -= 1;
            return ControlFlow::Continue(());
        }
        self.ask()
    }

    #[cold]
    fn ask(&mut self) -> ControlFlow<()> {
        self.countdown = STEPS_BETWEEN_QUESTIONS;
        let flow = (self.poll)(self.remembered + self.way_bytes);
        flow.map_break(|stop| self.stop = Some(stop))
    }
}

impl Visit for Seeking<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => self.leads_to(state),
            Err(_) => self.measure(),
        }
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.ask()
    }
}

impl Takes for Seeking<'_> {
    type Coding = OneWord;
    type Look = Nobody;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn look(&mut self) -> &mut Nobody {
        &mut self.nobody
    }

    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        Seeking::leads_to(self, &[word])
    }

    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        ControlFlow::Continue(Some(state[0]))
    }

    fn changes(&self) -> u64 {
        0
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let holds = self.remembered + bytes <= MOST_REMEMBERED;
        if holds {
            self.remembered += bytes;
        }
        holds
    }

    fn lets_go(&mut self, bytes: u64) {
        self.remembered -= bytes;
    }
}
