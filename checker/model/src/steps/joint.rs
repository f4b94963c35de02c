//! Participants of one joint step that touch the same variable (`language.md` §4).
//!
//! The effects and the `?` of two participants may not touch the same shared variable if one of
//! them writes it, since they would happen in no order that the text gives. Whether the two can
//! ever be ready at once is not asked: only their constant arguments may keep them apart.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::interrupt::Interrupt;
use stubborn_system::footprint::{self, Part, Thing, Touch};
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{ActionId, Argument, Communication, Expr, InstanceId, Step, Value};

/// An `on` step of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Participant {
    pub instance: InstanceId,
    /// The step of the text.
    pub span: Span,
    pub action: ActionId,
    /// The constant arguments.
    pub arguments: Vec<Option<i64>>,
    pub touches: Vec<Touch>,
}

/// Two steps of the text that meet and touch the same variable.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub action: ActionId,
    /// The one that writes.
    pub writer: (InstanceId, Span),
    pub other: (InstanceId, Span),
    /// What is written.
    pub written: Touch,
    /// Whether the other writes it too.
    pub both_write: bool,
}

/// How many pairs are compared at most.
const MOST_COMPARISONS: u64 = 50_000_000;

/// The constant arguments of an `on` clause.
pub(crate) fn constant_arguments(arguments: &[Argument]) -> Vec<Option<i64>> {
    arguments
        .iter()
        .map(|argument| match argument {
            Argument::Match(Expr::Const(Value::Int(value))) => Some(*value),
            _ => None,
        })
        .collect()
}

/// The step as a participant of a joint step, if it is one.
pub(crate) fn participant(instance: InstanceId, step: &Step, span: Span) -> Option<Participant> {
    let Some(Communication::On { action, arguments }) = &step.communication else {
        return None;
    };
    let mut touches = Vec::new();
    let mut known = FxHashSet::default();
    // Nothing else can change while a joint step is taken.
    let mut add = |touch: Touch| {
        if matches!(touch.thing, Thing::Variable(_)) && known.insert(touch.clone()) {
            touches.push(touch);
        }
    };
    // Their indices are evaluated before, as all other arguments and the guard are.
    for argument in arguments {
        if let Argument::Bind(place) = argument {
            add(footprint::of_place(place));
        }
    }
    footprint::of_effects(&step.effects, &mut add);
    Some(Participant {
        instance,
        span,
        action: *action,
        arguments: constant_arguments(arguments),
        touches,
    })
}

/// The part of a variable of this shape, as it is shown after the variable's name.
pub(crate) fn path_text(path: &[Part], shape: &Shape) -> String {
    let mut text = String::new();
    let mut shape = Some(shape);
    for part in path {
        let (shown, inner) = match (part, shape) {
            (Part::Field(field), Some(Shape::Record(fields))) => {
                match fields.get(*field as usize) {
                    Some((name, shape)) => (format!(".{name}"), Some(shape)),
                    None => (String::new(), None),
                }
            }
            (Part::Cell(index), Some(Shape::Array(index_shape, cell))) => {
                let index = index.map_or_else(|| String::from("…"), |at| index_shape.scalar(at));
                (format!("[{index}]"), Some(&**cell))
            }
            _ => (String::new(), None),
        };
        text += &shown;
        shape = inner;
    }
    text
}

/// One touch of one participant.
struct Entry<'a> {
    participant: &'a Participant,
    touch: &'a Touch,
    /// What keeps entries apart: two that differ where both have a value never meet.
    keys: Vec<Option<i64>>,
}

/// All conflicts, one for each pair of steps of the text, or `Err` with the action for which there
/// are too many steps to compare.
pub(crate) fn conflicts(
    participants: &[Participant],
    interrupt: &Interrupt<'_>,
) -> Result<Vec<Conflict>, ActionId> {
    conflicts_within(MOST_COMPARISONS, participants, interrupt)
}

