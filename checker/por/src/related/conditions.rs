//! The imaginary steps of properties: enabled where an invariant is false, what is to be reached is true, or an expression fails,
//! and changing nothing (Valmari 2015, Thm 4 and section VI).

use stubborn_space::packed::Packed;
use stubborn_space::packed::code::Code;
use stubborn_space::packed::evaluate::Stacks;
use stubborn_space::packed::walk::Walk as _;
use stubborn_system::system::Binary;

use super::footprint::Collector;
use super::forest::{
    CellId, Cube, DISABLED, FAILS, Forest, Literal, OutcomeId, Takes, TreeId, WAITS, Write,
};
use super::interference::Profile;
use super::partial::Partial;
use super::vocabulary::Vocabulary;

/// When a condition is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateCheck {
    /// The expression must not be false, nor fail.
    Falsehood,
    /// It must not become true unseen.
    Truth,
    /// The expression must not fail.
    Failure,
}

pub struct Condition {
    pub formula: Formula,
    /// Where a part of it may fail, a part that guards it may be what changes.
    may_fail: bool,
    /// All that the expression reads, ascending.
    pub reads: Vec<CellId>,
}

/// What must be true for the condition to be there, as far as it was taken apart. No negations:
/// they are inside the literals.
pub enum Formula<L = Literal, O = Vec<CellId>> {
    Constant(bool),
    Literal(L),
    /// Some function of these.
    Opaque(O),
    All(Vec<Formula<L, O>>),
    Any(Vec<Formula<L, O>>),
    AtLeast(usize, Vec<Formula<L, O>>),
}

impl Condition {
    /// `None` where it can never be there.
    pub fn new(
        packed: &Packed<'_>,
        vocabulary: &mut Vocabulary,
        code: &Code,
        checks: StateCheck,
    ) -> Option<Condition> {
        let wanted = checks == StateCheck::Truth;
        let condition = Condition::of(packed, vocabulary, code, wanted);
        let (may_fail, reads) = (condition.may_fail, condition.reads);
        let formula = match checks {
            StateCheck::Falsehood | StateCheck::Truth if may_fail => {
                Formula::Any(vec![condition.formula, Formula::Opaque(reads.clone())])
            }
            StateCheck::Falsehood | StateCheck::Truth => condition.formula,
            StateCheck::Failure if may_fail => Formula::Opaque(reads.clone()),
            StateCheck::Failure => return None,
        };
        Some(Condition {
            formula,
            may_fail,
            reads,
        })
    }

    /// The conditions under which an expression is false, and true. Where its value changes, one of
    /// them goes away.
    pub fn of_values(
        packed: &Packed<'_>,
        vocabulary: &mut Vocabulary,
        code: &Code,
    ) -> [Condition; 2] {
        [false, true].map(|wanted| Condition::of(packed, vocabulary, code, wanted))
    }

    /// That the expression has this value; nothing is said of where it fails.
    fn of(
        packed: &Packed<'_>,
        vocabulary: &mut Vocabulary,
        code: &Code,
        wanted: bool,
    ) -> Condition {
        let nothing = Partial::nothing(packed.layout.words);
        let mut builder = Builder {
            packed,
            vocabulary,
            known: nothing,
            stacks: Stacks::default(),
            may_fail: false,
        };
        let formula = builder.formula(code, wanted);
        let may_fail = builder.may_fail;
        let reads = builder.reads(code);
        Condition {
            formula,
            may_fail,
            reads,
        }
    }

    /// Whether a step with this profile, and this outcome if one is given, may make it go away.
    pub fn may_be_ended_by(
        &self,
        profile: &Profile,
        forest: &Forest,
        outcome: Option<OutcomeId>,
    ) -> bool {
        let Some(cubes) = &profile.cubes else {
            let mut writes = profile.writes.iter();
            return writes.any(|cell| self.reads.binary_search(cell).is_ok());
        };
        let mut cubes = cubes.iter();
        cubes.any(|cube| {
            outcome.is_none_or(|outcome| outcome == cube.outcome)
                && (forest.takes(cube.outcome)).is_some_and(|takes| self.is_ended(cube, takes))
        })
    }

    /// Whether a step that does this, where its literals hold, may make it go away.
    fn is_ended(&self, cube: &Cube, takes: &Takes) -> bool {
        let touches = |cells: &[CellId]| {
            let mut writes = takes.writes.iter();
            writes.any(|(cell, _)| cells.binary_search(cell).is_ok())
        };
        if self.may_fail {
            return touches(&self.reads);
        }
        let ends = |literal: &Literal| {
            let was_true = || {
                let mut known = cube.literals.iter();
                let known = known.find(|known| known.cell == literal.cell);
                known.is_none_or(|known| {
                    let mut values = known.values.iter();
                    values.any(|value| literal.values.binary_search(value).is_ok())
                })
            };
            match takes.write_of(literal.cell) {
                Some(Write::Known(value)) => {
                    literal.values.binary_search(&value).is_err() && was_true()
                }
                Some(Write::Add(_) | Write::Any) => true,
                None => false,
            }
        };
        self.formula
            .any_leaf(&mut { ends }, &|cells| touches(cells))
    }
}

