//! Random automata and words, the same ones in each run.

use crate::buchi::{Buchi, BuchiState};
use crate::label::{Cube, Label};
use crate::testing::{Testing, TestingState};
use crate::word::Word;

/// Vigna's splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn label(&mut self, propositions: u32) -> Label {
        let count = self.below(4);
        let cube = |random: &mut Random| {
            let mentions = random.next() & ((1 << propositions) - 1);
            Cube::exactly(random.next(), mentions)
        };
        Label {
            cubes: (0..count).map(|_| cube(self)).collect(),
        }
    }

    /// With up to five states.
    pub fn buchi(&mut self, propositions: u32) -> Buchi {
        let count = 1 + self.below(5);
        let marks = self.below(8);
        let density = 1 + self.below(4);
        let state = |random: &mut Random| BuchiState {
            label: match random.below(5) {
                0 => Label::any(),
                1 => random.label(propositions),
                _ => {
                    let mentions = random.next() & ((1 << propositions) - 1);
                    Label::of_cube(Cube::exactly(random.next(), mentions))
                }
            },
            initial: random.one_in(2),
            reject: marks & 1 == 1 && random.one_in(5),
            deadlock: marks & 2 == 2 && random.one_in(3),
            infinite: marks != 3 && random.one_in(3),
            next: (0..count as u32)
                .filter(|_| random.one_in(density))
                .collect(),
        };
        let mut buchi = Buchi {
            propositions,
            states: (0..count).map(|_| state(self)).collect(),
            ends_repeat: marks & 2 == 0 && self.one_in(2),
        };
        buchi.states[0].initial = true;
        buchi
    }

    /// With up to five states.
    pub fn testing(&mut self, propositions: u32) -> Testing {
        let count = 1 + self.below(5);
        let marks = self.below(16);
        let density = 1 + self.below(4);
        let state = |random: &mut Random| {
            let mut next = Vec::new();
            for change in 1..1u64 << propositions {
                for target in 0..count as u32 {
                    if random.below(6) < density {
                        next.push((change, target));
                    }
                }
            }
            TestingState {
                initial: random.one_in(2).then(|| random.label(propositions)),
                reject: marks & 1 == 1 && random.one_in(6),
                deadlock: marks & 2 == 2 && random.one_in(3),
                livelock: marks & 4 == 4 && random.one_in(3),
                infinite: marks & 8 == 8 && random.one_in(3),
                next,
            }
        };
        Testing {
            propositions,
            states: (0..count).map(|_| state(self)).collect(),
        }
    }

    fn valuations(&mut self, propositions: u32, count: usize) -> Vec<u64> {
        let mut valuations: Vec<u64> = Vec::new();
        for _ in 0..count {
            match valuations.last() {
                Some(&last) if self.one_in(3) => valuations.push(last),
                _ => valuations.push(self.next() & ((1 << propositions) - 1)),
            }
        }
        valuations
    }

    /// A word of up to eight valuations, some of which repeat.
    pub fn word(&mut self, propositions: u32) -> Word {
        let prefix = self.below(5);
        if self.one_in(3) {
            return Word::Ends(self.valuations(propositions, prefix + 1));
        }
        let cycle = 1 + self.below(4);
        Word::Lasso {
            prefix: self.valuations(propositions, prefix),
            cycle: self.valuations(propositions, cycle),
        }
    }

    /// The same word with every valuation repeated one to three times.
    pub fn stuttered(&mut self, word: &Word) -> Word {
        let mut repeated = |valuations: &[u64]| {
            let mut all = Vec::new();
            for &valuation in valuations {
                for _ in 0..1 + self.below(3) {
                    all.push(valuation);
                }
            }
            all
        };
        match word {
            Word::Ends(valuations) => Word::Ends(repeated(valuations)),
            Word::Lasso { prefix, cycle } => Word::Lasso {
                prefix: repeated(prefix),
                cycle: repeated(cycle),
            },
        }
    }
}
