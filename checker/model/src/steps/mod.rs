//! Steps: from clauses to [`Step`]s, one for each value of `for` (`language.md` §4).

pub(crate) mod alphabet;
mod choices;
mod communication;
mod effects;
pub(crate) mod joint;

use stubborn_syntax::ast::{self, HasName};

use crate::body::{Act, MacroScope, Planned};
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Decided};
use crate::names::{Env, SymbolKind};
use crate::problem::Code;
use stubborn_system::source::Span;
use stubborn_system::source_map::Branches;
use stubborn_system::system::{Communication, Effect, Expr, Range};

/// A step for one value of its `for`; where it leads is not said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    pub communication: Option<Communication>,
    pub guard: Option<Expr>,
    pub choices: Vec<Range>,
    pub effects: Vec<Effect>,
    /// Where each `if` among the effects stands.
    pub branches: Branches,
    /// Of a test.
    pub condition: Option<Expr>,
    /// How many effects have been read, those that are never evaluated too.
    size: usize,
}

/// The steps that one step of the text stands for, in the order of the values of its `for`.
pub(crate) fn draw(elaborator: &mut Elaborator, planned: &Planned) -> Vec<Drawn> {
    match planned.call {
        // What is wrong with the macro itself is told where it is declared.
        Some(call) => elaborator.expanding(call, |this| draw_here(this, planned)),
        None => draw_here(elaborator, planned),
    }
}

fn draw_here(elaborator: &mut Elaborator, planned: &Planned) -> Vec<Drawn> {
    elaborator.in_scope(&planned.env, |this| draw_in_scope(this, planned))
}

fn draw_in_scope(elaborator: &mut Elaborator, planned: &Planned) -> Vec<Drawn> {
    elaborator.written = 0;
    match &planned.act {
        Act::Step(step) => {
            let mut drawn = Vec::new();
            let bindings = step.for_bindings();
            let clause = step.for_clause().and_then(|it| it.where_clause());
            each(elaborator, &bindings, &mut |this| {
                if !keeps(this, clause.as_ref()) {
                    return true;
                }
                let one = one(this, step, planned);
                let goes_on = !one.is_too_large();
                drawn.push(one);
                goes_on
            });
            drawn
        }
        Act::Simple { guard, effects } => {
            let mut drawn = Drawn {
                guard: guard
                    .as_ref()
                    .and_then(|guard| condition(elaborator, guard, "`await`")),
                ..Drawn::default()
            };
            drawn.effects(elaborator, effects, &planned.macros);
            vec![drawn]
        }
        Act::Test(test) => {
            let test = test.as_ref().map(|test| elaborator.boolean(test, "a test"));
            vec![Drawn {
                condition: test.map(|test| test.expr),
                ..Drawn::default()
            }]
        }
    }
}

fn one(elaborator: &mut Elaborator, step: &ast::Step, planned: &Planned) -> Drawn {
    let communication = step
        .communication()
        .and_then(|clause| communication::read(elaborator, &clause, step.onward().as_ref()));
    let mut drawn = Drawn {
        communication,
        guard: step
            .guard()
            .and_then(|guard| condition(elaborator, &guard, "`when`")),
        ..Drawn::default()
    };
    drawn.effects(elaborator, &step.effects(), &planned.macros);
    drawn
}

/// A guard; none where it is known to be true.
fn condition(elaborator: &mut Elaborator, guard: &ast::Expr, what: &str) -> Option<Expr> {
    let guard = elaborator.boolean(guard, what).expr;
    (guard != Expr::int(1)).then_some(guard)
}

/// How many combinations of values one `for` may have.
const MOST_COMBINATIONS: u64 = 100_000;

/// What one value of a `for`, or one effect, counts as among all that is written out: reading it
/// takes about as long as reading an expression of so many parts.
const WEIGHT: u64 = 20;

