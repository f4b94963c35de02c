//! Components that are numbered together, where their numbers take more bits than a word has.
//!
//! Two components with five values each take six bits, with a number for each pair of values five;
//! or fewer, as most components depend on each other and not all pairs occur. How many occur is
//! counted in a sample of states.

use rustc_hash::FxHashMap;

use super::values::Component;

/// Number of states of a sample.
pub const SAMPLE: usize = 1 << 12;
/// Values that are not in the sample yet will need more bits.
const SPARE_BITS: u32 = 10;

/// Components that become one.
struct Joined {
    word: u32,
    mask: u64,
    /// Number of bits that its numbers take.
    bits: u32,
    /// The number of its value in each state of the sample.
    numbers: Vec<u32>,
}

/// Two of them, by their positions, and how much they save as one: bits for each 64 that they take
/// then, as steps are cached by all of them together.
type Pair = (u32, usize, usize);

/// Parts of a state, of which some were several of these components: their numbers in states like
/// these words should take fewer bits than a word has. `None` if no two save a bit together.
pub fn joined(components: &[Component], sample: &[u64]) -> Option<Vec<(u32, u64)>> {
    let mut all: Vec<Joined> = components
        .iter()
        .map(|one| Joined {
            word: one.word,
            mask: one.mask,
            bits: one.least_bits(),
            numbers: sample
                .iter()
                .map(|word| one.place.of(*word) as u32)
                .collect(),
        })
        .collect();
    let mut pairs: Vec<Pair> = (0..all.len())
        .flat_map(|second| pairs_with(&all, second, 0..second))
        .collect();
    let mut are_joined = false;
    while all.iter().map(|one| one.bits).sum::<u32>() + SPARE_BITS > u64::BITS {
        let best = pairs.iter().copied().max_by_key(|(saved, ..)| *saved);
        let Some((_, first, second)) = best else {
            break;
        };
        if let Some((numbers, bits)) = together(&all[first], &all[second]) {
            let mask = std::mem::take(&mut all[second].mask);
            all[second].bits = 0;
            all[first].mask |= mask;
            all[first].numbers = numbers;
            all[first].bits = bits;
            are_joined = true;
        }
        let is_joined = |at: &usize| *at == first || *at == second;
        pairs.retain(|(_, one, other)| !is_joined(one) && !is_joined(other));
        pairs.extend(pairs_with(&all, first, 0..all.len()));
    }
    let parts = all.into_iter().filter(|one| one.mask != 0);
    are_joined.then(|| parts.map(|one| (one.word, one.mask)).collect())
}

/// The pairs of one with these others that save bits.
fn pairs_with(
    all: &[Joined],
    at: usize,
    others: impl Iterator<Item = usize>,
) -> impl Iterator<Item = Pair> {
    let one = &all[at];
    others
        .filter(move |other| *other != at)
        .filter_map(move |other| {
            let (_, bits) = together(one, &all[other])?;
            let saved = (one.bits + all[other].bits).checked_sub(bits)?;
            (saved > 0).then_some((saved * 64 / bits.max(1), at, other))
        })
}

/// Numbers of the pairs of values, and the bits that they take. `None` if the components cannot be
/// joined, or if too many pairs occur in the sample to estimate their number.
fn together(one: &Joined, other: &Joined) -> Option<(Vec<u32>, u32)> {
    if one.word != other.word || one.bits == 0 || other.bits == 0 {
        return None;
    }
    let mut numbers = FxHashMap::default();
    let values = one.numbers.iter().zip(&other.numbers);
    let number_of = values.map(|pair| {
        let next = numbers.len() as u32;
        *numbers.entry(pair).or_insert(next)
    });
    let number_of: Vec<u32> = number_of.collect();
    let many = numbers.len();
    let bits = usize::BITS - (many + many / 2).leading_zeros();
    (many * 2 <= number_of.len()).then_some((number_of, bits))
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    /// Components of eight bits each, side by side in a word of a state and in a word.
    fn components(many: u32) -> Vec<Component> {
        let component = |at: u32| {
            let mut one = Component::new(at / 8, 0xff << (8 * (at % 8)));
            for value in 0..0x100 {
                one.values.add(value << (8 * (at % 8)));
            }
            one.place = Field {
                shift: 8 * (at % 8),
                bits: 8,
            };
            one
        };
        (0..many).map(component).collect()
    }

    #[test]
    fn components_that_are_seldom_different_are_joined_until_the_rest_fits() {
        // The first two are equal, and so are the next two; the others are anything.
        let words = (0..SAMPLE as u64).map(|at| {
            let other = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (low, high) = (at & 0xff, at >> 4 & 0xff);
            (other & !0xffff_ffff) | (low * 0x101) | (high * 0x101_0000)
        });
        let words: Vec<u64> = words.collect();
        let parts = joined(&components(8), &words).expect("two are joined");
        assert_eq!(parts.iter().fold(0, |all, (_, mask)| all | mask), u64::MAX);
        assert!(parts.contains(&(0, 0xffff)) || parts.contains(&(0, 0xffff_0000)));
    }

    #[test]
    fn components_of_two_words_and_of_many_values_stay_apart() {
        let words: Vec<u64> = (0..SAMPLE as u64)
            .map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        assert_eq!(joined(&components(8), &words), None);
        let alike: Vec<u64> = (0..SAMPLE as u64).map(|at| at & 0xff).collect();
        let mut two = components(16);
        two.retain(|one| one.mask == 0xff);
        assert_eq!(joined(&two, &alike), None);
    }
}
