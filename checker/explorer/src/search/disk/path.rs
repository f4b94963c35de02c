//! Shortest run to a state, found by going back through the layers.

use std::ops::ControlFlow;

use stubborn_space::options::Use;
use stubborn_space::successors::{Footprints, Label, Wanted};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::DiskSearch;
use super::files::or_stop;
use super::sections::Reader;
use crate::search::layers::{Expander, Look, Sink, States};
use crate::search::meter::Stop;
use crate::store::coding::OneWord;

/// Asks whether to go on, with the memory of the path and of the search for it, in bytes.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<Stop>;

const STEPS_BETWEEN_POLLS: u64 = 1 << 10;
/// Most memory for cached steps, in bytes.
const MOST_CACHED: u64 = 4 << 20;

impl<S: Footprints, L: Look> DiskSearch<'_, '_, S, L> {
    /// Returns the states of a run to a state of this layer, from the initial one on: of each layer
    /// the first in its order that has a step to the next state of the run. Takes the steps of a
    /// part of all states again.
    ///
    /// Breaks at a limit, or if a layer cannot be read.
    pub fn path(
        &mut self,
        layer: u64,
        state: &[u64],
        poll: Poll<'_>,
    ) -> ControlFlow<Stop, Vec<Box<[u64]>>> {
        or_stop(self.writer.flush())?;
        let mut path: Vec<Box<[u64]>> = vec![state.into()];
        let mut expander = Expander::new(self.model, Use::default());
        let mut sources = Sources {
            reader: None,
            target: state.to_vec(),
            present: state.to_vec(),
            coding: OneWord { width: u64::BITS },
            cached: 0,
            steps: 0,
            path_bytes: 0,
            poll,
        };
        for at in (0..layer as usize).rev() {
            sources.reader = Some(self.targets.files.reader(self.layers[at]));
            match expander.expand(self.model, &mut sources) {
                ControlFlow::Break(Some(stop)) => return ControlFlow::Break(stop),
                ControlFlow::Break(None) => {}
                ControlFlow::Continue(()) => {
                    let defect = "no state of a layer leads to one of the next".to_owned();
                    return ControlFlow::Break(Stop::Limit(Reason::Internal(defect)));
                }
            }
            sources.target.clone_from(&sources.present);
            sources.path_bytes += (state.len() as u64 + 2) * 8;
            path.push(sources.present.as_slice().into());
        }
        path.reverse();
        debug_assert_eq!(
            path.first().map(|first| &first[..]),
            Some(self.model.initial()),
            "a run begins in the initial state"
        );
        ControlFlow::Continue(path)
    }
}

/// States of a layer, until one has a step to the target.
struct Sources<'d, 'p> {
    reader: Option<Reader<'d>>,
    target: Vec<u64>,
    /// The state whose steps are taken.
    present: Vec<u64>,
    coding: OneWord,
    cached: u64,
    steps: u64,
    path_bytes: u64,
    poll: Poll<'p>,
}

impl Sources<'_, '_> {
    /// Breaks without a reason at the target.
    #[inline]
    fn compare(&mut self, state: &[u64]) -> ControlFlow<Option<Stop>> {
        match self.target == state {
            true => ControlFlow::Break(None),
            false => self.count_step(),
        }
    }

    #[inline]
    fn count_step(&mut self) -> ControlFlow<Option<Stop>> {
        self.steps += 1;
        match self.steps % STEPS_BETWEEN_POLLS {
            1 => self.pulse(),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Sink for Sources<'_, '_> {
    type Coding = OneWord;
    type Stop = Option<Stop>;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn leads_to(&mut self, word: u64) -> ControlFlow<Option<Stop>> {
        self.compare(&[word])
    }

    fn word_of(&mut self, state: &[u64]) -> ControlFlow<Option<Stop>, Option<u64>> {
        match *state {
            [word] => ControlFlow::Continue(Some(word)),
            _ => self.compare(state).map_continue(|()| None),
        }
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Option<Stop>> {
        self.count_step()
    }

    #[cold]
    fn pulse(&mut self) -> ControlFlow<Option<Stop>> {
        (self.poll)(self.cached + self.path_bytes).map_break(Some)
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let holds = self.cached + bytes <= MOST_CACHED;
        if holds {
            self.cached += bytes;
        }
        holds
    }

    fn lets_go(&mut self, bytes: u64) {
        self.cached -= bytes;
    }
}

impl States for Sources<'_, '_> {
    fn next_block(&mut self, block: &mut Vec<u64>) -> ControlFlow<Option<Stop>, bool> {
        match &mut self.reader {
            Some(reader) => or_stop(reader.read_block(block)).map_break(Some),
            None => ControlFlow::Continue(false),
        }
    }

    fn whole(&self) -> Option<usize> {
        Some(self.target.len()).filter(|words| *words > 1)
    }

    fn begins(&mut self, row: &[u64]) {
        self.present.copy_from_slice(row);
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Option<Stop>> {
        ControlFlow::Continue(())
    }
}
