//! `bound NAME: e`: the states without `e` are not expanded.
//!
//! A bound counts for all properties of the model and of its testers, and for `explore`. So an error
//! in one takes away the model: without it other states would be searched.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::ItemId;
use crate::names::declarations::Losses;
use crate::problem::Code;
use crate::spans::first_token;
use stubborn_system::source_map::BoundSource;
use stubborn_system::system::Expr;

use super::values::name_of;

/// No model has more bounds.
const MOST_BOUNDS: usize = 64;

/// A bound, with the item that states it.
pub(crate) struct Bound {
    pub item: ItemId,
    pub source: BoundSource,
    pub expr: Expr,
}

/// Reads the bounds, in the order of the text.
pub(crate) fn bounds(elaborator: &mut Elaborator) -> Vec<Bound> {
    let mut found: Vec<Bound> = Vec::new();
    for item in elaborator.items().iter() {
        let ast::Item::Bound(ast) = &item.ast else {
            continue;
        };
        elaborator.owned_by(item.id, |this| {
            if this.program.file(item.file).is_tester() {
                let span = first_token(item.file, &item.ast);
                let message = "a `bound` belongs to a model, not to a tester file; move it to the model's file";
                this.error(Code::Misplaced, span, message);
            }
            let named = name_of(this, ast);
            let (Some((name, span)), Some(condition)) = (named, ast.condition()) else {
                return;
            };
            let expr = this.boolean(&condition, "a bound").expr;
            if found.len() == MOST_BOUNDS {
                let message = format!(
                    "a model has no more than {MOST_BOUNDS} bounds; join some of them with `and`"
                );
                this.error(Code::TooLarge, span, message);
            }
            found.push(Bound {
                item: item.id,
                source: BoundSource { name, span },
                expr,
            });
        });
    }
    found
}

/// Whether an error leaves a bound without a meaning.
pub(crate) fn is_lost(bounds: &[Bound], losses: &Losses) -> bool {
    bounds.iter().any(|one| losses.items.contains(&one.item))
}
