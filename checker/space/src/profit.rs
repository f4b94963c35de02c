//! Whether choosing sets pays: judged by what it has left out and by what it has cost, both counted
//! and never timed, so that figures repeat.
//!
//! The judgement is made where a layer of a breadth-first search ends, of all its states together.
//! What is tried in the next layer depends on it and on the state alone, so that counts do not
//! depend on the order in which a layer's states are expanded. A depth-first search, which has one
//! order and no layers, is judged each time that it has entered as many states again.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Cost of a step, in the unit of
/// [`ProcessRelations::work`](crate::relations::ProcessRelations::work).
pub const A_STEP: u64 = 16;

/// Counts of a [`Profit`], for several processes that judge together.
pub type Judgement = [u64; 6];

/// Counts of the steps left out so far, and the share of the states in which sets are chosen.
#[derive(Default)]
pub struct Profit {
    /// Since the last judgement.
    states: u64,
    enabled: u64,
    fired: u64,
    work: u64,
    /// How many judgements in a row have said that it does not pay.
    losses: u32,
    /// One in 2 to the power of this is tried.
    rarity: u32,
}

/// Least number of states before each judgement.
const SAMPLE: u64 = 512;
/// A reduction that leaves out less than one step in `LEAST` does not pay.
const LEAST: u64 = 10;
/// One pays that costs no more than so many steps for each that it leaves out: some states are left
/// out as well, each with its steps, and the memory that they would take.
const FAIR: u64 = 8;
/// A reduction that leaves out one step in this many may cost more, since it also leaves out
/// everything that would have followed. (Examples cost at most 3 steps for each.)
const PLENTY: u64 = 3;
const DEAR: u64 = 16;
/// A try costs so much besides what the model counts.
const A_TRY: u64 = A_STEP;
/// A layer or two in which little can be left out may come anywhere: so many judgements in a row
/// must say that it does not pay.
const LOSSES: u32 = 2;
/// Rarity of tries where choosing does not pay, at first and in the end.
const RARE: u32 = 3;
const RAREST: u32 = 7;

impl Profit {
    /// Whether a set is chosen in this state.
    #[inline]
    pub fn is_tried(&self, state: &[u64]) -> bool {
        self.rarity == 0 || is_sampled(state, self.rarity)
    }

    /// Whether choosing sets has not paid for some time, so that few states are tried.
    pub fn is_given_up(&self) -> bool {
        self.rarity > 0
    }

    /// All that it knows, and one that knows it.
    pub fn counts(&self) -> Judgement {
        let Profit {
            states,
            enabled,
            fired,
            work,
            losses,
            rarity,
        } = *self;
        [states, enabled, fired, work, losses.into(), rarity.into()]
    }

    pub fn of_counts([states, enabled, fired, work, losses, rarity]: Judgement) -> Profit {
        Profit {
            states,
            enabled,
            fired,
            work,
            losses: losses as u32,
            rarity: (rarity as u32).min(RAREST),
        }
    }

    #[inline]
    pub fn count(&mut self, enabled: u32, fired: u32, work: u64) {
        self.states += 1;
        self.enabled += u64::from(enabled);
        self.fired += u64::from(fired);
        self.work += work + A_TRY;
    }

    fn judge(&mut self) {
        if self.states < SAMPLE {
            return;
        }
        let losses = match self.pays() {
            true => 0,
            false => self.losses + 1,
        };
        *self = Profit {
            losses,
            rarity: match losses.checked_sub(LOSSES) {
                None => 0,
                Some(more) => (RARE + more).min(RAREST),
            },
            ..Profit::default()
        };
    }

    fn pays(&self) -> bool {
        let left_out = self.enabled.saturating_sub(self.fired);
        let worth = match left_out * PLENTY >= self.enabled {
            true => DEAR,
            false => FAIR,
        };
        left_out * LEAST >= self.enabled && self.work <= left_out * A_STEP * worth
    }
}

/// Judges all as the first, which takes over what they have counted.
pub fn judge_together(first: &mut Profit, others: &mut [&mut Profit]) {
    for other in others.iter_mut() {
        first.states += std::mem::take(&mut other.states);
        first.enabled += std::mem::take(&mut other.enabled);
        first.fired += std::mem::take(&mut other.fired);
        first.work += std::mem::take(&mut other.work);
    }
    first.judge();
    for other in others {
        other.losses = first.losses;
        other.rarity = first.rarity;
    }
}

