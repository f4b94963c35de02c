//! What a system is to have: its properties, without positions and names.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::system::{ActionPattern, Expr, Instance, InstanceId, LocationId, StepId, System};

/// One property of a [`System`](crate::system::System), for one value of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Property {
    /// No step fails.
    Errors,
    /// In every terminal state every instance is at a final location, or `allowed` holds.
    Deadlock { allowed: Option<Expr> },
    /// From every reachable state a terminal state can be reached (AG EF termination).
    Termination,
    /// True in every reachable state.
    Invariant(Expr),
    /// From every reachable state a state with this can be reached (AG EF).
    MayProgress(Expr),
    /// From every reachable state every maximal path meets a state with this (AG AF).
    MustProgress(Expr),
    /// In some reachable state this is true (EF). Who searches looks for such a state.
    Reachable(Expr),
    /// In every execution in which steps of the first set are taken infinitely often, steps of the
    /// second are too.
    Recurrence(StepSet, StepSet),
    /// Every maximal run satisfies a formula of linear temporal logic.
    Ltl(Ltl),
    /// The system violates none of C1 to C4 of a tester.
    Tester(Tester),
    /// No maximal run is accepted by a Büchi automaton.
    Buchi(Buchi),
    /// No maximal run is accepted by a testing automaton.
    Testing(Testing),
    /// The system does nothing that a specification cannot do.
    Refinement(Refinement),
    /// A property of runs, of the fair ones alone.
    Fair(Fair),
}

/// A property of fair runs (`language.md` §9). A run is fair if it ends, or goes on for ever and meets each of the
/// assumptions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fair {
    /// `MustProgress`, `Recurrence`, `Ltl`, `Buchi` or `Testing`.
    pub property: Box<Property>,
    /// In the order of the text; there are some. Where many properties share them it is seen at once that they are equal,
    /// which of a slice it is not.
    pub assumptions: Arc<Vec<Assumption>>,
}

/// Of a run that goes on for ever: that steps of a set are taken infinitely often, if they are *possible* in each state
/// from some point on, or, where it is strong, in infinitely many. They are where one of them can be taken that does
/// not fail.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Assumption {
    pub is_strong: bool,
    pub steps: StepSet,
}

/// A formula over what is observed. A run that ends is read as repeating its last state for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ltl {
    /// The formula's parts without temporal operators, each there once.
    pub propositions: Vec<Expr>,
    pub formula: Formula,
}

