//! The parts of a set of words that belong to one worker.

use std::ops::ControlFlow;

use stubborn_space::several::Seat;

use super::owners::parts;

use crate::store::deal::Dealer;
use crate::store::numbers::Numbers;
use crate::store::quotient::{AT_ONCE, Place, Quotient, Settled, ones};

pub struct Dealt {
    dealer: Dealer,
    /// The number of the first part.
    first: usize,
    parts: Vec<Quotient>,
    /// So many words find room, whatever parts they belong to.
    room: u64,
}

/// Where a word is or belongs.
#[derive(Clone, Copy)]
pub struct InPart {
    part: usize,
    place: Place,
}

impl Dealt {
    /// Empty, for the words that are dealt to this seat.
    pub fn new(dealer: Dealer, seat: Seat) -> Dealt {
        let own = parts(&dealer, seat);
        let rest = dealer.width_of_rest();
        Dealt {
            first: own.start,
            parts: own.map(|_| Quotient::new(rest)).collect(),
            dealer,
            room: 0,
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

    /// Begins to look for a word, of which its part does not tell this; the part, which is one of these, has its number among
    /// those of all workers. The place is good until room is [made](Dealt::make_room).
    #[inline(always)]
    pub fn place(&self, part: usize, rest: u64) -> InPart {
        let part = part - self.first;
        InPart {
            part,
            place: self.parts[part].place(rest),
        }
    }

    /// Puts up to [`AT_ONCE`] words in. Of each whether it is new, the first in the lowest bit.
    pub fn put_in(&mut self, places: &[InPart]) -> u64 {
        debug_assert!(places.len() as u64 <= self.room, "room was made");
        self.room -= places.len() as u64;
        let (mut new, mut crowded) = (0, 0);
        for (at, of) in places.iter().enumerate() {
            let (is_new, is_crowded) = self.parts[of.part].put_first(of.place);
            new |= u64::from(is_new) << at;
            crowded |= u64::from(is_crowded) << at;
        }
        for at in ones(crowded) {
            self.parts[places[at].part].next_come_near(places[at].place);
        }
        for at in ones(crowded) {
            let is_new = self.parts[places[at].part].put_further(places[at].place);
            new |= u64::from(is_new) << at;
        }
        new
    }

    /// Gives every word, in no order, until the taker breaks off.
    pub fn each<B>(&self, mut give: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut sets = (self.first..).zip(&self.parts);
        sets.try_for_each(|(part, set)| set.each(|rest| give(self.dealer.word(part, rest))))
    }

    /// How many bytes [`changed`](Dealt::changed) takes, besides what there is.
    pub fn bytes_to_change(&self, dealer: Dealer) -> u64 {
        let rest = dealer.width_of_rest();
        let of_part = |part: &Quotient| part.bytes_to_change(rest);
        self.parts.iter().map(of_part).sum()
    }

    /// What becomes of the words, of which no two become one, where each changes to another that is dealt out so; unless
    /// `ask` breaks off, which is asked now and then whether that may take so many bytes, besides what there is.
    pub fn changed<B>(
        &self,
        (dealer, seat): (Dealer, Seat),
        mut change: impl FnMut(u64) -> u64,
        mut ask: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B, Dealt> {
        let mut changed = Dealt::new(dealer, seat);
        let mut places = Vec::with_capacity(AT_ONCE);
        self.each(|word| {
            if places.is_empty() {
                let held = changed.bytes();
                ask(held)?;
                if !changed.has_room() {
                    changed.make_room(|more| ask(held + more))?;
                }
            }
            let (part, rest) = dealer.deal(change(word));
            places.push(changed.place(part, rest));
            if places.len() == AT_ONCE {
                changed.put_in(&places);
                places.clear();
            }
            ControlFlow::Continue(())
        })?;
        changed.put_in(&places);
        debug_assert_eq!(changed.len(), self.len(), "no two words become one");
        ControlFlow::Continue(changed)
    }

    /// How many words there are.
    fn len(&self) -> u64 {
        self.parts.iter().map(Quotient::len).sum()
    }

    /// Whether there is room for [`AT_ONCE`] more words, whatever parts they belong to.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.room >= AT_ONCE as u64
    }

    /// Makes room for them. `ask` is asked whether so many bytes more are allowed than there were, before a part grows and now
    /// and then while it does.
    pub fn make_room<B>(&mut self, mut ask: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut grown = 0;
        for set in &mut self.parts {
            let more = set.bytes_to_grow(AT_ONCE as u64);
            if more > 0 {
                let before = set.bytes();
                ask(grown + more)?;
                set.reserve(AT_ONCE as u64, || ask(grown + more))?;
                grown += set.bytes().saturating_sub(before);
            }
        }
        self.room = self.parts.iter().map(Quotient::room).min().unwrap_or(0);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::owners::{Decide, dealer};
    use super::*;

    /// Puts those in that belong there: which of them are new.
    fn put_in(dealt: &mut Dealt, words: &[u64]) -> Vec<u64> {
        let flow = dealt.make_room(|_| ControlFlow::<()>::Continue(()));
        assert!(flow.is_continue());
        let own = dealt.first..dealt.first + dealt.parts.len();
        let words = words.iter().copied();
        let words = words.filter(|word| own.contains(&dealt.dealer.set(*word)));
        let words: Vec<u64> = words.collect();
        let dealt_words = words.iter().map(|word| dealt.dealer.deal(*word));
        let places: Vec<InPart> = dealt_words
            .map(|(part, rest)| dealt.place(part, rest))
            .collect();
        ones(dealt.put_in(&places)).map(|at| words[at]).collect()
    }

    /// The words that each of some workers has taken in of these.
    fn taken_in(all: &[u64], width: u32, workers: usize) -> Vec<Dealt> {
        let seats = (0..workers).map(|own| Seat { own, workers });
        let each = seats.map(|seat| {
            let mut dealt = Dealt::new(dealer(width, &Decide::all(1), seat), seat);
            all.chunks(AT_ONCE).for_each(|words| {
                put_in(&mut dealt, words);
            });
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
    fn words_find_room_again_where_they_had_numbers() {
        let words: Vec<u64> = (0..5_000).map(|word| word * 3).collect();
        let seat = Seat { own: 0, workers: 1 };
        let [dealt] = &mut taken_in(&words, 30, 1)[..] else {
            panic!("one worker was asked for");
        };
        let empty = || Dealt::new(dealer(30, &Decide::all(1), seat), seat);
        let dealt = std::mem::replace(dealt, empty());
        let mut dealt = Dealt::of_numbered(dealt.numbered(), empty());
        assert_eq!(put_in(&mut dealt, &[3, 4, 14_997, 15_000]), [4, 15_000]);
    }
}
