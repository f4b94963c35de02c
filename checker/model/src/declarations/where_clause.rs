//! Evaluation of a `where`, which keeps some values of parameters (`language.md` §6).

use std::sync::Arc;

use stubborn_syntax::ast;

use super::infos::Parameter;
use super::kept::{Combinations, Kept, Places, with_values, without_values};
use crate::elaborate::Elaborator;
use crate::expressions::failed;
use crate::expressions::typed::{Constness, Decided};
use crate::problem::Code;
use stubborn_system::system::Value;

/// For no more combinations of values a `where` is evaluated.
const MOST_COMBINATIONS: u64 = 100_000;

impl Elaborator<'_> {
    /// Which values of the parameters a `where` keeps. It is evaluated for each combination of
    /// them, a constant expression over nothing else.
    pub(crate) fn kept(
        &mut self,
        parameters: &[Parameter],
        clause: Option<&ast::WhereClause>,
    ) -> Kept {
        let Some(condition) = clause.and_then(ast::WhereClause::condition) else {
            // Without an expression the grammar has told it.
            return clause.map_or(Kept::All, |_| Kept::Unknown);
        };
        self.apart(|this| {
            // What quantifiers in it go through they go through for each of these.
            let count = Kept::All.count(parameters.iter().map(|one| &one.domain));
            this.combinations = count.unwrap_or(1).max(1);
            this.kept_by(parameters, &condition)
        })
    }

    fn kept_by(&mut self, parameters: &[Parameter], condition: &ast::Expr) -> Kept {
        // Once for all: what is wrong whatever the values are is told here.
        let open = without_values(&self.env, parameters);
        let read = |this: &mut Self| this.boolean(condition, "what stands behind `where`");
        let typed = self.in_scope(&open, read);
        if typed.constness == Constness::State {
            let quoted = self.quoted(condition);
            let message = format!(
                "what stands behind `where` must be constant, but {quoted} depends on the state; the \
                     parameters before it, literals and constants can stand here"
            );
            self.error(Code::NotConstant, self.span(condition), message);
            return Kept::Unknown;
        }
        if self.reports.has_error_within(self.span(condition)) {
            self.blame();
            return Kept::Unknown;
        }
        let Some(count) = Kept::All.count(parameters.iter().map(|one| &one.domain)) else {
            return Kept::Unknown;
        };
        if count > MOST_COMBINATIONS {
            let message = format!(
                "this would be evaluated for {count} combinations of values, and {MOST_COMBINATIONS} are the \
                     most; smaller types of the parameters would mend it"
            );
            self.error(Code::TooLarge, self.span(condition), message);
            return Kept::Unknown;
        }
        let mut kept = Vec::new();
        for (place, values) in (0..).zip(Combinations::of(parameters, &Kept::All)) {
            if self.interrupt.is_due() {
                return Kept::Unknown;
            }
            let with = with_values(&self.env, parameters, &values);
            let typed = self.in_scope(&with, read);
            match typed.value() {
                Some(Value::Int(0)) => {}
                Some(_) => kept.push(place),
                None => {
                    if let (Some(failure), Some(Decided::Instance)) = (typed.failure(), typed.known)
                    {
                        let pairs = parameters.iter().zip(&values);
                        let named: Vec<String> = pairs
                            .map(|(one, value)| {
                                format!("`{}` is {}", one.name, one.domain.shape.scalar(*value))
                            })
                            .collect();
                        let failed = failed(&self.quoted(condition), failure);
                        let message = format!("where {} {failed}", named.join(" and "));
                        self.error(Code::ConstantFails, self.span(condition), message);
                    }
                    return Kept::Unknown;
                }
            }
        }
        if kept.is_empty() {
            let quoted = self.quoted(condition);
            let message = format!("{quoted} is true of no value, so that nothing is left");
            self.error(Code::EmptyType, self.span(condition), message);
            return Kept::Unknown;
        }
        match kept.len() as u64 == count {
            true => Kept::All,
            false => Kept::These(Arc::new(Places::new(kept, count as usize))),
        }
    }
}