/// Whether the state is one in 2 to the power of `rarity`.
fn is_sampled(state: &[u64], rarity: u32) -> bool {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|word| hasher.write_u64(*word));
    // The highest bits depend on all words.
    let hash = hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash >> (64 - rarity) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layer of so many states, in each of which four steps are enabled.
    fn layer(profit: &mut Profit, states: std::ops::Range<u64>, fired: u32, work: u64) -> u64 {
        let mut tried = 0;
        for state in states {
            if profit.is_tried(&[state]) {
                tried += 1;
                profit.count(4, fired, work);
            }
        }
        judge_together(profit, &mut []);
        tried
    }

    #[test]
    fn what_is_tried_in_a_layer_depends_on_the_layers_before_alone() {
        let (mut profit, mut backwards) = (Profit::default(), Profit::default());
        for profit in [&mut profit, &mut backwards] {
            assert_eq!(layer(profit, 0..1000, 4, 0), 1000);
            assert_eq!(layer(profit, 0..1000, 4, 0), 1000);
        }
        let forward: Vec<bool> = (0..4096).map(|s| profit.is_tried(&[s])).collect();
        let mut reverse: Vec<bool> = Vec::new();
        for state in (0..4096).rev() {
            reverse.push(backwards.is_tried(&[state]));
            backwards.count(4, 1, 0);
        }
        reverse.reverse();
        assert_eq!(forward, reverse);
    }

    #[test]
    fn choosing_that_leaves_nothing_out_is_tried_less_and_less() {
        let mut profit = Profit::default();
        assert_eq!(layer(&mut profit, 0..1000, 4, 0), 1000);
        assert_eq!(layer(&mut profit, 0..1000, 4, 0), 1000);
        let share = |tried: u64| (1 << 16) / tried.max(1);
        let mut shares = Vec::new();
        for _ in 0..6 {
            shares.push(share(layer(&mut profit, 0..1 << 16, 4, 0)));
        }
        assert!(
            shares.is_sorted() && shares[0] >= 7 && shares[5] >= 64,
            "{shares:?}"
        );
        assert!(layer(&mut profit, 0..1 << 20, 1, 0) < 1 << 14);
        assert_eq!(layer(&mut profit, 0..100, 1, 0), 100);
    }

    /// How many states of a third layer are tried, of a thousand, after two with such costs.
    fn tried_after_two_layers(fired: u32, work: u64) -> u64 {
        let mut profit = Profit::default();
        layer(&mut profit, 0..1000, fired, work);
        layer(&mut profit, 0..1000, fired, work);
        layer(&mut profit, 0..1000, fired, work)
    }

    #[test]
    fn choosing_that_costs_more_than_it_leaves_out_is_given_up_however_much_that_is() {
        // One step of four is left out of each state, and then two of four.
        assert_eq!(tried_after_two_layers(3, (FAIR - 1) * A_STEP), 1000);
        assert!(tried_after_two_layers(3, FAIR * A_STEP) < 500);
        assert_eq!(tried_after_two_layers(2, (2 * DEAR - 1) * A_STEP), 1000);
        assert!(tried_after_two_layers(2, 2 * DEAR * A_STEP) < 500);
    }

    #[test]
    fn without_layers_choosing_is_never_given_up() {
        let mut profit = Profit::default();
        for state in 0..100_000 {
            assert!(profit.is_tried(&[state]));
            profit.count(4, 4, 1000);
        }
    }

    #[test]
    fn a_layer_is_judged_alike_whoever_has_counted_its_states() {
        let mut alone = Profit::default();
        let (mut one, mut other) = (Profit::default(), Profit::default());
        for layer in 0..8 {
            for state in layer * 1_000..(layer + 1) * 1_000 {
                let part = if state % 3 == 0 { &mut one } else { &mut other };
                for profit in [&mut alone, part] {
                    if profit.is_tried(&[state]) {
                        profit.count(4, 4, 64);
                    }
                }
            }
            judge_together(&mut alone, &mut []);
            judge_together(&mut one, &mut [&mut other]);
            let judged = (alone.losses, alone.rarity);
            assert_eq!((one.losses, one.rarity), judged);
            assert_eq!((other.losses, other.rarity), judged);
        }
        assert!(alone.rarity > 0, "it never paid");
    }
}
