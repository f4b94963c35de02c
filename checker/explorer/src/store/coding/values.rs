//! The values of one component of a state, by their numbers.

use stubborn_space::numbering::Numbering;

use super::field::Field;

/// Components with no more bits have a place for each value.
const FEW_BITS: u32 = 10;

#[derive(Clone)]
pub struct Component {
    /// The bits of a word of the state.
    pub word: u32,
    pub mask: u64,
    pub place: Field,
    pub values: Values,
}

/// Those that were met.
#[derive(Clone)]
pub enum Values {
    /// The value, moved to the right so far, is the place of its number plus 1, or of 0. And the values by
    /// their numbers.
    Few(u32, Box<[u32]>, Vec<u64>),
    Many(Numbering),
}

impl Component {
    pub fn new(word: u32, mask: u64) -> Component {
        let shift = mask.trailing_zeros();
        let span = u64::BITS - mask.leading_zeros() - shift;
        let values = match span <= FEW_BITS {
            true => Values::Few(shift, vec![0; 1 << span].into(), Vec::new()),
            false => Values::Many(Numbering::default()),
        };
        Component {
            word,
            mask,
            place: Field::default(),
            values,
        }
    }

    /// So many are enough for the numbers of its values.
    pub fn least_bits(&self) -> u32 {
        u64::BITS - (self.values.len() as u64 - 1).leading_zeros()
    }
}

impl Values {
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Values::Few(_, _, values) => values.len(),
            Values::Many(numbers) => numbers.len(),
        }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            Values::Few(_, places, values) => (places.len() * 4 + values.capacity() * 8) as u64,
            Values::Many(numbers) => numbers.bytes(),
        }
    }

    /// The value with a number.
    #[inline]
    pub fn value(&self, number: u32) -> u64 {
        match self {
            Values::Few(_, _, values) => values[number as usize],
            Values::Many(numbers) => numbers.word(number),
        }
    }

    /// The number of a value.
    #[inline]
    pub fn known(&self, value: u64) -> Option<u32> {
        match self {
            Values::Few(shift, places, _) => places[(value >> *shift) as usize].checked_sub(1),
            Values::Many(numbers) => numbers.find(value),
        }
    }

    /// A value gets the next number.
    pub fn add(&mut self, value: u64) -> u32 {
        match self {
            Values::Few(shift, places, values) => {
                values.push(value);
                places[(value >> *shift) as usize] = values.len() as u32;
                values.len() as u32 - 1
            }
            Values::Many(numbers) => numbers.add(value),
        }
    }
}
