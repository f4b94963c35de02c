//! What all steps have: a guard, choices, effects and a target.

use stubborn_system::system::{Argument, Range, Step, Target as SystemTarget};

use super::code::{Code, Fault, Op, Part};
use super::compile::{Compiler, ranges_of};
use super::evaluate::Stacks;
use super::layout::{Cells, CellsMut, Layout, Slot};
use super::specialise::Known;

pub struct Body {
    pub guard: Option<Code>,
    pub choices: Box<[Range]>,
    pub effects: Box<[Op]>,
    pub location: Slot,
    pub target: Target,
}

pub enum Target {
    To(u64),
    Test(Code, u64, u64),
}

/// What a `receive` or an `on` asks of one value.
pub enum Pattern {
    Match(Code),
    Bind { part: Part, range: Range },
    Skip,
}

impl Pattern {
    pub fn new(compiler: &mut Compiler<'_>, argument: &Argument) -> Pattern {
        match argument {
            Argument::Match(expr) => Pattern::Match(compiler.scalar(expr)),
            Argument::Bind(place) => Pattern::Bind {
                part: compiler.place(place),
                range: ranges_of(&place.ty)[0],
            },
            Argument::Skip => Pattern::Skip,
        }
    }
}

impl Body {
    /// `location` is where the location of the step's instance is stored.
    pub fn new(compiler: &mut Compiler<'_>, location: Slot, step: &Step) -> Body {
        let target = match &step.target {
            SystemTarget::To(location) => Target::To(u64::from(*location)),
            SystemTarget::Test(condition, then, otherwise) => match compiler.scalar(condition) {
                Code::Const(0) => Target::To(u64::from(*otherwise)),
                Code::Const(_) => Target::To(u64::from(*then)),
                condition => Target::Test(condition, u64::from(*then), u64::from(*otherwise)),
            },
        };
        let guard = step.guard.as_ref().map(|guard| compiler.scalar(guard));
        Body {
            guard: guard.filter(|guard| !matches!(guard, Code::Const(1))),
            choices: step.choices.clone().into(),
            effects: compiler.effects(&step.effects),
            location,
            target,
        }
    }

    /// Whether [`Body::specialised`] may be asked for: there are no choices.
    pub fn can_be_specialised(&self) -> bool {
        self.choices.is_empty()
    }

    /// The effects and the change of location, for states of which this is known.
    pub fn specialised(&self, known: &Known<'_>) -> Box<[Op]> {
        debug_assert!(self.can_be_specialised());
        let to = |location: u64| -> Box<[Op]> {
            let mut known = known.clone();
            let mut ops = Vec::new();
            known.effects(&self.effects, &mut ops);
            known.write(self.location, location, &mut ops);
            ops.into()
        };
        match &self.target {
            Target::To(location) => to(*location),
            // It is evaluated before all effects.
            Target::Test(condition, then, otherwise) => match known.code(condition) {
                Code::Const(0) => to(*otherwise),
                Code::Const(_) => to(*then),
                condition => Box::new([Op::If(condition, to(*then), to(*otherwise))]),
            },
        }
    }

    #[inline]
    pub fn passes<C: Cells + ?Sized>(
        &self,
        layout: &Layout,
        state: &C,
        stacks: &mut Stacks,
    ) -> Result<bool, Fault> {
        match &self.guard {
            None => Ok(true),
            Some(guard) => stacks.truth(layout, state, guard),
        }
    }

    /// Changes the location; a test is evaluated in the state before the step.
    #[inline]
    pub fn arrive<C: Cells + ?Sized, M: CellsMut + ?Sized>(
        &self,
        layout: &Layout,
        before: &C,
        next: &mut M,
        stacks: &mut Stacks,
    ) -> Result<(), Fault> {
        let location = match &self.target {
            Target::To(location) => *location,
            Target::Test(condition, then, otherwise) => {
                if stacks.truth(layout, before, condition)? {
                    *then
                } else {
                    *otherwise
                }
            }
        };
        self.location.set_raw(next, location);
        Ok(())
    }
}

/// Sets `choices` to the first combination of values.
pub fn first_choices<'a>(ranges: impl Iterator<Item = &'a Range>, choices: &mut Vec<i64>) {
    choices.clear();
    choices.extend(ranges.map(|range| range.lo));
}

/// Goes on to the next combination, the last value of which varies fastest; false after the last.
pub fn next_choices<'a>(
    ranges: impl DoubleEndedIterator<Item = &'a Range>,
    choices: &mut [i64],
) -> bool {
    for (range, value) in ranges.rev().zip(choices.iter_mut().rev()) {
        if *value < range.hi {
            *value += 1;
            return true;
        }
        *value = range.lo;
    }
    false
}
