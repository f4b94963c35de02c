//! That a word that several threads put in is in the set once, and that a set that has grown or changed has the same words.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::thread::scope;

use stubborn_space::threads::SystemThreads;

use super::*;
use crate::store::quotient::Settled;

const NEVER: fn() -> ControlFlow<()> = || ControlFlow::Continue(());

fn drawn(number: u64, spread: u32) -> u64 {
    Mixing::of(64).mix(number + 1) >> (64 - spread)
}

/// Each of so many threads puts all of them in, from a place of its own on; how many were new, to each.
fn put_in(set: &Shared, words: &[u64], threads: usize) -> Vec<u64> {
    scope(|scope| {
        let threads = (0..threads).map(|at| {
            let first = at * words.len() / threads / 8;
            let order = words.iter().cycle().skip(first).take(words.len());
            scope.spawn(move || {
                let (mut new, mut more) = (0, 0);
                let order: Vec<u64> = order.copied().collect();
                for words in order.chunks(AT_ONCE) {
                    let places: Vec<Place> = words.iter().map(|word| set.place(*word)).collect();
                    let put = set.insert_all(&places);
                    new += u64::from(put.new.count_ones());
                    more += put.more;
                }
                assert!(more <= set.bytes());
                new
            })
        });
        let threads: Vec<_> = threads.collect();
        let new = threads.into_iter().map(|thread| thread.join());
        new.map(|new| new.expect("nobody panics")).collect()
    })
}

fn by(many: usize) -> Movers<'static> {
    Movers {
        many,
        threads: &SystemThreads,
    }
}

#[test]
fn a_word_that_several_threads_put_in_is_new_to_one_of_them() {
    let mut apart = 0;
    // Of few bits the buckets are full, so that words go to others or stand apart.
    for (width, words, spread) in [
        (16, 60_000, 16),
        (20, 300_000, 19),
        (28, 300_000, 28),
        (64, 200_000, 64),
    ] {
        let drawn = (0..words).map(|number| drawn(number, spread));
        let words: HashSet<u64> = drawn.collect();
        let words: Vec<u64> = words.into_iter().collect();
        let many = words.len() as u64;
        let mut set = Shared::from(Quotient::new(width));
        assert!(!set.claim(many));
        assert!(set.grow(many, by(2), NEVER).is_continue());
        assert!(set.claim(many));
        let new = put_in(&set, &words, 4);
        assert_eq!(new.iter().sum::<u64>(), many, "{new:?}");
        set.settle(many, many);
        assert!(words.iter().all(|word| set.has(set.place(*word))));
        apart += set.apart_now().len();
        let own = Quotient::from(set);
        assert_eq!(own.len(), many);
        let mut given = HashSet::new();
        let all = own.each(|word| match given.insert(word) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(word),
        });
        assert_eq!(all, ControlFlow::Continue(()), "each is given once");
        assert!(words.iter().all(|word| given.contains(word)));
        // And it is a set in which words are looked for as in any other.
        let own = Settled::new(own);
        assert!(
            words
                .iter()
                .all(|word| own.number(own.place(*word)).is_some())
        );
    }
    assert!(apart > 0);
}

#[test]
fn a_set_that_has_grown_or_changed_on_several_threads_has_the_same_words() {
    for (width, spread, wider) in [(16, 16, 20), (24, 20, 24), (40, 40, 61), (40, 30, 40)] {
        let mut own = Quotient::new(width);
        let mut words = HashSet::new();
        for number in 0..50_000 {
            let word = drawn(number, spread);
            assert!(own.reserve(1, NEVER).is_continue());
            let place = own.place(word);
            assert_eq!(own.insert(place), words.insert(word));
        }
        let mut set = Shared::from(own);
        for threads in [1, 3] {
            let (size, many) = (set.size(), words.len() as u64);
            let more = (1_u64 << width.min(30)) - many;
            let needed = set.bytes_to_grow(more.min(3 * many), by(threads));
            assert!(
                set.grow(more.min(3 * many), by(threads), NEVER)
                    .is_continue()
            );
            assert!(set.size() >= size && set.bytes() <= needed, "{needed}");
            assert!(words.iter().all(|word| set.has(set.place(*word))));
            let flip = (1 << spread) - 1;
            let needed = set.bytes_to_change(wider, by(threads));
            let ControlFlow::Continue(other) =
                set.changed(wider, by(threads), |word| word ^ flip, NEVER)
            else {
                panic!("nobody breaks off");
            };
            assert!(other.bytes() <= needed);
            assert!(words.iter().all(|word| other.has(other.place(word ^ flip))));
            assert_eq!(Quotient::from(other).len(), many);
        }
        assert_eq!(Quotient::from(set).len(), words.len() as u64);
    }
}

#[test]
fn a_set_stays_as_it_was_where_growing_is_broken_off() {
    let mut own = Quotient::new(40);
    for number in 0..1_000_000 {
        assert!(own.reserve(1, NEVER).is_continue());
        let place = own.place(drawn(number, 40));
        own.insert(place);
    }
    let (many, mut set) = (own.len(), Shared::from(own));
    for threads in [1, 2] {
        let size = set.size();
        let mut asked = 0;
        let flow = set.grow(3 * many, by(threads), || {
            asked += 1;
            match asked < 3 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break("so it ends"),
            }
        });
        assert_eq!(flow, ControlFlow::Break("so it ends"));
        assert_eq!(set.size(), size);
        assert!((0..1_000_000).all(|number| set.has(set.place(drawn(number, 40)))));
    }
}

#[test]
fn no_more_room_is_claimed_than_there_is() {
    let set = Shared::from(Quotient::new(30));
    let room = set.room(set.bits);
    assert!(set.claim(room) && !set.claim(1));
    set.settle(room, room - 3);
    assert!(!set.claim(4) && set.claim(3));
}
