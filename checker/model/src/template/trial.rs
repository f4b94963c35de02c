//! Notes the conditions under which a template stands for an instance, while the template is read.

use super::{Condition, MOST_OPEN, Trial, is_open, opened};
use crate::elaborate::Elaborator;
use crate::expressions::typed::Typed;
use crate::types::Domain;
use stubborn_system::system::{Expr, Range};

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

    /// Notes, where a template is read, that it stands for those instances only in which the value
    /// is in the range, if it is known in them at all: it is evaluated otherwise.
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
        self.only_if(&typed.expr, |expr| Condition::Within(expr, range));
    }

    /// Notes, where a template is read, that it stands for those instances only that meet the
    /// condition, if the expression depends on their values.
    pub(crate) fn only_if(&mut self, expr: &Expr, condition: impl FnOnce(Expr) -> Condition) {
        if let Some(trial) = &mut self.trial
            && is_open(expr)
        {
            trial.conditions.push(condition(expr.clone()));
        }
    }

    /// Notes, where a template is read, that it stands for those instances only in which this is
    /// true, if it is known in them at all.
    pub(crate) fn only_where(&mut self, expr: impl FnOnce() -> Option<Expr>) {
        if self.trial.is_none() {
            return;
        }
        let range = Range { lo: 1, hi: 1 };
        match expr() {
            Some(expr) => self.only_if(&expr, |expr| Condition::Within(expr, range)),
            None => self.instances_differ(),
        }
    }
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
            let read =
                elaborator.as_template(&domains, |_| crate::template::open(count as u32 - 1));
            read.map(|(last, _)| opened(&last))
        };
        let found = [999, 1_000, 1_001].map(&mut is_read);
        assert_eq!(found, [Some(Some(998)), Some(Some(999)), None]);
    }
}
