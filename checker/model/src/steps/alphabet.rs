//! Alphabets: the actions that an instance takes part in (`language.md` §4).

use rustc_hash::FxHashSet;
use stubborn_syntax::ast;

use crate::declarations::{ActionInfo, advance};
use crate::elaborate::Elaborator;
use crate::expressions::typed::Constness;
use crate::problem::Code;
use crate::processes::LaidOut;
use crate::spans::span_of;
use stubborn_system::source::FileId;
use stubborn_system::system::{ActionId, ActionPattern, Range};

/// The alphabet of one instance.
#[derive(Debug, Default)]
pub(crate) struct Alphabet {
    patterns: Vec<ActionPattern>,
    known: FxHashSet<(ActionId, Vec<Option<i64>>)>,
}

/// How many actions are looked at one by one.
const MOST_ACTIONS: u64 = 10_000;

impl Alphabet {
    /// The actions that a step mentions.
    pub fn step(&mut self, action: ActionId, arguments: Vec<Option<i64>>) {
        if self.known.insert((action, arguments.clone())) {
            self.patterns.push(ActionPattern { action, arguments });
        }
    }

    /// The actions of the `alphabet` lines, with a warning for one that the instance has no step
    /// for. All steps have been added before.
    pub fn lines(
        &mut self,
        elaborator: &mut Elaborator,
        file: FileId,
        body: Option<&ast::Body>,
        laid_out: &LaidOut,
    ) {
        let Some(body) = body else { return };
        let steps = self.patterns.clone();
        let known = self.known.clone();
        for event in body.alphabet() {
            let pattern = elaborator.in_scope(&laid_out.env, |this| mention(this, &event));
            let Some(pattern) = pattern else {
                continue;
            };
            // What a step has is not looked for among all others.
            let is_known = known.contains(&(pattern.action, pattern.arguments.clone()));
            let missing = (!is_known).then(|| uncovered(elaborator, &pattern, &steps));
            let missing = missing.flatten();
            // Where its control flow has a mistake, the step may just not have been read.
            if let Some(missing) = missing
                && !laid_out.layout.mistaken
            {
                let message = format!(
                    "`{}` has `{missing}` in its alphabet and no step for it, so that nobody \
                         can ever take it; give it a step, or leave it out here",
                    laid_out.name
                );
                elaborator.warning(Code::ActionNeverTaken, span_of(file, &event), message);
            }
            self.step(pattern.action, pattern.arguments);
        }
    }

    /// The actions that are listed, whether there is a step for them or not.
    pub fn mentioned(&mut self, elaborator: &mut Elaborator, events: &[ast::Event]) {
        for event in events {
            if let Some(pattern) = mention(elaborator, event) {
                self.step(pattern.action, pattern.arguments);
            }
        }
    }

    pub fn into_patterns(self) -> Vec<ActionPattern> {
        let all = self.patterns;
        let wild: Vec<&ActionPattern> = all
            .iter()
            .filter(|pattern| pattern.arguments.contains(&None))
            .collect();
        let covered = |pattern: &ActionPattern| {
            wild.iter()
                .any(|other| *other != pattern && covers(other, pattern))
        };
        // Long lists are left as they are.
        if wild.len() > 100 {
            return all;
        }
        all.iter()
            .filter(|pattern| !covered(pattern))
            .cloned()
            .collect()
    }
}

/// An action in an `alphabet` or `visible` line.
pub(crate) fn mention(elaborator: &mut Elaborator, event: &ast::Event) -> Option<ActionPattern> {
    let span = elaborator.span(event);
    let name = event.name_ref()?;
    if event.at_token().is_some() {
        let message = "actions are listed here, not the places of a process";
        elaborator.error(Code::Misplaced, span, message);
        return None;
    }
    let action = elaborator.action(&name)?;
    let given: Vec<ast::Argument> = event
        .arg_list()
        .map(|list| list.arguments().collect())
        .unwrap_or_default();
    if !elaborator.right_number_or(&name, action.arguments.len(), "; `*` stands for any value") {
        return None;
    }
    let mut arguments = Vec::new();
    for (position, (argument, domain)) in given.iter().zip(&action.arguments).enumerate() {
        arguments.push(match argument {
            ast::Argument::Wild(_) => None,
            ast::Argument::Bind(bind) => {
                let message = "nothing is received here; `*` stands for every value";
                elaborator.error(Code::Misplaced, elaborator.span(bind), message);
                None
            }
            ast::Argument::Expr(expr) => constant_argument(
                elaborator,
                expr,
                domain,
                (&argument_of(&action, position), STAR),
            )?,
        });
    }
    Some(ActionPattern {
        action: action.id,
        arguments,
    })
}

