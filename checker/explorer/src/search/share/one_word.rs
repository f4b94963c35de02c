//! States of one word.

use std::ops::{ControlFlow, Range};

use stubborn_space::several::Seat;
use stubborn_space::verdict::Reason;

use super::dealt::{Dealt, InPart};
use super::gathers::{Gathers, WORDS_AT_ONCE};
use super::levels::Levels;
use super::owners::{Decide, dealer, owner_of_part, parts};
use super::taking::Taking;
use crate::search::meter::Stop;

use crate::store::deal::Dealer;
use crate::store::quotient::{AT_ONCE, ones};

pub struct OneWords {
    set: Known,
    seat: Seat,
    dealer: Dealer,
    /// Which parts of all belong here.
    own: Range<usize>,
    /// The states of the present layer that are still to be gone through, the next one last.
    layer: Vec<u64>,
    /// The states of the next layer that were found.
    next: Vec<u64>,
    /// Those of the search, while others are gone through once more.
    waiting: Option<(Vec<u64>, Vec<u64>)>,
    /// States that are to be looked up together, as soon as what is there has come near.
    words: Vec<u64>,
    places: Vec<InPart>,
}

enum Known {
    Growing(Dealt),
    /// Where somebody asks for ways.
    Noted(Levels),
}

/// Somebody has sent a state to the wrong worker.
#[cold]
pub fn not_ours() -> Stop {
    let defect = "a state arrived that belongs to somebody else";
    Stop::Limit(Reason::Internal(defect.to_owned()))
}

/// What it takes while a list grows for so many more: one that is full is copied into one twice as long.
fn to_grow(list: &Vec<u64>, more: usize) -> u64 {
    match list.capacity() - list.len() < more {
        true => (list.capacity() as u64 * 2 + more as u64) * 8,
        false => 0,
    }
}

impl OneWords {
    /// Of so many bits, those of the worker in this seat.
    pub fn new(width: u32, decide: &Decide, seat: Seat) -> OneWords {
        let dealer = dealer(width, decide, seat);
        OneWords {
            set: Known::Growing(Dealt::new(dealer, seat)),
            seat,
            own: parts(&dealer, seat),
            dealer,
            layer: Vec::new(),
            next: Vec::new(),
            waiting: None,
            words: Vec::with_capacity(AT_ONCE),
            places: Vec::with_capacity(AT_ONCE),
        }
    }

    pub fn bytes(&self) -> u64 {
        let set = match &self.set {
            Known::Growing(set) => set.bytes(),
            Known::Noted(levels) => levels.bytes(),
        };
        let waiting = self.waiting.as_ref();
        let waiting = waiting.map_or(0, |(layer, next)| layer.capacity() + next.capacity());
        let looked_up = (AT_ONCE * (size_of::<u64>() + size_of::<InPart>())) as u64;
        set + looked_up + ((self.layer.capacity() + self.next.capacity() + waiting) * 8) as u64
    }

    /// Whether layers are noted.
    #[inline(always)]
    pub fn is_noting(&self) -> bool {
        matches!(self.set, Known::Noted(_))
    }

