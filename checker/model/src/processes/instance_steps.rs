//! Steps of one instance, by the arcs of its control flow.

use super::laid_out::LaidOut;
use crate::body::Layout;
use crate::body::graph::{ArcId, Way};
use crate::elaborate::Elaborator;
use crate::names::Binding;
use crate::steps::{self, Drawn};
use stubborn_system::source_map::Branches;
use stubborn_system::system::{Effect, Expr, Place, Step, Target, Value};

/// The steps of an instance by the arcs of its control flow, in the order of the text; those of one
/// arc in the order of the values of its `for`.
pub(super) struct Read {
    pub steps: Vec<(ArcId, Vec<Step>)>,
    /// Beside them, where each `if` among their effects stands.
    pub branches: Vec<Vec<Branches>>,
    /// How many steps that can be taken there was room for.
    pub room: usize,
    /// Some are missing, since there are more.
    pub is_cut_short: bool,
}

/// Reads what the steps of an instance do, with the names that are around each of them.
pub(super) fn read(elaborator: &mut Elaborator, laid_out: &LaidOut, room: usize) -> Read {
    let Layout {
        graph, locations, ..
    } = &*laid_out.layout;
    let mut read = Read {
        steps: Vec::new(),
        branches: Vec::new(),
        room,
        is_cut_short: false,
    };
    if laid_out.layout.too_large {
        return read;
    }
    // By text, then by values: the branches of an `either for` have one text.
    let mut order: Vec<ArcId> = (0..graph.arcs.len()).collect();
    order.sort_by_key(|number| {
        let step = &graph.arcs[*number].step;
        step.call.unwrap_or(step.span).start
    });
    elaborator.own_variables = own_variables(laid_out);
    let to = |node| graph.location(locations, node).unwrap_or(0);
    let mut count = 0;
    for number in order {
        read.is_cut_short = count > room;
        if read.is_cut_short || elaborator.interrupt.is_due() {
            break;
        }
        let arc = &graph.arcs[number];
        let mut drawn = steps::draw(elaborator, &arc.step);
        let branches = drawn
            .iter_mut()
            .map(|one| std::mem::take(&mut one.branches));
        read.branches.push(branches.collect());
        let steps: Vec<Step> = drawn
            .into_iter()
            .map(|drawn| finish(drawn, &arc.way, &to))
            .collect();
        if locations.taken[number] {
            count += steps.len();
        }
        read.steps.push((number, steps));
    }
    read
}

/// Assignments that give the variables of an instance their initial values: the effect `reset`.
fn own_variables(laid_out: &LaidOut) -> Vec<Effect> {
    let locals = laid_out.locals.iter().filter_map(|local| {
        let Some((Binding::Variable { variable, .. }, _)) = laid_out.env.lookup(&local.name) else {
            return None;
        };
        let ty = local.declared.system.clone();
        Some(Effect::Assign {
            place: Place {
                variable: *variable,
                path: Vec::new(),
                ty: ty.clone(),
            },
            ty,
            value: Expr::Const(local.initial.clone()),
        })
    });
    locals.collect()
}

/// The step with where it leads. What literals and constants alone keep from being taken leads to
/// places that may not exist; where it is said to lead does not matter.
fn finish(drawn: Drawn, way: &Way, to: &dyn Fn(usize) -> u32) -> Step {
    let target = match *way {
        Way::To(node) => Target::To(to(node)),
        // Of `-> same` each location has a step of its own, which leads back to it.
        Way::Same | Way::Nowhere => Target::To(0),
        Way::Test {
            then, otherwise, ..
        } => Target::Test(
            drawn.condition.unwrap_or(Expr::Const(Value::Int(1))),
            to(then),
            to(otherwise),
        ),
    };
    Step {
        communication: drawn.communication,
        guard: drawn.guard,
        choices: drawn.choices,
        effects: drawn.effects,
        target,
    }
}
