//! Breaking one condition at a time on purpose, so that the tests can show that each is needed.
//!
//! Without the feature `mutations`, which only tests ask for, none of this is there.

/// A condition of the reduction, or a part of footprints, that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// D1: two steps that write different values to a scalar commute.
    WriteWrite,
    /// D1: a step does the same whatever another one writes.
    WriteRead,
    /// D2: a step stays enabled whatever another one writes.
    Disabling,
    /// D1: a disabled step stays disabled whatever others write.
    Enabling,
    /// D1: a joint step that waits for somebody stays disabled, whatever that one does.
    Blockers,
    /// D2: a joint step stays enabled, whatever its participants do besides.
    Participants,
    /// D1, D2: the others take no step but those of their present local states.
    Futures,
    /// D1, D2: the others' steps give scalars no values that they do not have already.
    Widening,
    /// D1: two receivers do not take each other's messages, nor do senders pass each other.
    Channels,
    /// D1: no message comes into a bag that a receiver might take.
    Bags,
    /// D1: a receive from a bag that fails does so whatever message it asks for.
    MessagesAskedFor,
    /// D2: it stays enabled, whoever takes messages.
    MessagesThatFail,
    /// D1, D2: a part of a joint step that waits is no part of one that fails.
    Waiting,
    /// A failing step is no step.
    Failing,
    /// Theorem 4: the step that would show the property is not looked at.
    Visibility,
    /// Theorem 4: what may show the property in the end is not looked at.
    VisibleEnabling,
    /// Theorems 4 to 6 are used whether or not the model is AG EF terminating.
    Termination,
    /// In a model that is not, the steps that are ignored for ever are not taken after all.
    Ignoring,
    /// In such a model, a cycle may leave steps out in all its states.
    Cycles,
    /// There, a set that leaves steps out may have steps that the property is about.
    Visible,
    /// What a round has not found is taken not to be there, though not all that is visible was sensitive in it.
    Believed,
    /// D0: a state may look terminal.
    KeyStep,
    /// With a tester that waits for no livelock, the set may lack steps that it sees.
    TesterSeed,
    /// Where a monitor waits for no livelock, a set with a key will do, though keys may be taken for
    /// ever.
    PassingKey,
    /// A set with a key that passes will do also where only an infinite run may show a violation.
    Lasting,
    /// Where a monitor waits for a livelock, the set may lack a step that it never sees.
    InvisibleKey,
    /// There, that step may be one that fails.
    FailingKey,
    /// With an automaton that waits for no livelock, the set may lack steps that are observed.
    Observed,
    /// Where it does, the set may have an enabled step that is observed and lack others.
    ObservedTogether,
    /// Where the search sees to cycles, a set may have an enabled sensitive step and lack others.
    OutOfOrder,
    /// There, cycles of processes may be without a sensitive step.
    LocalCycles,
    /// There, nothing is done about sets that lead nowhere, or back to the path alone.
    Closing,
    /// A run may be looked for that does not meet what is weakly fair,
    WeaklyFair,
    /// or strongly.
    StronglyFair,
    /// A step that fails is possible.
    PossibleFailing,
    /// What a monitor does not go along with is not possible.
    PossibleBeside,
    /// A set is taken for known though other instances may still do something else.
    OutlookFutures,
    /// A set is taken for known wherever steps come to the same, though others could enable them.
    OutlookPlaces,
    /// Permutations may change what is asked,
    PermutedProperties,
    /// or move steps to others with another guard,
    PermutedGuards,
    /// with other effects,
    PermutedEffects,
    /// or with another action or message.
    PermutedCommunication,
    /// They leave values that name somebody as they are.
    PermutedNames,
    /// Where permutations are used, who is in a set is who was in the one before.
    ChangedPlaces,
    /// There, a cycle of the search is taken for one of the model.
    TurnedCycles,
    /// And so beside a monitor, for one of the product.
    TurnedBeside,
    /// Scalars that are written are in a footprint, though nobody has read them.
    FootprintWrites,
    /// There, an index that is not known stands for every cell.
    FootprintCells,
    /// Messages behind the first are in it.
    FootprintMessages,
    /// What other participants do is in it.
    FootprintParticipants,
}

/// Those that steps ask for that are remembered.
pub const OF_FOOTPRINTS: [Mutation; 4] = [
    Mutation::FootprintWrites,
    Mutation::FootprintCells,
    Mutation::FootprintMessages,
    Mutation::FootprintParticipants,
];

/// Those that only monitors need.
pub const OF_MONITORS: [Mutation; 7] = [
    Mutation::TesterSeed,
    Mutation::PassingKey,
    Mutation::Lasting,
    Mutation::InvisibleKey,
    Mutation::FailingKey,
    Mutation::Observed,
    Mutation::ObservedTogether,
];

/// Those that rounds beside a monitor need.
pub const OF_ROUNDS: [Mutation; 4] = [
    Mutation::Believed,
    Mutation::OutOfOrder,
    Mutation::LocalCycles,
    Mutation::Closing,
];

/// Those of fair runs.
pub const OF_FAIRNESS: [Mutation; 4] = [
    Mutation::WeaklyFair,
    Mutation::StronglyFair,
    Mutation::PossibleFailing,
    Mutation::PossibleBeside,
];

/// Those of permutations.
pub const OF_SYMMETRY: [Mutation; 8] = [
    Mutation::PermutedProperties,
    Mutation::PermutedGuards,
    Mutation::PermutedEffects,
    Mutation::PermutedCommunication,
    Mutation::PermutedNames,
    Mutation::ChangedPlaces,
    Mutation::TurnedCycles,
    Mutation::TurnedBeside,
];

/// All others.
pub const MUTATIONS: [Mutation; 24] = [
    Mutation::WriteWrite,
    Mutation::WriteRead,
    Mutation::Disabling,
    Mutation::Enabling,
    Mutation::Blockers,
    Mutation::Participants,
    Mutation::Futures,
    Mutation::Widening,
    Mutation::Channels,
    Mutation::Bags,
    Mutation::MessagesAskedFor,
    Mutation::MessagesThatFail,
    Mutation::Waiting,
    Mutation::Failing,
    Mutation::Visibility,
    Mutation::VisibleEnabling,
    Mutation::Termination,
    Mutation::Ignoring,
    Mutation::Cycles,
    Mutation::Visible,
    Mutation::Believed,
    Mutation::KeyStep,
    Mutation::OutlookFutures,
    Mutation::OutlookPlaces,
];

#[cfg(feature = "mutations")]
thread_local! {
    static ACTIVE: std::cell::Cell<Option<Mutation>> = const { std::cell::Cell::new(None) };
}

/// Leaves the condition out of all checks that this thread makes from now on.
#[cfg(feature = "mutations")]
pub fn mutate(mutation: Option<Mutation>) {
    ACTIVE.set(mutation);
}

/// Whether the condition is left out.
#[cfg(feature = "mutations")]
#[inline]
pub(crate) fn is_left_out(mutation: Mutation) -> bool {
    ACTIVE.get() == Some(mutation)
}

/// Whether the condition is left out: never.
#[cfg(not(feature = "mutations"))]
#[inline(always)]
pub(crate) fn is_left_out(_: Mutation) -> bool {
    false
}