    /// Notes the layer of states that have none yet.
    pub fn note<L: Gathers>(
        &mut self,
        rows: &[u64],
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        let Known::Noted(levels) = &mut self.set else {
            return ControlFlow::Continue(());
        };
        for rows in rows.chunks(WORDS_AT_ONCE) {
            taking.may_hold(to_grow(&self.next, rows.len()))?;
            for word in rows {
                taking.measure()?;
                if levels.note(*word) {
                    self.next.push(*word);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The part that a word belongs to, of those of all workers, and what that does not tell of it.
    #[inline(always)]
    pub fn deal(&self, word: u64) -> (usize, u64) {
        debug_assert!(self.dealer.is_of(word), "a state has no other bits");
        self.dealer.deal(word)
    }

    /// The same of a word that somebody has sent; `None` where it does not belong here, or is no such word.
    #[inline]
    pub fn deal_own(&self, word: u64) -> Option<(usize, u64)> {
        let dealt = self.dealer.is_of(word).then(|| self.deal(word))?;
        self.own.contains(&dealt.0).then_some(dealt)
    }

    /// To whom a state of a part is sent. Its own are kept here; but while layers are noted all are sent, as the layer that
    /// they are noted for begins later.
    #[inline(always)]
    pub fn is_sent_to(&self, (part, _): (usize, u64)) -> Option<usize> {
        let is_kept = self.own.contains(&part) && !self.is_noting();
        (!is_kept).then(|| owner_of_part(part, &self.dealer, self.seat.workers))
    }

    /// Has a state wait that is kept here, for which there is [room](OneWords::has_room). Whether as many do as are looked
    /// up together.
    #[inline(always)]
    pub fn have_wait(&mut self, word: u64, (part, rest): (usize, u64)) -> bool {
        let Known::Growing(set) = &self.set else {
            return false;
        };
        self.words.push(word);
        self.places.push(set.place(part, rest));
        self.places.len() == AT_ONCE
    }

    /// Takes in those that wait, as far as they are new: how many. Then none waits.
    #[inline]
    pub fn put_in(&mut self) -> usize {
        let new = match &mut self.set {
            Known::Growing(set) => set.put_in(&self.places),
            Known::Noted(_) => 0,
        };
        self.next.extend(ones(new).map(|at| self.words[at]));
        self.words.clear();
        self.places.clear();
        new.count_ones() as usize
    }

    /// The state after which so many were found.
    #[inline]
    pub fn found_before(&self, later: usize) -> u64 {
        self.next[self.next.len() - 1 - later]
    }

    /// Whether there is room for as many as are looked up together.
    #[inline]
    pub fn has_room(&self) -> bool {
        let has_room = match &self.set {
            Known::Growing(set) => set.has_room(),
            Known::Noted(_) => true,
        };
        has_room && to_grow(&self.next, AT_ONCE) == 0
    }

    /// Makes room for them. `ask` is asked whether so many bytes more are allowed than there were, and now and then while
    /// the set grows.
    pub fn make_room<B>(&mut self, mut ask: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        // Room changes where they belong.
        debug_assert!(self.places.is_empty(), "what waits was looked up");
        let before = self.next.capacity();
        let list = to_grow(&self.next, AT_ONCE);
        if list > 0 {
            ask(list)?;
            self.next.reserve(AT_ONCE);
        }
        let grown = ((self.next.capacity() - before) * 8) as u64;
        match &mut self.set {
            Known::Growing(set) => set.make_room(|more| ask(grown + more)),
            Known::Noted(_) => ControlFlow::Continue(()),
        }
    }

    /// Gives every word that was looked up, while no layers are noted, in no order, until the taker breaks off.
    pub fn each<B>(&self, give: impl FnMut(u64) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.set {
            Known::Growing(set) => set.each(give),
            Known::Noted(_) => ControlFlow::Continue(()),
        }
    }

    /// What it takes to [change](OneWords::change) the words, besides what there is.
    pub fn bytes_to_change(&self, width: u32) -> u64 {
        match &self.set {
            Known::Growing(set) => {
                let lists = (self.layer.len() + self.next.len()) as u64 * 8;
                set.bytes_to_change(self.dealer_of(width)) + lists
            }
            Known::Noted(_) => 0,
        }
    }

    /// Gives all words others of so many bits, no two the same; while none waits to be looked up, and no layers are noted. All
    /// must belong here. `ask` is asked now and then whether that may take so many bytes, besides what there is; where it breaks off
    /// all is as it was.
    pub fn change<B>(
        &mut self,
        width: u32,
        mut change: impl FnMut(u64) -> u64,
        mut ask: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        debug_assert!(self.places.is_empty(), "what waits was looked up");
        debug_assert_eq!(self.seat.workers, 1, "each is kept here afterwards as well");
        let dealer = self.dealer_of(width);
        let Known::Growing(set) = &self.set else {
            return ControlFlow::Continue(());
        };
        let set = set.changed((dealer, self.seat), &mut change, &mut ask)?;
        let lists = (self.layer.len() + self.next.len()) as u64 * 8;
        let held = set.bytes() + lists;
        let [layer, next] = [&self.layer, &self.next].map(|list| {
            let mut changed = Vec::with_capacity(list.len());
            for words in list.chunks(AT_ONCE) {
                changed.extend(words.iter().map(|word| change(*word)));
                ask(held)?;
            }
            ControlFlow::Continue(changed)
        });
        (self.layer, self.next) = (layer?, next?);
        self.set = Known::Growing(set);
        self.dealer = dealer;
        self.own = parts(&dealer, self.seat);
        ControlFlow::Continue(())
    }

    fn dealer_of(&self, width: u32) -> Dealer {
        dealer(width, &Decide::all(1), self.seat)
    }

    pub fn next_layer(&mut self) -> u64 {
        // All of the last one were taken: its list is there for the next one.
        std::mem::swap(&mut self.layer, &mut self.next);
        self.next.clear();
        // In the order in which they were found, on which it depends how often a state was met lately.
        self.layer.reverse();
        if let Known::Noted(levels) = &mut self.set {
            levels.next_layer();
        }
        self.layer.len() as u64
    }

    pub fn take(&mut self) -> Option<u64> {
        self.layer.pop()
    }

    /// The one that is taken next.
    #[inline]
    pub fn upcoming(&self) -> Option<u64> {
        self.layer.last().copied()
    }

    pub fn has_more(&self) -> bool {
        !self.layer.is_empty()
    }

    /// What it takes to note layers up to this one, besides what there is.
    pub fn bytes_for_levels(&self, to: u64) -> u64 {
        match &self.set {
            Known::Growing(set) => Levels::bytes_for(set, to),
            Known::Noted(_) => 0,
        }
    }

    /// From now on states that are met are not taken in: their layers are noted, from the initial state's on.
    pub fn begin_levels(&mut self, to: u64) {
        if let Known::Growing(set) = &mut self.set {
            let empty = Dealt::new(self.dealer, self.seat);
            let set = std::mem::replace(set, empty);
            self.set = Known::Noted(Levels::new(set, to));
            let layer = std::mem::take(&mut self.layer);
            self.waiting = Some((layer, std::mem::take(&mut self.next)));
        }
    }

    /// The search goes on where it was.
    pub fn end_levels(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            (self.layer, self.next) = waiting;
        }
        let empty = || Dealt::new(self.dealer, self.seat);
        let set = std::mem::replace(&mut self.set, Known::Growing(empty()));
        self.set = Known::Growing(match set {
            Known::Growing(set) => set,
            Known::Noted(levels) => Dealt::of_numbered(levels.into_states(), empty()),
        });
    }

    /// The layer that was noted of a state.
    pub fn level_of(&self, word: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.of(word),
            Known::Growing(_) => None,
        }
    }

    /// Every state's number is below this, once layers are noted.
    pub fn numbers(&self) -> u64 {
        match &self.set {
            Known::Noted(levels) => levels.numbers(),
            Known::Growing(_) => 0,
        }
    }

    pub fn number(&self, word: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.number(word),
            Known::Growing(_) => None,
        }
    }

    /// The state with a number, if one has it.
    pub fn word(&self, number: u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.word(number),
            Known::Growing(_) => None,
        }
    }

