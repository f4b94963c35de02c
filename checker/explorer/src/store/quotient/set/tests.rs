//! That a set has what was put in, in every width, and that growing is told and heard.

use std::collections::HashSet;

use super::*;
use crate::store::quotient::{Settled, buckets};

/// Numbers below 2^64 without an order.
fn drawn(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Mixing::of(64).mix(state)
    })
}

fn reserve(set: &mut Quotient, more: u64) {
    let flow = set.reserve(more, || ControlFlow::<()>::Continue(()));
    assert!(flow.is_continue());
}

fn insert(set: &mut Quotient, word: u64) -> bool {
    reserve(set, 1);
    let place = set.place(word);
    set.insert(place)
}

#[test]
fn mixing_can_be_undone_in_every_width() {
    for width in 16..=64 {
        let mixing = Mixing::of(width);
        for word in drawn(u64::from(width)).take(1000) {
            let word = word & mixing.mask;
            let mixed = mixing.mix(word);
            assert!(mixed & !mixing.mask == 0);
            assert_eq!(mixing.unmix(mixed), word, "{width}");
        }
    }
}

#[test]
fn a_set_has_what_was_put_in_and_nothing_else() {
    for (width, words, spread) in [
        (16, 60_000, 16),
        (20, 200_000, 18),
        (28, 300_000, 20),
        (35, 200_000, 35),
        (50, 200_000, 19),
        (64, 100_000, 64),
        (64, 100_000, 17),
    ] {
        let mut set = Quotient::new(width);
        let mut known = HashSet::new();
        for word in drawn(7).take(words) {
            let word = word >> (64 - spread) << (width - spread);
            reserve(&mut set, 1);
            let place = set.place(word);
            assert_eq!(set.has(place), known.contains(&word), "{width}");
            assert_eq!(set.insert(place), known.insert(word), "{width}");
            assert!(set.has(place));
        }
        assert_eq!(set.len(), known.len() as u64);
        let mut given = HashSet::new();
        let all = set.each(|word| match given.insert(word) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(word),
        });
        assert_eq!(all, ControlFlow::Continue(()), "each is given once");
        assert_eq!(given, known);
        for word in &known {
            assert!(!insert(&mut set, *word));
        }
    }
}

#[test]
fn words_that_are_put_in_together_are_new_where_they_are_one_by_one() {
    // Some buckets have no room, and some words stand apart from the table.
    let (mut crowded, mut apart) = (0, 0);
    for (width, words, spread) in [
        (16, 60_000, 16),
        (28, 300_000, 20),
        (40, 300_000, 19),
        (64, 100_000, 17),
    ] {
        let mut set = Quotient::new(width);
        let mut one_by_one = Quotient::new(width);
        let mut drawn = drawn(11).map(|word| word >> (64 - spread) << (width - spread));
        for round in 0..words / AT_ONCE {
            let mut batch: Vec<u64> = drawn.by_ref().take(round % AT_ONCE + 1).collect();
            // The same one twice.
            batch.extend((batch.len() < AT_ONCE).then_some(batch[0]));
            for set in [&mut set, &mut one_by_one] {
                reserve(set, batch.len() as u64);
            }
            let places: Vec<Place> = batch.iter().map(|word| set.place(*word)).collect();
            let is_new = |at: usize| one_by_one.insert(places[at]);
            let expected: Vec<bool> = (0..batch.len()).map(is_new).collect();
            let new = set.insert_all(&places);
            let found: Vec<bool> = (0..batch.len()).map(|at| new >> at & 1 == 1).collect();
            assert_eq!(found, expected, "{width}");
            assert_eq!(new >> (batch.len() - 1) >> 1, 0);
            assert_eq!(set.len(), one_by_one.len());
            assert!(places.iter().all(|place| set.has(*place)));
        }
        let full = |slots: &SmallBucket| slots[slots.len() - 1] != 0;
        if let Table::Small(lines) = &set.table {
            crowded += lines
                .parts::<SmallBucket>()
                .iter()
                .filter(|slots| full(slots))
                .count();
        }
        apart += set.apart.len();
    }
    assert!(crowded > 100 && apart > 0, "{crowded} {apart}");
}

#[test]
fn room_for_more_words_than_there_are_is_room_for_all() {
    for more in [1 << 16, 1 << 22, u64::MAX / 32] {
        let mut set = Quotient::new(16);
        for round in 0..2 {
            reserve(&mut set, more);
            for word in 0..1 << 16 {
                let place = set.place(word);
                assert_eq!(set.insert(place), round == 0);
            }
        }
        assert_eq!(set.len(), 1 << 16);
        assert!(set.bits <= 16);
    }
}

#[test]
fn numbers_in_a_row_find_their_room() {
    let mut set = Quotient::new(40);
    for word in 0..500_000 {
        assert!(insert(&mut set, word));
    }
    assert!(set.apart.len() < 5_000, "{}", set.apart.len());
    assert!((0..500_000).all(|word| !insert(&mut set, word)));
    assert!(insert(&mut set, 500_000));
}

