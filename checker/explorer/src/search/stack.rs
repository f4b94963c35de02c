//! Depth-first search. Every search that needs a stack is a [`Visitor`] of it.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::Wanted;

use super::frame::Frame;
use super::meter::Stop;
use super::steps::Rest;
use super::{Listener, Run};

use crate::store::{Key, Store, Trail};

/// States from the one that a search began with to the present one.
pub struct Stack<D>(pub(super) Vec<Frame<D>>);

/// A state to enter, if any.
pub type Enter<D> = ControlFlow<Stop, Option<(Key, D)>>;

/// Search that decides what happens in each state and with each step.
pub trait Visitor<'a, 'm: 'a, M: Monitored + 'a, S: Store, L: Listener> {
    /// Data of each state on the stack.
    type Datum;

    /// Steps of a state that are requested from the model.
    const WANTED: Wanted = Wanted::Reduced;

    /// Returns the run and the stack.
    fn parts(&mut self) -> (&mut Run<'a, 'm, M, S, L>, &mut Stack<Self::Datum>);

    /// Checks a state that was put on the stack, before its steps are collected. Returns the trails
    /// of its path for the [condition on cycles](super::closing), none if it is not the next on it.
    fn enter(&mut self) -> ControlFlow<Stop, &'static [Trail]>;

    /// Checks the last state, whose first steps have just been collected.
    fn expanded(&mut self) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// Returns which of the collected steps of the last state to take next.
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let (run, stack) = self.parts();
        let frame = stack.top_mut();
        let at = frame.begin + frame.taken as usize;
        frame.taken += 1;
        (at < run.steps.len()).then_some(at)
    }

    /// Takes a step of the last state. Returns its target if that is to be entered.
    fn step(&mut self, at: usize) -> Enter<Self::Datum>;

    /// Called when all collected steps of the last state have been taken.
    #[inline]
    fn taken(&mut self) -> Enter<Self::Datum> {
        ControlFlow::Continue(None)
    }

    /// Leaves a state that was taken off the stack.
    fn leave(&mut self, left: Frame<Self::Datum>) -> ControlFlow<Stop>;

    /// Searches depth first from a state.
    fn search_from(&mut self, root: (Key, Self::Datum)) -> ControlFlow<Stop> {
        self.push(root)?;
        loop {
            while let Some(at) = self.next() {
                self.parts().0.tick()?;
                if let Some(target) = self.step(at)? {
                    self.push(target)?;
                }
            }
            if let Some(next) = self.taken()? {
                self.push(next)?;
                continue;
            }
            let (run, stack) = self.parts();
            if run.go_on(stack.top_mut())? {
                continue;
            }
            if let Some(left) = stack.0.pop() {
                self.leave(left)?;
            }
            if self.parts().1.0.is_empty() {
                return ControlFlow::Continue(());
            }
        }
    }

    fn push(&mut self, (key, datum): (Key, Self::Datum)) -> ControlFlow<Stop> {
        let (run, stack) = self.parts();
        stack.0.push(Frame {
            begin: run.steps.len(),
            taken: 0,
            key,
            rest: Rest::Nothing,
            leaves_out: false,
            datum,
        });
        let path = self.enter()?;
        let (run, stack) = self.parts();
        run.expand(stack.top_mut(), Self::WANTED, path)?;
        self.expanded()
    }
}

impl<D> Default for Stack<D> {
    fn default() -> Stack<D> {
        Stack(Vec::new())
    }
}

impl<D> Stack<D> {
    /// The last state. There must be one.
    #[inline]
    pub fn top(&self) -> &Frame<D> {
        &self.0[self.0.len() - 1]
    }

    #[inline]
    pub fn top_mut(&mut self) -> &mut Frame<D> {
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    /// Number of steps from the first state to the last.
    #[inline]
    pub fn depth(&self) -> u64 {
        self.0.len() as u64 - 1
    }

    /// Copies of the states.
    pub fn states<S: Store>(&self, store: &S) -> Vec<Box<[u64]>> {
        self.0.iter().map(|frame| store.boxed(frame.key)).collect()
    }

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<Frame<D>>()) as u64
    }
}
