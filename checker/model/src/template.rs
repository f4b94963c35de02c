//! Reading a process once for all its instances.
//!
//! An instance's parameters are constants in it (`language.md` §3), so that its text means something
//! else in each. To read it anew for each of a thousand instances takes a thousand times as long,
//! though nearly all of the work is the same: finding what names stand for, and checking types. So a
//! process of several instances is read once more with its parameters *open*, constants without a
//! value ([`Binding::Open`](crate::names::Binding::Open)); each instance is then this **template**
//! with its values put in and folded, which gives what reading it would have given
//! ([`instantiate`](crate::instantiate)).
//!
//! It is not so wherever the value decides more than that: the bounds of a type, whether a constant
//! fails, whether an argument of `on` is in its range. The first kind is noticed on the way, and all
//! instances are read one by one. The second kind is noted as a [`Condition`]: an instance that does
//! not meet all of them is read by itself.
//!
//! What the template is for rests on the first instance having been read before: the template tells
//! nothing, and where it would have something new to tell it is not used.

use crate::elaborate::{Elaborator, Typed};
use crate::types::Domain;
use stubborn_system::system::{Expr, InstanceId, Range};
use stubborn_system::walk::for_subexpressions;

/// The instance that a template speaks of when it speaks of its own variables.
pub(crate) const OWN: InstanceId = InstanceId::MAX - 1;

/// How many open parameters there may be at most.
const MOST_OPEN: u32 = 1_000;

/// An open parameter in an expression, counted from 0: no [`Expr::Let`] is so deep.
pub(crate) fn open(number: u32) -> Expr {
    Expr::Bound(u32::MAX - number)
}

/// Which open parameter the expression is.
pub(crate) fn opened(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Bound(number) if *number > u32::MAX - MOST_OPEN => Some((u32::MAX - number) as usize),
        _ => None,
    }
}

/// The template stands for an instance only if, with its values,
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// the expression is in the range or depends on the state;
    Within(Expr, Range),
    /// the expression may have no value in some state, as it may where nothing is known of its parameters.
    MayFail(Expr),
    /// the expression depends on the state.
    OfState(Expr),
}

/// What is noted while a template is read.
#[derive(Debug)]
pub(crate) struct Trial {
    /// Of the open parameters.
    domains: Vec<Range>,
    conditions: Vec<Condition>,
    /// The instances differ in more than what can be put in.
    differs: bool,
}

impl Elaborator<'_> {
    /// Reads something with parameters of these domains open. `None` where that gives no template:
    /// nothing is told then that was not told before.
    pub(crate) fn as_template<R>(
        &mut self,
        domains: &[Domain],
        read: impl FnOnce(&mut Self) -> R,
    ) -> Option<(R, Vec<Condition>)> {
        if domains.len() > MOST_OPEN as usize {
            return None;
        }
        let (work, written, flow_told) = (self.work, self.written, self.flow_told);
        let too_many_values = self.too_many_values.clone();
        let before = self.reports.begin_trial();
        self.trial = Some(Trial {
            domains: domains.iter().map(|domain| domain.range).collect(),
            conditions: Vec::new(),
            differs: false,
        });
        let result = read(self);
        let trial = self.trial.take();
        let tells_nothing = self.reports.end_trial(before);
        let conditions = trial.filter(|trial| tells_nothing && !trial.differs);
        if conditions.is_none() {
            (self.work, self.written, self.flow_told) = (work, written, flow_told);
            self.too_many_values = too_many_values;
        }
        conditions.map(|trial| (result, trial.conditions))
    }

    /// Notes, where a template is read, that its instances differ in more than their values.
    pub(crate) fn instances_differ(&mut self) {
        if let Some(trial) = &mut self.trial {
            trial.differs = true;
        }
    }

    /// Notes, where a template is read, that it stands for those instances only in which the value is
    /// in the range, if it is known in them at all: it is evaluated otherwise.
    pub(crate) fn only_within(&mut self, typed: &Typed, range: Range) {
        let Some(trial) = &mut self.trial else {
            return;
        };
        if let Some(number) = opened(&typed.expr) {
            let domain = trial.domains[number];
            if range.contains(domain.lo) && range.contains(domain.hi) {
                return;
            }
        }
        if is_open(&typed.expr) {
            let condition = Condition::Within(typed.expr.clone(), range);
            trial.conditions.push(condition);
        }
    }

    /// Notes, where a template is read, that it stands for those instances only in which this is true, if it is known
    /// in them at all.
    pub(crate) fn only_where(&mut self, expr: impl FnOnce() -> Option<Expr>) {
        let Some(trial) = &mut self.trial else {
            return;
        };
        match expr() {
            Some(expr) if is_open(&expr) => {
                let range = Range { lo: 1, hi: 1 };
                trial.conditions.push(Condition::Within(expr, range));
            }
            Some(_) => {}
            None => trial.differs = true,
        }
    }

    /// Notes, where a template is read, that it stands for those instances only in which this may fail as well.
    pub(crate) fn only_where_it_may_fail(&mut self, expr: &Expr) {
        if let Some(trial) = &mut self.trial
            && is_open(expr)
        {
            trial.conditions.push(Condition::MayFail(expr.clone()));
        }
    }

    /// Notes, where a template is read, that it stands for those instances only in which this depends on the state.
    pub(crate) fn only_where_of_state(&mut self, expr: &Expr) {
        if let Some(trial) = &mut self.trial
            && is_open(expr)
        {
            trial.conditions.push(Condition::OfState(expr.clone()));
        }
    }
}

/// Whether it is a constant in every instance, as nothing but open parameters and constants stands in it. One in which it has
/// no value is read by itself.
pub(crate) fn is_known_in_instances(expr: &Expr) -> bool {
    fn is_of_constants(expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) => true,
            Expr::Unary(_, operand) => is_of_constants(operand),
            Expr::Binary(_, a, b) => is_of_constants(a) && is_of_constants(b),
            Expr::All(parts) | Expr::Any(parts) => parts.iter().all(is_of_constants),
            Expr::If(condition, a, b) => [condition, a, b].iter().all(|part| is_of_constants(part)),
            expr => opened(expr).is_some(),
        }
    }
    is_of_constants(expr) && is_open(expr)
}

/// Whether an open parameter stands in it.
pub(crate) fn is_open(expr: &Expr) -> bool {
    let mut found = false;
    for_subexpressions(expr, &mut |inner| found |= opened(inner).is_some());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::Settings;
    use crate::tests::program;

    #[test]
    fn a_thousand_parameters_may_be_open() {
        let program = program("var x: 0..3\n");
        let settings = Settings::default();
        let mut elaborator = Elaborator::new(&program, &settings);
        let mut is_read = |count: usize| {
            let domains = vec![Domain::unknown(); count];
            let read = elaborator.as_template(&domains, |_| open(count as u32 - 1));
            read.map(|(last, _)| opened(&last))
        };
        let found = [999, 1_000, 1_001].map(&mut is_read);
        assert_eq!(found, [Some(Some(998)), Some(Some(999)), None]);
    }
}
