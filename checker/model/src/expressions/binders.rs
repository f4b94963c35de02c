//! What binds names: quantifiers, the aggregates, and every other list of `x in T`.

use std::ops::ControlFlow;

use stubborn_syntax::ast::{self, Aggregate, HasName, Quantifier};

use super::operators::{Joined, Junction};
use crate::elaborate::{Elaborator, MAX_EXPANSION};
use crate::expressions::typed::Typed;
use crate::names::symbols::SymbolKind;
use crate::problem::{Code, Words};
use crate::types::{Domain, Ty};
use stubborn_system::system::{Expr, Failure, Unary};

impl Elaborator<'_> {
    /// Calls `each` with the environment of each combination of values of `x in T, y in U`, the
    /// first varying slowest; a later type may depend on an earlier name. Stops when `each` says
    /// so. Where a type has a mistake, `each` is called once with a name that has no value.
    pub fn for_each_value(
        &mut self,
        bindings: &[ast::Binding],
        place: &str,
        each: &mut dyn FnMut(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((binding, rest)) = bindings.split_first() else {
            return each(self);
        };
        if let Some(collection) = self.collection(binding) {
            return self.for_each_element((binding, rest), &collection, place, each);
        }
        let domain = match binding.ty() {
            Some(ty) => {
                let domain = self.listed_domain(&ty, place);
                self.limit_combinations(domain, &ty)
            }
            None => Domain::unknown(),
        };
        self.declare_bound(binding, &domain, SymbolKind::Bound);
        let Some(name) = binding.name() else {
            return self.for_each_value(rest, place, each);
        };
        let span = self.span(&name);
        let name = name.text();
        let again = rest.iter().filter_map(|binding| binding.name());
        if let Some(again) = again.into_iter().find(|again| again.text() == name) {
            let words = Words::from(format!(
                "`{name}` is bound twice here; another name would mend it"
            ))
            .see(span, "it is bound here first");
            self.error(Code::DuplicateName, self.span(&again), words);
        }
        let combinations = self.combinations;
        if domain.known {
            self.combinations = combinations.saturating_mul(domain.range.size());
        }
        let mut flow = ControlFlow::Continue(());
        for value in domain.bindings() {
            let env = self.env.with(&*name, span, value);
            flow = self.in_scope(&env, |this| this.for_each_value(rest, place, each));
            if self.interrupt.is_due() {
                flow = ControlFlow::Break(());
            }
            if flow.is_break() {
                break;
            }
        }
        self.combinations = combinations;
        flow
    }

    /// A message where the values, combined with those of what is around, are too many.
    fn limit_combinations(&mut self, domain: Domain, ty: &ast::TypeExpr) -> Domain {
        let combinations = self.combinations.saturating_mul(domain.range.size());
        if !domain.known || combinations <= MAX_EXPANSION {
            return domain;
        }
        let message = format!(
            "together with what is around it this goes through {combinations} combinations of values, too many to check; smaller ranges would mend it"
        );
        self.error(Code::TooLarge, self.span(ty), message);
        self.give_up();
        Domain {
            known: false,
            ..domain
        }
    }

    pub(crate) fn quantifier(&mut self, quantifier: &ast::QuantifierExpr) -> Typed {
        let junction = match quantifier.quantifier() {
            Some(Quantifier::Exists) => Junction::Or,
            _ => Junction::And,
        };
        let what = match junction {
            Junction::And => "`forall`",
            Junction::Or => "`exists`",
        };
        let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
        let Some(body) = quantifier.body() else {
            return Typed::opaque(Ty::Bool);
        };
        let condition = quantifier.where_clause().and_then(|it| it.condition());
        let mut joined = Joined::new(junction);
        let outer = self.memberships.len();
        let _ = self.for_each_value(&bindings, what, &mut |this| {
            let mut kept = this.memberships[outer..].to_vec();
            kept.extend(condition.as_ref().map(|it| this.boolean(it, "`where`")));
            let of_value = match kept.is_empty() {
                true => this.boolean(&body, what),
                false => this.restricted(junction, kept, &body, what),
            };
            joined.add(of_value);
            if joined.is_stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        joined.finish()
    }

    /// The body of a quantifier for one value: `where c` means `c implies e` in a `forall` and
    /// `c and e` in an `exists`.
    fn restricted(
        &mut self,
        junction: Junction,
        kept: Vec<Typed>,
        body: &ast::Expr,
        what: &str,
    ) -> Typed {
        let inner = match junction {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        };
        let mut joined = Joined::new(inner);
        for kept in kept {
            joined.add(match junction {
                Junction::And => self.unary(body, Ty::Bool, Unary::Not, kept),
                Junction::Or => kept,
            });
        }
        let body = self.maybe_evaluated(!joined.is_stopped_by_text(), |this| {
            this.boolean(body, what)
        });
        joined.add(body);
        joined.finish()
    }

    pub(crate) fn aggregate(&mut self, aggregate: &ast::AggregateExpr) -> Typed {
        let Some(function) = aggregate.aggregate() else {
            return self.no_aggregate(aggregate);
        };
        let Some(body) = aggregate.body() else {
            return Typed::opaque(Ty::Int);
        };
        let (what, operand) = match function {
            Aggregate::Count => ("`count`", Ty::Bool),
            Aggregate::Sum => ("`sum`", Ty::Int),
            Aggregate::Min => ("`min`", Ty::Int),
            Aggregate::Max => ("`max`", Ty::Int),
        };
        let bindings: Vec<ast::Binding> = aggregate.bindings().collect();
        let condition = aggregate.where_clause().and_then(|it| it.condition());
        let mut parts: Vec<Typed> = Vec::new();
        // Whether a value counts, also of those that are known not to: who decides that decides the whole.
        let mut conditions: Vec<Typed> = Vec::new();
        // Of each part the number of its condition.
        let mut kept_by: Vec<Option<usize>> = Vec::new();
        let outer = self.memberships.len();
        let _ = self.for_each_value(&bindings, what, &mut |this| {
            let is_there = this.memberships[outer..].to_vec();
            let has_any = condition.is_some() || !is_there.is_empty();
            let mut kept = Joined::new(Junction::And);
            is_there.into_iter().for_each(|one| kept.add(one));
            if let Some(condition) = &condition {
                kept.add(this.boolean(condition, "`where`"));
            }
            conditions.extend(has_any.then(|| kept.finish()));
            let kept = has_any.then(|| conditions.len() - 1);
            let is_left_out = kept.is_some_and(|kept| conditions[kept].scalar() == Some(0));
            let value = this.maybe_evaluated(!is_left_out, |this| match operand {
                Ty::Bool => this.boolean(&body, what),
                _ => this.integer(&body, what),
            });
            if !is_left_out {
                parts.push(value);
                kept_by.push(kept);
            }
            ControlFlow::Continue(())
        });
        if conditions.iter().any(Typed::is_open) {
            // Each instance has other parts.
            self.instances_differ();
        }
        let count = conditions.len();
        let all = conditions.into_iter().chain(parts).collect();
        self.folded(aggregate, Ty::Int, all, |mut conditions| {
            let parts = conditions.split_off(count);
            of_some(function, &conditions, kept_by, parts)
        })
    }

    /// `f(x in T: e)` of a name that is no aggregate.
    fn no_aggregate(&mut self, aggregate: &ast::AggregateExpr) -> Typed {
        if let Some(name) = aggregate.name_ref().filter(|name| !name.text().is_empty()) {
            let functions = ["count", "sum", "min", "max"];
            let near = self.nearest(&name.text(), functions);
            let mend = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => String::from("`count`, `sum`, `min` and `max` can"),
            };
            let message = format!("`{}` cannot bind a name; {mend}", name.text());
            let words = Words::instead(message, near);
            self.error(Code::UnknownName, self.span(&name), words);
        }
        let bindings: Vec<ast::Binding> = aggregate.bindings().collect();
        if let Some(body) = aggregate.body() {
            let _ = self.for_each_value(&bindings, "a name", &mut |this| {
                this.expr(&body, None);
                ControlFlow::Break(())
            });
        }
        Typed::unknown()
    }
}

/// An aggregate of the parts whose conditions are true, those without one among them.
fn of_some(
    function: Aggregate,
    conditions: &[Expr],
    kept_by: Vec<Option<usize>>,
    parts: Vec<Expr>,
) -> Expr {
    let otherwise = match function {
        Aggregate::Count | Aggregate::Sum => 0,
        Aggregate::Min => i64::MAX,
        Aggregate::Max => i64::MIN,
    };
    let kept_by = kept_by.into_iter().map(|kept| {
        let condition = kept.map(|kept| &conditions[kept]);
        condition.filter(|condition| **condition != Expr::int(1))
    });
    let kept_by: Vec<Option<&Expr>> = kept_by.collect();
    let of_each = kept_by.iter().zip(parts).map(|(kept, part)| match kept {
        None => part,
        Some(kept) => Expr::If(
            Box::new((*kept).clone()),
            Box::new(part),
            Box::new(Expr::int(otherwise)),
        ),
    });
    let mut of_each: Vec<Expr> = of_each.collect();
    let extreme = match function {
        Aggregate::Count | Aggregate::Sum => {
            // What adds nothing need not be written out.
            of_each.retain(|expr| *expr != Expr::int(0));
            return match function {
                Aggregate::Count => Expr::Count(of_each),
                _ => Expr::Sum(of_each),
            };
        }
        _ if of_each.is_empty() => return Expr::Fail(Failure::NothingToCompare),
        Aggregate::Min => Expr::Min(of_each),
        Aggregate::Max => Expr::Max(of_each),
    };
    let conditions: Option<Vec<Expr>> = kept_by.into_iter().map(|kept| kept.cloned()).collect();
    match conditions {
        None => extreme,
        Some(conditions) => Expr::If(
            Box::new(Expr::Any(conditions)),
            Box::new(extreme),
            Box::new(Expr::Fail(Failure::NothingToCompare)),
        ),
    }
}