    /// A state of a layer, from this number on.
    pub fn of_level(&self, layer: u64, from: &mut u64) -> Option<u64> {
        match &self.set {
            Known::Noted(levels) => levels.next_in(layer, from),
            Known::Growing(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_of_one_worker_and_what_is_no_word_of_none() {
        let worker = |own| OneWords::new(20, &Decide::all(1), Seat { own, workers: 3 });
        let workers = [0, 1, 2].map(worker);
        for word in 0..1000 {
            let of: Vec<usize> = (0..3)
                .filter(|own| workers[*own].deal_own(word).is_some())
                .collect();
            let [of] = of[..] else {
                panic!("{word} is of {of:?}");
            };
            for (own, worker) in workers.iter().enumerate() {
                assert_eq!(
                    worker.is_sent_to(worker.deal(word)),
                    (own != of).then_some(of)
                );
                assert!(worker.deal_own(word | 1 << 20).is_none());
            }
        }
    }

    #[test]
    fn states_are_gone_through_in_the_order_in_which_they_were_found() {
        let mut kept = OneWords::new(20, &Decide::all(1), Seat { own: 0, workers: 1 });
        for words in [&[7, 3, 9][..], &[3, 11, 9, 5]] {
            assert!(
                kept.make_room(|_| ControlFlow::<()>::Continue(()))
                    .is_continue()
            );
            for word in words {
                assert!(!kept.have_wait(*word, kept.deal(*word)));
            }
            kept.put_in();
        }
        assert_eq!((kept.found_before(0), kept.found_before(4)), (5, 7));
        assert_eq!(kept.next_layer(), 5);
        assert_eq!(kept.upcoming(), Some(7));
        let layer: Vec<u64> = std::iter::from_fn(|| kept.take()).collect();
        assert_eq!(layer, [7, 3, 9, 11, 5]);
    }

    #[test]
    fn words_change_all_together_or_stay_as_they_were() {
        let mut kept = OneWords::new(12, &Decide::all(1), Seat { own: 0, workers: 1 });
        let words: Vec<u64> = (0..3_000).collect();
        for words in words.chunks(AT_ONCE) {
            let flow = kept.make_room(|_| ControlFlow::<()>::Continue(()));
            assert!(flow.is_continue());
            for word in words {
                kept.have_wait(*word, kept.deal(*word));
            }
            kept.put_in();
        }
        let all = |kept: &OneWords| {
            let mut all = Vec::new();
            let _ = kept.each(|word| {
                all.push(word);
                ControlFlow::<()>::Continue(())
            });
            all.sort_unstable();
            (all, kept.next.clone())
        };
        let wide = |word: u64| word << 30 | 5;
        let needed = kept.bytes_to_change(42);
        for most in [0, needed / 2] {
            let ask = |bytes| match bytes <= most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(bytes),
            };
            assert!(kept.change(42, wide, ask).is_break());
            assert_eq!(all(&kept), (words.clone(), words.clone()));
        }
        let mut most = 0;
        let flow = kept.change(42, wide, |bytes| {
            most = most.max(bytes);
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue() && most >= needed / 2);
        let changed: Vec<u64> = words.iter().map(|word| wide(*word)).collect();
        assert_eq!(all(&kept), (changed.clone(), changed));
    }
}
