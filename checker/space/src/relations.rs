//! The relations between a model's processes: what a reduction asks besides the steps.

use std::ops::ControlFlow;

use crate::members::Members;
use crate::successors::{Successors, Visit};

/// Called now and then in the middle of long work; breaks where it is to be given up.
pub type Pulse<'p> = dyn FnMut() -> ControlFlow<()> + 'p;

/// A model that is made of processes and can tell how their steps depend on each other, so that
/// `Stubborn` can wrap it. To implement it for a model that has [`Successors`], write:
///
/// - [`processes`](ProcessRelations::processes): how many there are, at least 1. They are the
///   *members* 0, 1, …
/// - [`checks`](ProcessRelations::checks): how many imaginary steps there are, each of which is
///   enabled where a state shows what is looked for, and changes nothing (Valmari 2015, Thm 4).
///   They are the members after the processes. Without any, errors, terminal states and infinite
///   executions are kept all the same.
/// - [`visit_process`](ProcessRelations::visit_process): the steps of one process in a state, a
///   joint step at its first participant. All processes one after the other give what
///   [`visit`](Successors::visit) gives, in the same order.
/// - [`begin`](ProcessRelations::begin): looks at a state. Whatever is asked next is of this one,
///   so that what the answers have in common is found out once.
/// - [`enabled`](ProcessRelations::enabled): how many steps `visit_process` would give.
/// - [`needs`](ProcessRelations::needs): the members that a set with this member must have too, so
///   that a set with all that its members need is stubborn (D1, D2; Valmari 2015, section IV):
///   - for each *enabled* step of the process, its other participants; every process that could,
///     while this one stands still, get to take a step that is not *independent* of it: that
///     disables it, or changes what it does, or does something else when it comes after it. "Get
///     to" is about its *future*, not about the steps that it has now: that is what D1 asks for,
///     which speaks of sequences. And the imaginary steps that it may disable, if it is *visible*
///     to them;
///   - for each *disabled* step a *necessary enabling set*: processes without which it stays
///     disabled, whatever the others do. One false conjunct of each condition under which it would
///     be enabled gives such a set, and of a joint step one participant that does not offer it;
///   - for an imaginary step that is disabled, a necessary enabling set of it; of one that is
///     enabled, nothing.
///
///   With a process all its steps are in the set, so none of its own need be named. More members
///   than are needed are always right; in doubt give all processes.
/// - [`work`](ProcessRelations::work), where answers differ in what they cost.
///
/// Nothing is asked for here that depends on what a monitor sees: that is `Visibility`, and is
/// handed to the reduction beside the model. The product of a model with a monitor passes these
/// relations on as they are, since they are about the steps of the model.
pub trait ProcessRelations: Successors {
    fn processes(&self) -> usize;

    fn checks(&self) -> usize {
        0
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()>;

    /// Whether anything is known. Where it is not, all steps of the state are taken.
    fn begin(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool;

    fn enabled(&self, process: usize, state: &[u64], scratch: &mut Self::Scratch) -> u32;

    /// After [`begin`](ProcessRelations::begin): adds numbers such that wherever they are the same,
    /// [`enabled`](ProcessRelations::enabled) and, while the others may do anything, `needs` have
    /// the same answers, so that a set need not be chosen twice. Whether there are such numbers.
    fn outlook(
        &self,
        _state: &[u64],
        _scratch: &mut Self::Scratch,
        _numbers: &mut Vec<u32>,
    ) -> bool {
        false
    }

    /// Adds further numbers, if there are any, so that they also decide the results of `needs` while
    /// each of the others [moves alone](Others::MoveAlone).
    fn outlook_alone(
        &self,
        _state: &[u64],
        _scratch: &mut Self::Scratch,
        _numbers: &mut Vec<u32>,
        _pulse: &mut Pulse<'_>,
    ) {
    }

    /// Where `pulse` breaks the answer is not used.
    fn needs(
        &self,
        member: usize,
        others: &Others,
        state: &[u64],
        scratch: &mut Self::Scratch,
        pulse: &mut Pulse<'_>,
    ) -> Members;

    /// Whether [`needs`](ProcessRelations::needs) looks at what the others do.
    fn foresees(&self) -> bool {
        false
    }

    /// So many states there can be at most, as far as that is known at once.
    fn most_states(&self) -> u64 {
        u64::MAX
    }

    /// How much work the answers have cost since the scratch was made, in look-ups of a value or an
    /// answer: a step costs about [`A_STEP`](crate::profit::A_STEP) of them. A function of the
    /// questions alone.
    fn work(&self, _scratch: &Self::Scratch) -> u64 {
        0
    }

    /// How much work it was besides, since the scratch was made, to find out what is then
    /// remembered, whom members need while each of the others [moves alone](Others::MoveAlone)
    /// among it. It depends on what was asked before.
    fn learning(&self, _scratch: &Self::Scratch) -> u64 {
        0
    }
}

/// Assumption about the other processes while the member whose needs are computed stands still. To
/// assume that they may do anything is always sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Others {
    /// Anything.
    MayMove,
    /// These stand still, too. A set whose members need no others while it stands still is stubborn: D1 and D2 speak of sequences of steps outside the set.
    StandStill(Members),
    /// Each moves while all others stand still. These needs are likely to remain whichever others
    /// stand still; only the beginning of a search for a set depends on them.
    MoveAlone,
}

impl<M: ProcessRelations> ProcessRelations for &M {
    fn processes(&self) -> usize {
        (**self).processes()
    }

    fn checks(&self) -> usize {
        (**self).checks()
    }

    fn visit_process(
        &self,
        process: usize,
        state: &[u64],
        scratch: &mut M::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        (**self).visit_process(process, state, scratch, visitor)
    }

    fn begin(&self, state: &[u64], scratch: &mut M::Scratch) -> bool {
        (**self).begin(state, scratch)
    }

    fn enabled(&self, process: usize, state: &[u64], scratch: &mut M::Scratch) -> u32 {
        (**self).enabled(process, state, scratch)
    }

    fn needs(
        &self,
        member: usize,
        others: &Others,
        state: &[u64],
        scratch: &mut M::Scratch,
        pulse: &mut Pulse<'_>,
    ) -> Members {
        (**self).needs(member, others, state, scratch, pulse)
    }

    fn outlook(&self, state: &[u64], scratch: &mut M::Scratch, numbers: &mut Vec<u32>) -> bool {
        (**self).outlook(state, scratch, numbers)
    }

    fn outlook_alone(
        &self,
        state: &[u64],
        scratch: &mut M::Scratch,
        numbers: &mut Vec<u32>,
        pulse: &mut Pulse<'_>,
    ) {
        (**self).outlook_alone(state, scratch, numbers, pulse);
    }

    fn foresees(&self) -> bool {
        (**self).foresees()
    }

    fn most_states(&self) -> u64 {
        (**self).most_states()
    }

    fn work(&self, scratch: &M::Scratch) -> u64 {
        (**self).work(scratch)
    }

    fn learning(&self, scratch: &M::Scratch) -> u64 {
        (**self).learning(scratch)
    }
}