/// Reads something once for each combination of the values of the bindings, the first varying
/// slowest. Stops where `read` gives false, and, with a message, where there are too many.
pub(crate) fn each(
    elaborator: &mut Elaborator,
    bindings: &[ast::Binding],
    read: &mut dyn FnMut(&mut Elaborator) -> bool,
) {
    let mut room = MOST_COMBINATIONS;
    each_within(elaborator, bindings, &mut room, read);
}

/// False where it has been stopped.
fn each_within(
    elaborator: &mut Elaborator,
    bindings: &[ast::Binding],
    room: &mut u64,
    read: &mut dyn FnMut(&mut Elaborator) -> bool,
) -> bool {
    let Some((binding, rest)) = bindings.split_first() else {
        *room = room.saturating_sub(1);
        return read(elaborator);
    };
    let span = elaborator.span(binding);
    for env in values(elaborator, binding) {
        if *room == 0 {
            let message = format!(
                "this `for` has more than {MOST_COMBINATIONS} values, too many to check; \
                     smaller ranges would mend it"
            );
            elaborator.error(Code::TooLarge, span, message);
            return false;
        }
        let mut go_on = |this: &mut Elaborator| each_within(this, rest, room, read);
        if !elaborator.spend(WEIGHT, span) || !elaborator.in_scope(&env, &mut go_on) {
            return false;
        }
    }
    true
}

/// Whether a step, or a branch, is there for the values of what its `for` binds. Its `where` is a
/// constant expression.
pub(crate) fn keeps(elaborator: &mut Elaborator, clause: Option<&ast::WhereClause>) -> bool {
    let Some(condition) = clause.and_then(ast::WhereClause::condition) else {
        return true;
    };
    let typed = elaborator.boolean(&condition, "`where`");
    if typed.constness == Constness::State {
        let quoted = elaborator.quoted(&condition);
        let message = format!(
            "`where` must be constant here, but {quoted} depends on the state; write it in the \
             guard, `when`"
        );
        elaborator.error(Code::NotConstant, elaborator.span(&condition), message);
        return true;
    }
    if typed.is_open() {
        // Each instance has other steps.
        elaborator.instances_differ();
    }
    if let (Some(failure), Some(Decided::Instance)) = (typed.failure().cloned(), typed.known) {
        elaborator.fails(&condition, &failure);
    }
    typed.scalar() != Some(0)
}

/// The environments in which the binding's name has each of its values.
pub(crate) fn values(
    elaborator: &mut Elaborator,
    binding: &ast::Binding,
) -> Box<dyn Iterator<Item = Env>> {
    let (Some(name), Some(ty)) = (binding.name(), binding.ty()) else {
        return Box::new(std::iter::once(elaborator.env.clone()));
    };
    let domain = elaborator.listed_domain(&ty, "what `for` binds");
    let span = elaborator.span(&name);
    let text = name.text();
    elaborator.declare_bound(binding, &domain, SymbolKind::Bound);
    let env = elaborator.env.clone();
    Box::new(
        domain
            .bindings()
            .map(move |binding| env.with(text.clone(), span, binding)),
    )
}

/// A macro by itself, its parameters without values: what is wrong in it is told once, whether it
/// is used or not. `used` is the size of the control flow that was written out before; gives that of
/// the macro.
pub(crate) fn check_macro(
    elaborator: &mut Elaborator,
    declaration: &ast::MacroDecl,
    name: Span,
    scope: &MacroScope,
    used: usize,
) -> usize {
    let Some(block) = declaration.body() else {
        return 0;
    };
    let inner = crate::body::opaque_parameters(elaborator, declaration);
    let scope = scope.within(name, true).by_itself();
    let layout = crate::body::Builder::new(elaborator, inner.file, used)
        .macro_body(&block, name, &inner, &scope);
    if !layout.too_large {
        for arc in &layout.graph.arcs {
            draw(elaborator, &arc.step);
        }
    }
    layout.graph.size()
}