/// A formula of linear temporal logic without `next`. Without the temporal operators it is a
/// condition on one state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Formula {
    Constant(bool),
    /// The proposition with this number holds in the first state.
    Proposition(u32),
    Not(Box<Formula>),
    /// True where there are none.
    All(Vec<Formula>),
    /// False where there are none.
    Any(Vec<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f release g`: `g` holds up to and including the first state with `f`, or always.
    Release(Box<Formula>, Box<Formula>),
}

/// A tester (Valmari 1993, Def. 3.1), which takes part in every visible action as a process does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tester {
    /// Its alphabet. What is in no instance's alphabet never occurs, whatever stands here.
    pub visible: Vec<ActionPattern>,
    /// In the order of the text.
    pub states: Vec<TesterState>,
    pub initial: u32,
}

impl Tester {
    /// The actions that it names, some of them more than once.
    pub fn patterns(&self) -> impl Iterator<Item = &ActionPattern> {
        let steps = self.states.iter().flat_map(|state| &state.steps);
        self.visible
            .iter()
            .chain(steps.filter_map(|step| step.on.as_ref()))
    }
}

/// A state of a tester, and which monitor state it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TesterState {
    pub reject: bool,
    pub deadlock: bool,
    pub livelock: bool,
    pub infinite: bool,
    /// In the order of the text, the values of a `for` in their order.
    pub steps: Vec<TesterStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TesterStep {
    /// The actions on which it is taken; `None` for `tau`.
    pub on: Option<ActionPattern>,
    pub target: u32,
}

/// A state-labelled Büchi automaton with finite (`reject`) and deadlock acceptance (Hansen, Penczek
/// and Valmari 2002, section 2), which accepts what must not happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Buchi {
    /// What is observed.
    pub propositions: Vec<Expr>,
    /// In the order of the text; one or more are initial.
    pub states: Vec<BuchiState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BuchiState {
    pub initial: bool,
    pub reject: bool,
    pub deadlock: bool,
    pub infinite: bool,
    /// Which states of the system it reads: a formula without temporal operators.
    pub label: Formula,
    pub next: Vec<u32>,
}

/// A testing automaton (Hansen, Penczek and Valmari 2002, section 3), which observes changes and
/// accepts what must not happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Testing {
    /// What is observed, at most 64.
    pub propositions: Vec<Expr>,
    /// In the order of the text; one or more are initial.
    pub states: Vec<TestingState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TestingState {
    /// Of an initial state, in which states of the system it begins.
    pub initial: Option<Formula>,
    pub reject: bool,
    pub deadlock: bool,
    pub livelock: bool,
    pub infinite: bool,
    /// The propositions that change, bit `i` for proposition `i`, never none; and where it leads.
    pub next: Vec<(u64, u32)>,
}

/// `refines SPECIFICATION in …`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Refinement {
    pub semantics: Semantics,
    /// A process by itself, as instance 0 of a System of its own that has the actions of the model.
    /// Its alphabet is what is visible.
    pub specification: Instance,
}

/// In what a system may do nothing that its specification cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Semantics {
    Traces,
    /// Traces and stable failures.
    Failures,
    /// Traces after which it can run invisibly for ever.
    Divergences,
    InfiniteTraces,
    /// Stable failures, divergences and infinite traces.
    Cffd,
}

/// The steps that one of some patterns stands for; none where there are no patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct StepSet {
    pub patterns: Vec<StepPattern>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepPattern {
    /// The joint steps of the action with these values.
    Action(ActionPattern),
    /// Every step that the instance takes while it is at one of the locations (ascending), joint
    /// ones too.
    At(InstanceId, Vec<LocationId>),
    /// These steps of the instance (ascending), joint ones too.
    Taken(InstanceId, Vec<StepId>),
}

/// The forms of property that are named in the output (`cli.md`, `kind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Form {
    Errors,
    Deadlock,
    Termination,
    Invariant,
    Progress,
    Reachable,
    Ltl,
    Recurrence,
    Tester,
    Buchi,
    Testing,
    Refinement,
}

impl Property {
    /// What is asked, whichever runs it is asked of.
    pub fn asked(&self) -> &Property {
        match self {
            Property::Fair(fair) => &fair.property,
            property => property,
        }
    }

    /// What fair runs meet, where it is asked of them alone.
    pub fn assumptions(&self) -> &[Assumption] {
        match self {
            Property::Fair(fair) => &fair.assumptions,
            _ => &[],
        }
    }

    /// Whether it speaks of runs, and so not of those that end at failing steps, and of fair ones alone where fairness is
    /// assumed. Testers and refinement speak of what the system can do, `termination` and `may` of what is possible.
    pub fn is_of_runs(&self) -> bool {
        match self.asked() {
            Property::MustProgress(_)
            | Property::Recurrence(..)
            | Property::Ltl(_)
            | Property::Buchi(_)
            | Property::Testing(_) => true,
            Property::Errors
            | Property::Deadlock { .. }
            | Property::Termination
            | Property::Invariant(_)
            | Property::MayProgress(_)
            | Property::Reachable(_)
            | Property::Tester(_)
            | Property::Refinement(_)
            | Property::Fair(_) => false,
        }
    }

    /// Sets of steps in the property and its assumptions.
    pub fn step_sets(&self) -> impl Iterator<Item = &StepSet> {
        let assumed = self.assumptions().iter();
        let (_, own) = self.asked().parts();
        own.into_iter().chain(assumed.map(|one| &one.steps))
    }

    /// Actions that a monitor of the property takes part in; some more than once.
    pub fn watched_actions(&self) -> Vec<&ActionPattern> {
        match self.asked() {
            Property::Tester(tester) => tester.patterns().collect(),
            Property::Refinement(refinement) => refinement.specification.alphabet.iter().collect(),
            Property::Errors
            | Property::Deadlock { .. }
            | Property::Termination
            | Property::Invariant(_)
            | Property::MayProgress(_)
            | Property::MustProgress(_)
            | Property::Reachable(_)
            | Property::Ltl(_)
            | Property::Recurrence(..)
            | Property::Buchi(_)
            | Property::Testing(_)
            | Property::Fair(_) => Vec::new(),
        }
    }

    /// Whether the property also depends on processes that share nothing with it, since one of them
    /// can keep a run going for ever, fail, or stop where it should not.
    pub fn needs_every_process(&self) -> bool {
        match self {
            Property::Errors
            | Property::Deadlock { .. }
            | Property::Termination
            | Property::MustProgress(_)
            | Property::Ltl(_)
            | Property::Buchi(_)
            | Property::Testing(_)
            | Property::Fair(_) => true,
            Property::Tester(tester) => {
                let mut states = tester.states.iter();
                states.any(|state| state.deadlock || state.livelock)
            }
            Property::Refinement(refinement) => match refinement.semantics {
                Semantics::Traces | Semantics::InfiniteTraces => false,
                Semantics::Failures | Semantics::Divergences | Semantics::Cffd => true,
            },
            Property::Invariant(_)
            | Property::MayProgress(_)
            | Property::Reachable(_)
            | Property::Recurrence(..) => false,
        }
    }

    pub fn form(&self) -> Form {
        match self {
            Property::Fair(fair) => fair.property.form(),
            Property::Errors => Form::Errors,
            Property::Deadlock { .. } => Form::Deadlock,
            Property::Termination => Form::Termination,
            Property::Invariant(_) => Form::Invariant,
            Property::MayProgress(_) | Property::MustProgress(_) => Form::Progress,
            Property::Reachable(_) => Form::Reachable,
            Property::Recurrence(..) => Form::Recurrence,
            Property::Ltl(_) => Form::Ltl,
            Property::Tester(_) => Form::Tester,
            Property::Buchi(_) => Form::Buchi,
            Property::Testing(_) => Form::Testing,
            Property::Refinement(_) => Form::Refinement,
        }
    }

    /// Expressions about states.
    pub fn expressions(&self) -> &[Expr] {
        self.asked().parts().0
    }

    /// Expressions about states, and sets of steps without those of assumptions.
    fn parts(&self) -> (&[Expr], Vec<&StepSet>) {
        match self {
            Property::Deadlock { allowed } => (allowed.as_slice(), Vec::new()),
            Property::Invariant(expr)
            | Property::MayProgress(expr)
            | Property::MustProgress(expr)
            | Property::Reachable(expr) => (std::slice::from_ref(expr), Vec::new()),
            Property::Recurrence(infinitely, implies) => (&[], vec![infinitely, implies]),
            Property::Ltl(Ltl { propositions, .. })
            | Property::Buchi(Buchi { propositions, .. })
            | Property::Testing(Testing { propositions, .. }) => (propositions, Vec::new()),
            Property::Errors
            | Property::Termination
            | Property::Tester(_)
            | Property::Refinement(_) => (&[], Vec::new()),
            Property::Fair(fair) => fair.property.parts(),
        }
    }

    /// The same parts and the sets of steps of assumptions, to be changed.
    pub(crate) fn parts_mut(&mut self) -> (&mut [Expr], Vec<&mut StepSet>) {
        match self {
            Property::Deadlock { allowed } => (allowed.as_mut_slice(), Vec::new()),
            Property::Invariant(expr)
            | Property::MayProgress(expr)
            | Property::MustProgress(expr)
            | Property::Reachable(expr) => (std::slice::from_mut(expr), Vec::new()),
            Property::Recurrence(infinitely, implies) => (&mut [], vec![infinitely, implies]),
            Property::Ltl(Ltl { propositions, .. })
            | Property::Buchi(Buchi { propositions, .. })
            | Property::Testing(Testing { propositions, .. }) => (propositions, Vec::new()),
            Property::Errors
            | Property::Termination
            | Property::Tester(_)
            | Property::Refinement(_) => (&mut [], Vec::new()),
            Property::Fair(fair) => {
                let (expressions, mut steps) = fair.property.parts_mut();
                let assumed = Arc::make_mut(&mut fair.assumptions).iter_mut();
                steps.extend(assumed.map(|one| &mut one.steps));
                (expressions, steps)
            }
        }
    }

    /// Whether it is decided by a search of its own: where a monitor watches the runs, which is a tester, an automaton,
    /// or what a formula or a specification is turned into; and where it is asked of fair runs alone.
    pub fn is_monitored(&self) -> bool {
        match self {
            Property::Ltl(_)
            | Property::Tester(_)
            | Property::Buchi(_)
            | Property::Testing(_)
            | Property::Refinement(_)
            | Property::Fair(_) => true,
            Property::Errors
            | Property::Deadlock { .. }
            | Property::Termination
            | Property::Invariant(_)
            | Property::MayProgress(_)
            | Property::MustProgress(_)
            | Property::Reachable(_)
            | Property::Recurrence(..) => false,
        }
    }
}

/// The properties, and each bound of the System as one of them: a permutation keeps what is expanded.
pub(crate) fn with_bounds<'p>(system: &System, properties: &'p [Property]) -> Cow<'p, [Property]> {
    if system.bounds.is_empty() {
        return Cow::Borrowed(properties);
    }
    let bounds = system.bounds.iter().cloned().map(Property::Invariant);
    properties.iter().cloned().chain(bounds).collect()
}