impl<L, O> Formula<L, O> {
    /// Whether one of its literals is such a one, or what it depends on otherwise.
    pub fn any_leaf(
        &self,
        literal: &mut dyn FnMut(&L) -> bool,
        opaque: &dyn Fn(&O) -> bool,
    ) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Literal(found) => literal(found),
            Formula::Opaque(cells) => opaque(cells),
            Formula::All(parts) | Formula::Any(parts) | Formula::AtLeast(_, parts) => {
                parts.iter().any(|part| part.any_leaf(literal, opaque))
            }
        }
    }

    /// All of these, or any of them where `is_any`.
    fn joined(mut parts: Vec<Formula<L, O>>, is_any: bool) -> Formula<L, O> {
        match (parts.len(), is_any) {
            (1, _) => parts.swap_remove(0),
            (_, true) => Formula::Any(parts),
            (_, false) => Formula::All(parts),
        }
    }
}

struct Builder<'a, 'p> {
    packed: &'a Packed<'p>,
    vocabulary: &'a mut Vocabulary,
    known: Partial,
    stacks: Stacks,
    may_fail: bool,
}

impl Builder<'_, '_> {
    fn reads(&self, code: &Code) -> Vec<CellId> {
        let mut collector = Collector::new(self.packed, &self.vocabulary.cells, &self.known);
        collector.code(code);
        let mut reads: Vec<CellId> = collector.found.reads.into_iter().collect();
        reads.sort_unstable();
        reads
    }

    /// What must hold for the code to be true, or false.
    fn formula(&mut self, code: &Code, wanted: bool) -> Formula {
        match code {
            Code::Not(operand) => self.formula(operand, !wanted),
            Code::All(parts) | Code::Any(parts) => {
                let parts = parts.iter().map(|part| self.formula(part, wanted));
                let parts = parts.collect();
                match matches!(code, Code::All(_)) == wanted {
                    true => Formula::All(parts),
                    false => Formula::Any(parts),
                }
            }
            Code::Binary(operator, operands) => match (&operands.0, &operands.1) {
                (Code::Count(parts), Code::Const(bound)) => {
                    self.count(code, parts, *operator, *bound, wanted)
                }
                _ => self.atom(code, wanted),
            },
            _ => self.atom(code, wanted),
        }
    }

    fn count(
        &mut self,
        code: &Code,
        parts: &[Code],
        operator: Binary,
        bound: i64,
        wanted: bool,
    ) -> Formula {
        let len = parts.len() as i64;
        let (at_least, negate) = match operator {
            Binary::GreaterOrEqual => (bound, false),
            Binary::Greater => (bound.saturating_add(1), false),
            Binary::LessOrEqual => (bound.saturating_add(1), true),
            Binary::Less => (bound, true),
            _ => return self.atom(code, wanted),
        };
        // Fewer than k of them are true where at least len - k + 1 are false.
        let (least, value) = if negate != wanted {
            (at_least, true)
        } else {
            (len.saturating_sub(at_least).saturating_add(1), false)
        };
        let parts: Vec<Formula> = parts.iter().map(|part| self.formula(part, value)).collect();
        if least <= 0 {
            Formula::Constant(true)
        } else if least > len {
            Formula::Constant(false)
        } else {
            Formula::AtLeast(least as usize, parts)
        }
    }

    fn atom(&mut self, code: &Code, wanted: bool) -> Formula {
        let reads = self.reads(code);
        let ranges = &self.packed.layout.ranges;
        let sizes = reads.iter().map(|cell| ranges[*cell as usize].size());
        let bounds = self.vocabulary.bounds;
        if sizes.fold(1, u64::saturating_mul) > bounds.combinations {
            self.may_fail = true;
            return Formula::Opaque(reads);
        }
        let tree = self.tree(code, wanted, &reads);
        let cubes = self.vocabulary.forest.cubes(tree, bounds.ways);
        let Some(cubes) = cubes else {
            return Formula::Opaque(reads);
        };
        let holds = cubes.into_iter().filter(|cube| cube.outcome == WAITS);
        let ways = holds.map(|cube| {
            let literals = cube.literals.into_iter().map(Formula::Literal);
            Formula::joined(literals.collect(), false)
        });
        Formula::joined(ways.collect(), true)
    }

    /// A tree whose leaves stand for "as wanted", "not so" and "fails".
    fn tree(&mut self, code: &Code, wanted: bool, reads: &[CellId]) -> TreeId {
        let Some((cell, rest)) = reads.split_first() else {
            let value = self.stacks.truth(&self.packed.layout, &self.known, code);
            debug_assert!(
                self.known.take_missing().is_none(),
                "all that it reads is known"
            );
            let outcome = match value {
                Ok(value) if value == wanted => WAITS,
                Ok(_) => DISABLED,
                Err(_) => {
                    self.may_fail = true;
                    FAILS
                }
            };
            return self.vocabulary.forest.leaf(outcome);
        };
        let slot = self.packed.layout.slots[*cell as usize];
        let size = self.packed.layout.ranges[*cell as usize].size();
        let children = (0..size).map(|raw| {
            self.known.learn(slot, raw);
            let child = self.tree(code, wanted, rest);
            self.known.forget(slot);
            child
        });
        let children = children.collect();
        self.vocabulary.forest.branch(*cell, children)
    }
}
