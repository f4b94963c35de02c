//! What the steps of an instance come to at one location and with one valuation of its local
//! variables, worked out once and then used for every state in which it is there.
//!
//! Most of a guard, and most of an effect, is about the instance's own variables. What is left
//! reads and writes the shared ones alone, often in a single test and a single assignment to a
//! word.

use stubborn_system::system::{ActionId, InstanceId, StepId};

use super::body::{Body, Pattern};
use super::code::Code;
use super::joint_step::OnStep;
use super::key::Key;
use super::plain::PlainStep;
use super::specialise::Known;
use super::{Packed, StepRef};
use crate::numbering::Numbering;
use crate::pays::Pays;

/// For each instance, the valuations that were met so far.
pub struct Memo {
    instances: Vec<Valuations>,
    /// How many valuations more may be kept.
    room: u32,
    /// Memory in use.
    bytes: u64,
}

/// Valuations are worked out when they are met again, and no more than this in all: where there
/// are very many, each is met seldom and costs more than it saves.
const MOST_VALUATIONS: u32 = 1 << 15;
const MEETINGS_BEFORE: u32 = 2;

/// Most valuations of all instances that have a place of their own, visited or not; these are found
/// without a hash table.
const MOST_PLACES: u64 = 1 << 12;

struct Valuations {
    key: Key,
    /// Number of times that steps were asked for, and whether it pays to look them up.
    asked: u64,
    pays: Pays,
    /// Of the keys, as indices in `entries`; empty where the key is the index.
    numbers: Numbering,
    entries: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    meetings: u32,
    steps: Option<Left>,
}

/// What is left of the steps at one location.
pub struct Left {
    steps: Box<[Residual]>,
    /// Of each, its number among the location's steps.
    numbers: Box<[u32]>,
}

impl Left {
    /// The steps, each with its number among the location's steps.
    #[inline]
    pub fn steps(&self) -> impl Iterator<Item = (&Residual, usize)> {
        let numbers = self.numbers.iter().map(|number| *number as usize);
        self.steps.iter().zip(numbers)
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64 {
        let numbers = size_of_val(&*self.numbers) as u64;
        self.steps.iter().map(Residual::bytes).sum::<u64>() + numbers
    }
}

/// What is left of a step.
pub enum Residual {
    Plain(PlainStep),
    /// A step that is taken as ever.
    Whole(StepRef),
}

impl Residual {
    /// Memory that it takes, in bytes.
    fn bytes(&self) -> u64 {
        let apart = match self {
            Residual::Plain(step) => step.bytes_apart(),
            Residual::Whole(_) => 0,
        };
        size_of::<Residual>() as u64 + apart
    }
}

impl Memo {
    pub fn new(packed: &Packed<'_>) -> Memo {
        Memo::within(MOST_VALUATIONS, MOST_PLACES, packed)
    }

    fn within(room: u32, mut places: u64, packed: &Packed<'_>) -> Memo {
        let instances = packed.instances.iter().map(|instance| {
            let key = Key::of_slots(&instance.own).or_index(&mut places);
            let entries = match key {
                Key::Index { mask, .. } => (0..=mask).map(|_| Entry::default()).collect(),
                _ => Vec::new(),
            };
            Valuations {
                key,
                asked: 0,
                pays: Pays::at_once(),
                numbers: Numbering::default(),
                entries,
            }
        });
        let mut memo = Memo {
            instances: instances.collect(),
            room,
            bytes: 0,
        };
        memo.bytes = memo.instances.iter().map(Valuations::bytes).sum();
        memo
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The steps of an instance in `state`, if they have been worked out.
    #[inline]
    pub fn steps(&mut self, packed: &Packed<'_>, instance: usize, state: &[u64]) -> Option<&Left> {
        let valuations = &mut self.instances[instance];
        valuations.asked += 1;
        if valuations.pays.rests(valuations.asked) {
            return None;
        }
        let key = valuations.key.of_state(state)?;
        match valuations.find(key) {
            Some(entry) => {
                let entry = &mut valuations.entries[entry];
                if entry.steps.is_none() {
                    entry.meetings += 1;
                    if entry.meetings >= MEETINGS_BEFORE {
                        let steps = work_out(packed, instance, state);
                        self.bytes += steps.bytes();
                        entry.steps = Some(steps);
                    }
                }
                entry.steps.as_ref()
            }
            None => {
                if valuations.pays.misses(valuations.asked) {
                    let before = valuations.bytes();
                    self.room += valuations.clear();
                    self.bytes -= before - valuations.bytes();
                } else if self.room > 0 {
                    self.room -= 1;
                    self.bytes += valuations.add(key);
                }
                None
            }
        }
    }
}

impl Valuations {
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        match self.key {
            Key::Index { .. } => Some(key as usize),
            _ => self.numbers.find(key).map(|number| number as usize),
        }
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64 {
        let steps = self.entries.iter().filter_map(|entry| entry.steps.as_ref());
        let entries = self.entries.capacity() * size_of::<Entry>();
        self.numbers.bytes() + entries as u64 + steps.map(Left::bytes).sum::<u64>()
    }

