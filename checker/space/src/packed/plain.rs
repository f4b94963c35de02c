//! Steps of which nothing but a guard and effects is left, the change of location among them.

use std::ops::ControlFlow;

use stubborn_system::system::{ActionId, InstanceId, StepId};

use super::code::{Code, Fault, Op};
use super::evaluate::Stacks;
use super::layout::{CellsMut, Layout, Slot, copy};
use crate::successors::{Label, Visit};

pub struct PlainStep {
    who: [(InstanceId, StepId); 1],
    /// The action of a step without other participants, and its values.
    action: Option<(ActionId, Box<[i64]>)>,
    guard: Guard,
    effects: Effects,
}

/// A guard, the most frequent ones as a look at one word: nearly all steps go the same way through
/// what follows, as a processor expects them to.
enum Guard {
    /// Whether these bits of a word are these, or are not. There is nothing to look at where there
    /// is no guard: no bits are always none.
    Look {
        bits: Bits,
        is_not: bool,
    },
    Code(Code),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bits {
    word: u32,
    mask: u64,
    bits: u64,
}

enum Effects {
    /// Of one word these bits are kept, and those are set.
    Write {
        word: u32,
        keep: u64,
        bits: u64,
    },
    Ops(Box<[Op]>),
}

impl PlainStep {
    pub fn new(
        who: (InstanceId, StepId),
        action: Option<(ActionId, Box<[i64]>)>,
        guard: Option<Code>,
        effects: Box<[Op]>,
    ) -> PlainStep {
        PlainStep {
            who: [who],
            action,
            guard: guard.map_or(Guard::TRUE, Guard::of),
            effects: Effects::of(effects),
        }
    }

    /// Memory that it takes besides itself, in bytes.
    pub fn bytes_apart(&self) -> u64 {
        let guard = match &self.guard {
            Guard::Look { .. } => 0,
            Guard::Code(code) => code.bytes_apart(),
        };
        let effects = match &self.effects {
            Effects::Write { .. } => 0,
            Effects::Ops(ops) => Op::bytes_of(ops),
        };
        let values = self
            .action
            .as_ref()
            .map_or(0, |(_, values)| size_of_val(&**values) as u64);
        guard + effects + values
    }

    #[inline]
    pub fn visit(
        &self,
        layout: &Layout,
        state: &[u64],
        next: &mut [u64],
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let label = Label {
            participants: &self.who,
            action: self
                .action
                .as_ref()
                .map(|(action, values)| (*action, &**values)),
        };
        let passes = match &self.guard {
            Guard::Look { bits, is_not } => bits.are_in(state) != *is_not,
            Guard::Code(code) => match stacks.truth(layout, state, code) {
                Ok(passes) => passes,
                Err(failure) => return visitor.step(label, Err(&failure)),
            },
        };
        if !passes {
            return ControlFlow::Continue(());
        }
        copy(next, state);
        match self.effects.perform(layout, next, stacks) {
            Ok(()) => visitor.step(label, Ok(next)),
            Err(failure) => visitor.step(label, Err(&failure)),
        }
    }
}

impl Guard {
    const TRUE: Guard = Guard::are(Bits::NONE);

    const fn are(bits: Bits) -> Guard {
        let is_not = false;
        Guard::Look { bits, is_not }
    }

    fn are_not(bits: Bits) -> Guard {
        let is_not = true;
        Guard::Look { bits, is_not }
    }

    fn of(code: Code) -> Guard {
        match &code {
            Code::All(parts) => Bits::of_all(parts, Bits::equal).map(Guard::are),
            // Not all of them are.
            Code::Any(parts) => Bits::of_all(parts, Bits::unequal).map(Guard::are_not),
            code => Bits::equal(code)
                .map(Guard::are)
                .or_else(|| Bits::unequal(code).map(Guard::are_not)),
        }
        .unwrap_or(Guard::Code(code))
    }
}

impl Bits {
    const NONE: Bits = Bits {
        word: 0,
        mask: 0,
        bits: 0,
    };

    fn of(slot: Slot, raw: u64) -> Bits {
        Bits {
            word: slot.word,
            mask: slot.mask << slot.shift,
            bits: raw << slot.shift,
        }
    }

