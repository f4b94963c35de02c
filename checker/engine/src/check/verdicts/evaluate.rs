//! Evaluation of one property in packed states.

use stubborn_system::property::Property;
use stubborn_system::system::Failure;

use crate::packed::{Expression, Packed, Scratch};
use crate::properties::{AtEnd, Conclusion, End, Goals, InState, Kind, LooksAt, kind_of};

/// A property with its packed expression.
pub struct Evaluator<'a> {
    packed: &'a Packed<'a>,
    pub kind: Box<dyn Kind + 'a>,
    pub expression: Option<Expression>,
    /// Whether it requires states to be reachable in which the expression is true.
    has_goals: bool,
}

impl<'a> Evaluator<'a> {
    pub fn new(packed: &'a Packed<'a>, property: &'a Property) -> Evaluator<'a> {
        let kind = kind_of(property);
        let expression = kind.looks_at().expression().map(|e| packed.expression(e));
        let has_goals = matches!(
            kind.conclusion(),
            Conclusion::Reaching(Goals::Expression, _) | Conclusion::Avoiding(_)
        );
        Evaluator {
            packed,
            kind,
            expression,
            has_goals,
        }
    }

    /// Returns what a state shows of a property of states. Every goal can be reached from a state that a
    /// bound cuts off.
    pub fn in_state(&self, state: &[u64], scratch: &mut Scratch) -> Option<InState> {
        let shown = self.shown(self.expression.as_ref()?, state, scratch)?;
        let is_cut_off =
            self.has_goals && shown == InState::Nothing && !self.packed.is_inside(state, scratch);
        Some(if is_cut_off { InState::Goal } else { shown })
    }

    /// Returns what a state would show if this were the property's expression.
    pub fn shown(
        &self,
        expression: &Expression,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> Option<InState> {
        let LooksAt::States(_, shows) = self.kind.looks_at() else {
            return None;
        };
        let value = self.packed.holds(expression, state, scratch);
        Some(shows(value.map_err(|failure| *failure)))
    }

    /// Whether a state satisfies the expression that the property requires to be reachable.
    pub fn is_goal(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        self.in_state(state, scratch) == Some(InState::Goal)
    }

    /// Returns what a state without steps shows, which is terminal unless a bound has cut them off.
    pub fn at_end(&self, state: &[u64], is_goal: bool, scratch: &mut Scratch) -> AtEnd {
        if !self.packed.is_inside(state, scratch) {
            return AtEnd::Nothing;
        }
        self.kind.at_end(&mut Terminal {
            evaluator: self,
            scratch,
            state,
            is_goal,
        })
    }
}

/// A terminal state, for one property.
struct Terminal<'v, 'a> {
    evaluator: &'v Evaluator<'a>,
    scratch: &'v mut Scratch,
    state: &'v [u64],
    is_goal: bool,
}

impl End for Terminal<'_, '_> {
    fn is_final(&self) -> bool {
        self.evaluator.packed.is_final(self.state)
    }

    fn is_goal(&self) -> bool {
        self.is_goal
    }

    fn value(&mut self) -> Option<Result<bool, Failure>> {
        let expression = self.evaluator.expression.as_ref()?;
        let value = self
            .evaluator
            .packed
            .holds(expression, self.state, self.scratch);
        Some(value.map_err(|failure| *failure))
    }
}