#[test]
fn a_state_of_fifty_bits_takes_little_more_than_four_bytes() {
    let mut set = Quotient::new(38);
    // As large for 38 bits as 2^25 slots are for 50.
    let full = (1 << 13) * 13 / 16;
    for word in drawn(3).take(full) {
        insert(&mut set, word >> 26);
    }
    assert!(matches!(set.table, Table::Small(_)));
    let bytes = set.table.bytes() as f64 / set.len() as f64;
    assert!(bytes < 5.5, "{bytes}");
}

#[test]
fn what_growing_will_take_is_told_before() {
    let mut set = Quotient::new(30);
    for word in drawn(5) {
        let (more, before) = (set.bytes_to_grow(1), set.table.bytes());
        insert(&mut set, word >> 34);
        assert!(set.table.bytes() <= before.max(more));
        if set.len() > 100_000 {
            break;
        }
    }
}

#[test]
fn growing_can_be_broken_off_and_leaves_the_set_as_it_was() {
    let mut set = Quotient::new(40);
    let words: Vec<u64> = drawn(9).take(100_000).map(|word| word >> 24).collect();
    let known: HashSet<u64> = words.iter().copied().collect();
    words.iter().for_each(|word| {
        insert(&mut set, *word);
    });
    let (bytes, mut asked) = (set.bytes(), 0);
    let flow = set.reserve(1 << 20, || {
        asked += 1;
        match asked < 5 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break("enough"),
        }
    });
    assert_eq!((flow, asked), (ControlFlow::Break("enough"), 5));
    assert_eq!((set.bytes(), set.len()), (bytes, known.len() as u64));
    assert!(known.iter().all(|word| set.has(set.place(*word))));
    assert!(insert(&mut set, u64::MAX >> 24));
}

#[test]
fn what_growing_several_times_at_once_will_take_is_told_before() {
    for (width, many) in [(16, 1 << 20), (30, 400), (30, 5_000), (40, 1 << 16)] {
        let mut set = Quotient::new(width);
        let (more, before) = (set.bytes_to_grow(many), set.table.bytes());
        reserve(&mut set, many);
        let after = set.table.bytes();
        // The last table but one is still there when the last one is made.
        let most = if after > before {
            after + after / 2
        } else {
            before
        };
        assert_eq!(before + more, most, "{width} {many}");
        assert_eq!(set.bytes_to_grow(many), 0);
    }
}

#[test]
fn words_that_all_change_are_as_many_and_who_waits_for_it_is_asked() {
    for (from, to) in [(20, 30), (30, 60), (40, 26), (64, 64)] {
        let mut set = Quotient::new(from);
        // They have no more than 20 bits, at the one end of the word or at the other.
        let words: HashSet<u64> = drawn(11).take(60_000).map(|word| word >> 44).collect();
        let (left, right) = (from - 20, to - 20);
        for word in &words {
            insert(&mut set, *word << left);
        }
        let change = |word: u64| !(word >> left) << (64 - 20) >> (64 - 20) << right;
        let broken_off = set.changed(to, change, || ControlFlow::Break("enough"));
        assert!(matches!(broken_off, ControlFlow::Break("enough")));
        let mut asked = 0;
        let changed = set.changed(to, change, || {
            asked += 1;
            ControlFlow::<()>::Continue(())
        });
        let ControlFlow::Continue(mut changed) = changed else {
            panic!("nobody broke off");
        };
        assert!(asked * AT_ONCE <= words.len() && asked > 100);
        assert_eq!(changed.len(), words.len() as u64);
        assert!(changed.table.bytes() <= set.bytes_to_change(to));
        for word in &words {
            assert!(set.has(set.place(*word << left)));
            assert!(!insert(&mut changed, change(*word << left)), "{from} {to}");
        }
    }
}

#[test]
fn a_word_for_which_no_slot_has_a_value_is_kept_beside_the_table() {
    // Of 36 bits in 2^6 buckets a remainder and a choice take all bits of a small slot.
    let (width, bits, rest) = (36, FIRST_BUCKETS, 30);
    let mut set = Quotient::new(width);
    assert!(has_small_slots(width, bits) && !has_small_slots(width + 1, bits));
    let remainder = (1 << rest) - 1;
    let mixing = set.mixing;
    let word = |bucket: u64, remainder: u64| mixing.unmix(bucket << rest | remainder);
    for choice in 0..buckets::CHOICES {
        let bucket = 5 ^ buckets::other(choice, remainder, bits);
        for remainder in 0..LINE as u64 / 4 {
            insert(&mut set, word(bucket, remainder));
        }
    }
    let before = set.len();
    let last = word(5, remainder);
    assert!(!set.has(set.place(last)));
    assert_eq!(
        [insert(&mut set, last), insert(&mut set, last)],
        [true, false]
    );
    assert!(set.has(set.place(last)) && set.len() == before + 1);
    assert!(set.apart.contains(&last));
    let settled = Settled::new(set);
    assert_eq!(
        settled
            .number(settled.place(last))
            .and_then(|number| settled.word(number)),
        Some(last)
    );
}