    /// Of code that asks whether bits are equal to these.
    fn equal(code: &Code) -> Option<Bits> {
        match code {
            // What does not fit is never there.
            Code::SlotIs(slot, raw) => (*raw <= slot.mask).then(|| Bits::of(*slot, *raw)),
            _ => None,
        }
    }

    fn unequal(code: &Code) -> Option<Bits> {
        match code {
            Code::SlotIsNot(slot, raw) => (*raw <= slot.mask).then(|| Bits::of(*slot, *raw)),
            _ => None,
        }
    }

    /// All of them at once, if they are of one word and agree.
    fn of_all(parts: &[Code], of: impl Fn(&Code) -> Option<Bits>) -> Option<Bits> {
        let (first, others) = parts.split_first()?;
        others.iter().try_fold(of(first)?, |all, part| {
            let one = of(part)?;
            let both = all.mask & one.mask;
            let agree = all.word == one.word && all.bits & both == one.bits & both;
            agree.then_some(Bits {
                word: all.word,
                mask: all.mask | one.mask,
                bits: all.bits | one.bits,
            })
        })
    }

    #[inline(always)]
    fn are_in(self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.bits
    }
}

impl Effects {
    fn of(effects: Box<[Op]>) -> Effects {
        match &effects[..] {
            [Op::Write { word, keep, bits }] => Effects::Write {
                word: *word,
                keep: *keep,
                bits: *bits,
            },
            [Op::SetRaw(slot, raw)] => Effects::Write {
                word: slot.word,
                keep: !(slot.mask << slot.shift),
                bits: raw << slot.shift,
            },
            _ => Effects::Ops(effects),
        }
    }

    #[inline(always)]
    fn perform(&self, layout: &Layout, next: &mut [u64], stacks: &mut Stacks) -> Result<(), Fault> {
        match self {
            Effects::Write { word, keep, bits } => {
                next.write(*word, *keep, *bits);
                Ok(())
            }
            Effects::Ops(effects) => stacks.perform(layout, next, effects),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(shift: u8, bits: u32) -> Slot {
        Slot {
            word: 0,
            shift,
            mask: (1 << bits) - 1,
            lo: 0,
        }
    }

    fn truth(guard: &Guard, word: u64) -> Option<bool> {
        match guard {
            Guard::Look { bits, is_not } => Some(bits.are_in(&[word]) != *is_not),
            Guard::Code(_) => None,
        }
    }

    #[test]
    fn a_look_at_one_word_says_what_the_guard_says() {
        let (low, high) = (slot(0, 2), slot(3, 2));
        let is = |slot: Slot, raw: u64| move |word: u64| word >> slot.shift & slot.mask == raw;
        let all = Code::All([Code::SlotIs(low, 2), Code::SlotIs(high, 1)].into());
        let any = Code::Any([Code::SlotIsNot(low, 2), Code::SlotIsNot(high, 1)].into());
        let guards = [all, any, Code::SlotIs(low, 3), Code::SlotIsNot(high, 0)].map(Guard::of);
        for word in 0..64 {
            assert_eq!(truth(&Guard::TRUE, word), Some(true));
            let both = is(low, 2)(word) && is(high, 1)(word);
            let expected = [both, !both, is(low, 3)(word), !is(high, 0)(word)];
            for (guard, expected) in guards.iter().zip(expected) {
                assert_eq!(truth(guard, word), Some(expected), "{word}");
            }
        }
    }

    #[test]
    fn what_contradicts_itself_or_does_not_fit_is_evaluated_as_it_is() {
        let (low, wide) = (slot(0, 2), slot(0, 3));
        let other = Slot { word: 1, ..low };
        for code in [
            Code::All([Code::SlotIs(low, 2), Code::SlotIs(wide, 1)].into()),
            Code::All([Code::SlotIs(low, 2), Code::SlotIs(other, 2)].into()),
            Code::All([Code::SlotIs(low, 2), Code::SlotIsNot(wide, 1)].into()),
            Code::Any([Code::SlotIs(low, 2), Code::SlotIs(wide, 1)].into()),
            Code::SlotIs(low, 4),
            Code::All([].into()),
        ] {
            assert!(matches!(Guard::of(code), Guard::Code(_)));
        }
    }
}
