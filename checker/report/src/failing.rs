//! Why a step fails, and at which of its effects.

use stubborn_engine::interpreter::evaluate;
use stubborn_engine::{State, TraceStep};
use stubborn_syntax::ast::{AstNode, CallStmt};
use stubborn_syntax::{SyntaxKind, SyntaxNode, parse};
use stubborn_system::source::Span;
use stubborn_system::system::{Communication, Effect, Failure, Value, VariableRef};

use super::about::About;
use super::effects::{Fails, go_through, leaves};
use super::place::Place;
use super::state::range_of_cell;

/// What is longer says no more than the step itself.
const LONGEST: usize = 60;

/// What is told of a step that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failing {
    /// "the value 3 is outside 0..2, the type of `node(0).tokens`", behind the effect where that is one of several.
    pub why: String,
    /// The effect that fails, or the step whose it is.
    pub place: Place,
}

/// Tells why a step that is taken in `before` fails; nothing of one that does not.
pub(super) fn failing(about: About<'_>, before: &State, taken: &TraceStep) -> Option<Failing> {
    let About { system, map, texts } = about;
    let why = taken.failure.as_ref()?;
    let gone = go_through(system, before, taken);
    let participant = gone.fails.as_ref().map_or(0, |fails| fails.participant);
    let at = taken.participants.get(participant);
    let span = at.map(|(instance, step)| map.step(*instance, *step));
    let place = |span: Option<Span>| span.map_or_else(Place::nowhere, |span| texts.place(span));
    let Some(fails) = gone.fails else {
        return Some(Failing {
            why: field_outside(about, before, taken).unwrap_or_else(|| failure(why)),
            place: place(span),
        });
    };
    let mut told = told_of(about, why, &fails);
    let effect = span.and_then(|span| effect_in_text(about, taken, &fails, span));
    if let (Some(effect), Some(span)) = (effect, span) {
        let text = texts.excerpt(effect, LONGEST);
        let is_one_of_several = text != texts.excerpt(span, LONGEST);
        if is_one_of_several && !told.starts_with('`') {
            told = format!("`{text}`: {told}");
        }
    }
    Some(Failing {
        why: told,
        place: place(effect.or(span)),
    })
}

fn told_of(about: About<'_>, why: &Failure, fails: &Fails<'_>) -> String {
    let told = failure(why);
    match (why, &fails.outside) {
        (Failure::OutsideType { .. }, Some((variable, path))) => {
            let range = range_of_cell(about.system, about.map, *variable, path);
            format!("{told}, {range}")
        }
        _ => told,
    }
}

/// "the value 5 is outside 1..4, the type of `term` in a message of `link`", of what a step sends.
fn field_outside(about: About<'_>, before: &State, taken: &TraceStep) -> Option<String> {
    let (instance, step) = taken.participants.first()?;
    let step = &about.system.instances[*instance as usize].steps[*step as usize];
    let Some(Communication::Send { channel, values }) = &step.communication else {
        return None;
    };
    let kind = &about.system.channels[channel.first() as usize];
    let source = about.map.channels.get(channel.first() as usize)?;
    let fields = values.iter().zip(&kind.message).zip(source.scalars());
    for ((value, range), (field, _)) in fields {
        let Value::Int(value) = evaluate(about.system, before, value).ok()? else {
            return None;
        };
        if range.contains(value) {
            continue;
        }
        let (lo, hi) = (range.lo, range.hi);
        let why = Failure::OutsideType { value, lo, hi };
        let is_named = taken.failure.as_ref() == Some(&why) && !field.is_empty();
        return is_named.then(|| {
            let name = source.name.split('[').next().unwrap_or(&source.name);
            let field = field.trim_start_matches('.');
            let told = failure(&why);
            format!("{told}, the type of `{field}` in a message of `{name}`")
        });
    }
    None
}