    /// Forgets all valuations, which have no place of their own; returns how many there were.
    fn clear(&mut self) -> u32 {
        self.numbers = Numbering::default();
        std::mem::take(&mut self.entries).len() as u32
    }

    /// Adds a valuation; returns how many bytes more are in use.
    fn add(&mut self, key: u64) -> u64 {
        let bytes = |all: &Valuations| {
            all.numbers.bytes() + (all.entries.capacity() * size_of::<Entry>()) as u64
        };
        let before = bytes(self);
        self.numbers.add(key);
        self.entries.push(Entry {
            meetings: 1,
            steps: None,
        });
        bytes(self) - before
    }
}

/// The steps of an instance for all states in which it is where it is in this one, with these
/// values of its local variables.
fn work_out(packed: &Packed<'_>, instance: usize, state: &[u64]) -> Left {
    let instance = &packed.instances[instance];
    let location = &instance.locations[instance.location.raw(state) as usize];
    let mut known = Known::nothing(&packed.layout);
    for slot in &instance.own {
        known.learn(*slot, slot.raw(state));
    }
    let residual = |step: &StepRef| {
        let (who, action, body) = match step {
            StepRef::On(on) => match alone(packed, &packed.on[*on as usize], &known) {
                Alone::Never => return None,
                Alone::WithOthers => return Some(Residual::Whole(*step)),
                Alone::Always(who, action, body) => (who, Some(action), body),
            },
            StepRef::Local(local) => match packed.local[*local as usize].plain() {
                Some((who, body)) => (who, None, body),
                None => return Some(Residual::Whole(*step)),
            },
        };
        let guard = match body.guard.as_ref().map(|guard| known.code(guard)) {
            Some(Code::Const(0)) => return None,
            Some(Code::Const(_)) => None,
            guard => guard,
        };
        let effects = body.specialised(&known);
        Some(Residual::Plain(PlainStep::new(who, action, guard, effects)))
    };
    let numbered = location.steps.iter().zip(0..);
    let left = numbered.filter_map(|(step, number)| Some((residual(step)?, number)));
    let (steps, numbers): (Vec<Residual>, Vec<u32>) = left.unzip();
    Left {
        steps: steps.into(),
        numbers: numbers.into(),
    }
}

/// Whether a step of an action is taken by one instance alone.
enum Alone<'p> {
    /// It is not taken at all: its guard is false, or another instance is the first participant.
    Never,
    WithOthers,
    Always((InstanceId, StepId), (ActionId, Box<[i64]>), &'p Body),
}

fn alone<'p>(packed: &Packed<'_>, step: &'p OnStep, known: &Known<'_>) -> Alone<'p> {
    let guard = step.body.guard.as_ref().filter(|_| step.guard_decides);
    if guard.is_some_and(|guard| matches!(known.code(guard), Code::Const(0))) {
        return Alone::Never;
    }
    let value = |pattern: &Pattern| match pattern {
        Pattern::Match(code) => match known.code(code) {
            Code::Const(value) => Some(value),
            _ => None,
        },
        Pattern::Bind { .. } | Pattern::Skip => None,
    };
    let values: Vec<Option<i64>> = step.patterns.iter().map(value).collect();
    if !step.is_safe || values.contains(&None) {
        return Alone::WithOthers;
    }
    let mut participants = Vec::new();
    packed.participants[step.action as usize].of_values(&values, &mut participants);
    match participants[..] {
        [first, ..] if first != step.who.0 => Alone::Never,
        [_] if step.body.can_be_specialised() => {
            let values = values.into_iter().flatten().collect();
            Alone::Always(step.who, (step.action, values), &step.body)
        }
        _ => Alone::WithOthers,
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::{
        Binary, Expr, Instance, Location, Step, System, Target, Type, Value, Variable, VariableRef,
    };

    use super::*;
    use crate::successors::Successors;

    /// A process with one variable and a step that depends on it.
    fn system() -> System {
        let own = Expr::Variable(VariableRef::Local(0, 0));
        let three = Expr::Const(Value::Int(3));
        let process = Instance {
            process: 0,
            locals: vec![Variable {
                ty: Type::Scalar { lo: 0, hi: 7 },
                initial: Value::Int(0),
            }],
            steps: vec![Step {
                communication: None,
                guard: Some(Expr::Binary(Binary::Less, Box::new(own), Box::new(three))),
                choices: vec![],
                effects: vec![],
                target: Target::To(0),
            }],
            locations: vec![Location {
                steps: vec![0],
                is_final: true,
            }],
            initial: 0,
            alphabet: vec![],
        };
        System {
            instances: vec![process],
            ..System::default()
        }
    }

    #[test]
    fn as_many_valuations_as_there_is_room_for_are_kept() {
        let system = system();
        let packed = Packed::new(&system).expect("a small state");
        // Of each value how many steps are kept, if any are, where so many may be.
        let kept = |room: u32, places: u64| {
            let mut memo = Memo::within(room, places, &packed);
            [0, 1, 2, 3, 4].map(|value| {
                let mut state = packed.initial().to_vec();
                packed.layout.own(&system, 0)[1].set(&mut state, value);
                let many = |left: &Left| left.steps.len();
                let met = [(); 3].map(|()| memo.steps(&packed, 0, &state).map(many));
                assert_eq!((met[0], met[1]), (None, met[2]));
                met[2]
            })
        };
        let (one, no) = (Some(1), Some(0));
        assert_eq!(kept(3, 0), [one, one, one, None, None]);
        assert_eq!(kept(4, 0), [one, one, one, no, None]);
        assert_eq!(kept(5, 0), [one, one, one, no, no]);
        // Eight values have a place of their own, or none.
        assert_eq!(kept(0, 7), [None; 5]);
        assert_eq!(kept(0, 8), [one, one, one, no, no]);
    }

    #[test]
    fn valuations_that_are_never_met_again_are_forgotten_and_not_looked_for() {
        let mut system = system();
        system.instances[0].locals[0].ty = Type::Scalar { lo: 0, hi: 60_000 };
        let packed = Packed::new(&system).expect("a small state");
        let mut memo = Memo::within(50_000, 0, &packed);
        let ask = |memo: &mut Memo, value: i64| {
            let mut state = packed.initial().to_vec();
            packed.layout.own(&system, 0)[1].set(&mut state, value);
            memo.steps(&packed, 0, &state).is_some()
        };
        let before = memo.bytes();
        let most = (0..10_000).map(|value| {
            assert!(!ask(&mut memo, value));
            memo.bytes()
        });
        assert!(most.max() > Some(before + 4_000 * size_of::<Entry>() as u64));
        assert_eq!((memo.bytes(), memo.room), (before, 50_000));
        assert!((0..5).all(|_| !ask(&mut memo, 7)));
    }
}