/// What stands for every value of an argument.
pub(crate) const STAR: &str = "`*`";

/// The value of an argument that must be constant; `Some(None)` where it is one without a value. A message says what
/// stands there `for_every` value.
pub(crate) fn constant_argument(
    elaborator: &mut Elaborator,
    expr: &ast::Expr,
    domain: &crate::types::Domain,
    (what, for_every): (&str, &str),
) -> Option<Option<i64>> {
    let typed = elaborator.action_argument(expr, &domain.declared(), what);
    if typed.failure().is_some() || typed.ty.is_unknown() {
        return None;
    }
    if typed.constness == Constness::State {
        let quoted = elaborator.quoted(expr);
        let message = format!(
            "{quoted} depends on the state; a constant can stand here, or {for_every} for every value"
        );
        elaborator.error(Code::NotConstant, elaborator.span(expr), message);
        return None;
    }
    // A value outside its type has its message.
    let value = typed.scalar();
    let is_outside = value.is_some_and(|value| domain.known && !domain.range.contains(value));
    (!is_outside).then_some(value)
}

/// As a message speaks of it: the argument of `a`, argument 2 of `a`.
pub(crate) fn argument_of(action: &ActionInfo, position: usize) -> String {
    part_of(
        &format!("`{}`", action.name),
        action.arguments.len(),
        position,
        "argument",
    )
}

pub(crate) fn part_of(whole: &str, parts: usize, position: usize, word: &str) -> String {
    match parts {
        1 => format!("the {word} of {whole}"),
        _ => format!("{word} {} of {whole}", position + 1),
    }
}

/// Whether everything that `inner` stands for is among what `outer` stands for.
fn covers(outer: &ActionPattern, inner: &ActionPattern) -> bool {
    outer.action == inner.action
        && outer
            .arguments
            .iter()
            .zip(&inner.arguments)
            .all(|(outer, inner)| outer.is_none() || outer == inner)
}

/// As it is shown: `a(1,*)`, with `*` for a value that is not given.
pub(crate) fn shown(
    elaborator: &mut Elaborator,
    action: ActionId,
    values: &[Option<i64>],
) -> String {
    let source = &elaborator.actions().1[action as usize];
    if values.is_empty() {
        return source.name.clone();
    }
    let values: Vec<String> = values
        .iter()
        .zip(&source.arguments)
        .map(|(value, shape)| value.map_or_else(|| String::from("*"), |v| shape.scalar(v)))
        .collect();
    format!("{}({})", source.name, values.join(","))
}

/// An action of the pattern, as it is shown, that none of the others stands for.
pub(crate) fn uncovered(
    elaborator: &mut Elaborator,
    pattern: &ActionPattern,
    others: &[ActionPattern],
) -> Option<String> {
    let near: Vec<&ActionPattern> = others
        .iter()
        .filter(|other| {
            other.action == pattern.action
                && other
                    .arguments
                    .iter()
                    .zip(&pattern.arguments)
                    .all(|(a, b)| a.is_none() || b.is_none() || a == b)
        })
        .collect();
    if near.iter().any(|other| covers(other, pattern)) {
        return None;
    }
    if near.is_empty() {
        return Some(shown(elaborator, pattern.action, &pattern.arguments));
    }
    let actions = elaborator.actions().0;
    let ranges: Vec<Range> = pattern
        .arguments
        .iter()
        .zip(&actions[pattern.action as usize].arguments)
        .map(|(value, range)| value.map_or(*range, |v| Range { lo: v, hi: v }))
        .collect();
    let count = ranges
        .iter()
        .fold(1_u64, |product, range| product.saturating_mul(range.size()));
    if count.saturating_mul(near.len() as u64) > MOST_ACTIONS * 100 {
        return None;
    }
    let mut values: Vec<i64> = ranges.iter().map(|range| range.lo).collect();
    loop {
        let taken = near.iter().any(|other| {
            other
                .arguments
                .iter()
                .zip(&values)
                .all(|(a, value)| a.is_none_or(|a| a == *value))
        });
        if !taken {
            let values: Vec<Option<i64>> = values.into_iter().map(Some).collect();
            return Some(shown(elaborator, pattern.action, &values));
        }
        if !advance(&mut values, ranges.iter().copied()) {
            return None;
        }
    }
}