/// Where in the text of a step the effect stands that fails, if only one can be meant: a `for` and what is constant
/// have made others of the effects of the text, and those of a macro stand elsewhere.
fn effect_in_text(
    about: About<'_>,
    taken: &TraceStep,
    fails: &Fails<'_>,
    span: Span,
) -> Option<Span> {
    let (instance, step) = taken.participants.get(fails.participant)?;
    let step = &about.system.instances[*instance as usize].steps[*step as usize];
    let effect = fails.effect?;
    let (kind, name) = match effect {
        Effect::Assign { place, .. } => (
            SyntaxKind::ASSIGNMENT,
            Some(name_of(about, place.variable)?),
        ),
        Effect::Assert(_) => (SyntaxKind::ASSERT_STMT, None),
        Effect::If(..) => return None,
    };
    let nodes = nodes_in(about, span)?;
    if nodes.iter().any(|node| CallStmt::can_cast(node.kind())) {
        return None;
    }
    let begins_with = |node: &SyntaxNode, name: &str| {
        let first = node.first_token();
        first.is_some_and(|token| token.text() == name)
    };
    let nodes: Vec<&SyntaxNode> = nodes
        .iter()
        .filter(|node| node.kind() == kind)
        .filter(|node| name.is_none_or(|name| begins_with(node, name)))
        .collect();
    let mut alike = leaves(&step.effects);
    alike.retain(|one| are_alike(one, effect));
    let number = alike.iter().position(|one| std::ptr::eq(*one, effect))?;
    let range = match nodes[..] {
        [one] => one,
        _ if nodes.len() == alike.len() => nodes[number],
        _ => return None,
    }
    .text_range();
    Some(Span {
        file: span.file,
        start: range.start().into(),
        end: range.end().into(),
    })
}

/// Whether two effects cannot be told apart by what they are about.
fn are_alike(one: &Effect, other: &Effect) -> bool {
    match (one, other) {
        (Effect::Assign { place: one, .. }, Effect::Assign { place: other, .. }) => {
            one.variable == other.variable
        }
        (Effect::Assert(_), Effect::Assert(_)) => true,
        _ => false,
    }
}

/// What a variable is called where it is assigned to.
pub(super) fn name_of<'a>(about: About<'a>, variable: VariableRef) -> Option<&'a str> {
    let source = match variable {
        VariableRef::Shared(at) => about.map.variables.get(at as usize)?,
        VariableRef::Local(instance, at) => {
            let owner = about.map.instances.get(instance as usize)?;
            owner.locals.get(at as usize)?
        }
    };
    Some(&source.name)
}

/// What the tree of the text has within a span, in the order of the text.
fn nodes_in(about: About<'_>, span: Span) -> Option<Vec<SyntaxNode>> {
    let text = about.texts.text_of(about.texts.path(span.file))?;
    let root = parse(text).syntax();
    let is_within = |node: &SyntaxNode| {
        let range = node.text_range();
        u32::from(range.start()) >= span.start && u32::from(range.end()) <= span.end
    };
    Some(root.descendants().filter(is_within).collect())
}

/// Why an evaluation has no value, as the end of a sentence.
pub fn failure(failure: &Failure) -> String {
    match failure {
        Failure::OutsideType { value, lo, hi } => {
            format!("the value {value} is outside {lo}..{hi}")
        }
        Failure::OutsideArray { index, lo, hi } => {
            format!("the index {index} is outside the array's {lo}..{hi}")
        }
        Failure::NoSuchInstance { value } => {
            format!("there is no instance for the value {value}")
        }
        Failure::DivisionByZero => "a division by zero".to_owned(),
        Failure::Overflow => "a number that does not fit into 64 bits".to_owned(),
        Failure::ShiftOutside { by } => {
            format!("a shift by {by}, which is not in 0..63")
        }
        Failure::NoElement { index, length } => {
            let has = match length {
                0 => "an empty list".to_owned(),
                1 => "a list of 1, whose index is 0".to_owned(),
                _ => format!("a list of {length}, whose indices are 0..{}", length - 1),
            };
            format!("there is no element {index} in {has}")
        }
        Failure::ListIsFull { room } => {
            let elements = match room {
                1 => "element",
                _ => "elements",
            };
            format!("the list has room for {room} {elements}, and there would be more")
        }
        Failure::Assertion => "an assertion is false".to_owned(),
        Failure::NothingToCompare => {
            "`min` or `max` has no value: `where` leaves out every one".to_owned()
        }
        Failure::LeftOut => {
            "there is no instance for these values: `where` leaves it out".to_owned()
        }
    }
}