fn conflicts_within(
    most_comparisons: u64,
    participants: &[Participant],
    interrupt: &Interrupt<'_>,
) -> Result<Vec<Conflict>, ActionId> {
    let mut touched: FxHashMap<(ActionId, Thing), Vec<Entry>> = FxHashMap::default();
    for participant in participants {
        for touch in &participant.touches {
            let mut keys = participant.arguments.clone();
            keys.push(match touch.path.first() {
                Some(Part::Field(field)) => Some(i64::from(*field)),
                Some(Part::Cell(index)) => *index,
                None => None,
            });
            touched
                .entry((participant.action, touch.thing))
                .or_default()
                .push(Entry {
                    participant,
                    touch,
                    keys,
                });
        }
    }
    let mut touched: Vec<_> = touched.into_iter().collect();
    touched.sort_unstable_by_key(|(key, _)| *key);
    let mut search = Search {
        interrupt,
        conflicts: Vec::new(),
        found: FxHashSet::default(),
        last: None,
        comparisons: 0,
        most_comparisons,
    };
    for ((action, _), entries) in &touched {
        let writers: Vec<&Entry> = entries.iter().filter(|entry| entry.touch.writes).collect();
        let all: Vec<&Entry> = entries.iter().collect();
        if writers.is_empty() || !search.meet(&writers, &all, 0) {
            if writers.is_empty() {
                continue;
            }
            return Err(*action);
        }
    }
    Ok(search.conflicts)
}

struct Search<'i> {
    interrupt: &'i Interrupt<'i>,
    conflicts: Vec<Conflict>,
    found: FxHashSet<(Span, Span)>,
    /// The pair that was found last.
    last: Option<(Span, Span)>,
    comparisons: u64,
    most_comparisons: u64,
}

impl Search<'_> {
    /// Compares each of `writers` with each of `others` that it can meet; they agree in the keys
    /// before `depth`. False where there are too many.
    fn meet(&mut self, writers: &[&Entry], others: &[&Entry], depth: usize) -> bool {
        if writers.is_empty() || others.is_empty() {
            return true;
        }
        if depth == writers[0].keys.len() {
            return self.compare(writers, others);
        }
        let (writers_free, writers_by) = split(writers, depth);
        let (others_free, others_by) = split(others, depth);
        let fixed: Vec<&Entry> = others
            .iter()
            .copied()
            .filter(|entry| entry.keys[depth].is_some())
            .collect();
        let mut values: Vec<&i64> = writers_by.keys().collect();
        values.sort_unstable();
        for value in values {
            let writers = &writers_by[value];
            let with = others_by.get(value).map_or(&[][..], Vec::as_slice);
            if !self.meet(writers, with, depth + 1) || !self.meet(writers, &others_free, depth + 1)
            {
                return false;
            }
        }
        self.meet(&writers_free, &fixed, depth + 1)
            && self.meet(&writers_free, &others_free, depth + 1)
    }

    fn compare(&mut self, writers: &[&Entry], others: &[&Entry]) -> bool {
        for writer in writers {
            if self.interrupt.is_due() {
                return true;
            }
            for other in others {
                self.comparisons += 1;
                if self.comparisons > self.most_comparisons {
                    return false;
                }
                let (one, two) = (writer.participant, other.participant);
                if self.last == Some((one.span, two.span)) {
                    continue;
                }
                if one.instance == two.instance || !writer.touch.meets(other.touch) {
                    continue;
                }
                let pair = (one.span.min(two.span), one.span.max(two.span));
                self.last = Some((one.span, two.span));
                if self.found.insert(pair) {
                    self.conflicts.push(Conflict {
                        action: one.action,
                        writer: (one.instance, one.span),
                        other: (two.instance, two.span),
                        written: writer.touch.clone(),
                        both_write: other.touch.writes,
                    });
                }
            }
        }
        true
    }
}

type Entries<'e, 'a> = Vec<&'e Entry<'a>>;

/// The entries without a value for the key, and those of each value.
fn split<'e, 'a>(
    entries: &[&'e Entry<'a>],
    depth: usize,
) -> (Entries<'e, 'a>, FxHashMap<i64, Entries<'e, 'a>>) {
    let mut free = Vec::new();
    let mut by: FxHashMap<i64, Entries<'e, 'a>> = FxHashMap::default();
    for entry in entries {
        match entry.keys[depth] {
            None => free.push(*entry),
            Some(value) => by.entry(value).or_default().push(entry),
        }
    }
    (free, by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_system::source::FileId;

    #[test]
    fn as_many_pairs_as_allowed_are_compared() {
        let touch = Touch {
            thing: Thing::Variable(stubborn_system::system::VariableRef::Shared(0)),
            path: Vec::new(),
            writes: true,
        };
        let participant = |instance: InstanceId| Participant {
            instance,
            span: Span::new(FileId(0), 0, 0),
            action: 7,
            arguments: Vec::new(),
            touches: vec![touch.clone()],
        };
        // Each of three is compared with each.
        let participants = [0, 1, 2].map(participant);
        let compared = |most| {
            let found = conflicts_within(most, &participants, &Interrupt::new(&|| false));
            found.map(|conflicts| conflicts.len())
        };
        assert_eq!([8, 9, 10].map(compared), [Err(7), Ok(1), Ok(1)]);
    }
}
