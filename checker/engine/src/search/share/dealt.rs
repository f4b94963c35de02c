//! The parts of a set of words that belong to one worker.

use std::ops::ControlFlow;

use super::owners::{Decide, dealer, parts};
use super::window::Window;
use crate::several::Seat;
use crate::store::deal::Dealer;
use crate::store::numbers::Numbers;
use crate::store::quotient::{Quotient, Settled};

pub struct Dealt {
    dealer: Dealer,
    /// The number of the first part.
    first: usize,
    parts: Vec<Quotient>,
}

impl Dealt {
    /// Empty, for words of so many bits.
    pub fn new(width: u32, decide: &Decide, seat: Seat) -> Dealt {
        let dealer = dealer(width, decide, seat);
        let own = parts(&dealer, seat);
        let rest = dealer.width_of_rest();
        Dealt {
            first: own.start,
            parts: own.map(|_| Quotient::new(rest)).collect(),
            dealer,
        }
    }

    /// The same, once no more words come.
    pub fn numbered(self) -> Numbers {
        let sets = self.parts.into_iter().map(Settled::new);
        Numbers::of_some(self.dealer, self.first, sets.collect())
    }

    /// The set that these are the words of, in which words find room again; `empty` was made as that was.
    pub fn of_numbered(numbers: Numbers, empty: Dealt) -> Dealt {
        Dealt {
            parts: numbers
                .into_sets()
                .into_iter()
                .map(Settled::into_set)
                .collect(),
            ..empty
        }
    }

    /// Below this are the numbers that its words would have if no more came.
    pub fn numbers(&self) -> u64 {
        self.parts.iter().map(Quotient::numbers).sum()
    }

    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(Quotient::bytes).sum()
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The part that a word belongs to, and what that does not tell of it; `None`, if it belongs to another worker, or is
    /// no such word.
    #[inline]
    pub fn deal(&self, word: u64) -> Option<(usize, u64)> {
        if !self.dealer.is_of(word) {
            return None;
        }
        let (part, rest) = self.dealer.deal(word);
        let part = part.wrapping_sub(self.first);
        (part < self.parts.len()).then_some((part, rest))
    }

    /// Puts the words of a window into their parts. `ask` is asked whether so many bytes more are allowed than there are,
    /// before a part grows and now and then while it does.
    pub fn take_in<B>(
        &mut self,
        window: &mut Window,
        mut ask: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        window.begin();
        for (part, set) in self.parts.iter_mut().enumerate() {
            if window.has_none_of(part) {
                continue;
            }
            let many = window.many_of(part) as u64;
            let more = set.bytes_to_grow(many);
            if more > 0 {
                ask(more)?;
                set.reserve(many, || ask(more))?;
            }
            window.put_into(part, set);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::WINDOW;
    use super::*;

    /// The words that each of some workers has taken in of these.
    fn taken_in(all: &[u64], width: u32, workers: usize) -> Vec<Dealt> {
        let seats = (0..workers).map(|own| Seat { own, workers });
        let each = seats.map(|seat| {
            let mut dealt = Dealt::new(width, &Decide::all(1), seat);
            let mut window = Window::new(dealt.count());
            for words in all.chunks(WINDOW) {
                window.clear();
                for word in words {
                    if let Some(of) = dealt.deal(*word) {
                        window.add(*word, of);
                    }
                }
                let flow = dealt.take_in(&mut window, |_| ControlFlow::<()>::Continue(()));
                assert!(flow.is_continue());
            }
            dealt
        });
        each.collect()
    }

    #[test]
    fn each_word_is_with_one_worker_and_has_a_number_there() {
        let words: Vec<u64> = (0..20_000).map(|word| word * 77).collect();
        for (width, workers) in [(21, 1), (21, 3), (64, 2), (21, 40)] {
            let mut found = Vec::new();
            for dealt in taken_in(&[&words[..], &words[..]].concat(), width, workers) {
                let most = dealt.numbers();
                let numbers = dealt.numbered();
                assert!(numbers.end() <= most);
                let of_worker = (0..numbers.end()).filter_map(|number| {
                    let word = numbers.word(number)?;
                    let again = numbers.seek(word).and_then(|sought| numbers.number(sought));
                    assert_eq!(again, Some(number));
                    Some(word)
                });
                found.extend(of_worker);
            }
            found.sort_unstable();
            assert_eq!(found, words, "{width} bits, {workers} workers");
        }
    }

    #[test]
    fn what_is_no_word_of_the_worker_is_nowhere() {
        let seat = |own| Seat { own, workers: 2 };
        let [one, other] = [0, 1].map(|own| Dealt::new(20, &Decide::all(1), seat(own)));
        for word in 0..1000 {
            assert!(one.deal(word).is_some() != other.deal(word).is_some());
            assert!(one.deal(word | 1 << 20).is_none());
        }
    }

    #[test]
    fn words_find_room_again_where_they_had_numbers() {
        let words: Vec<u64> = (0..5_000).map(|word| word * 3).collect();
        let seat = Seat { own: 0, workers: 1 };
        let [dealt] = &mut taken_in(&words, 30, 1)[..] else {
            panic!("one worker was asked for");
        };
        let empty = || Dealt::new(30, &Decide::all(1), seat);
        let dealt = std::mem::replace(dealt, empty());
        let mut dealt = Dealt::of_numbered(dealt.numbered(), empty());
        let mut window = Window::new(dealt.count());
        for word in [3, 4, 14_997, 15_000] {
            window.add(word, dealt.deal(word).expect("there is no other worker"));
        }
        let flow = dealt.take_in(&mut window, |_| ControlFlow::<()>::Continue(()));
        assert!(flow.is_continue());
        let new: Vec<u64> = (0..4).filter_map(|at| window.new_at(at)).collect();
        assert_eq!(new, [4, 15_000]);
    }
}
