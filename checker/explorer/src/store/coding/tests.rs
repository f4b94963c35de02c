use std::collections::HashMap;

use super::*;

/// A state of three words, from numbers without an order: of the first word few values.
fn drawn(number: u64) -> [u64; 3] {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = mixed ^ mixed >> 29;
    [mixed & 0x0303, mixed >> 8 & 0xff_00ff, mixed >> 20 & 0x3f]
}

fn coding() -> Components {
    let parts = vec![
        (2, u64::MAX),
        (0, 0xff),
        (0, 0xff00),
        (1, 0xffff),
        (1, 0xffff << 16),
    ];
    Components::new(parts, &drawn(0)).expect("there are few")
}

#[test]
fn words_tell_their_states_whatever_they_change_to() {
    let mut coding = coding();
    let mut states: HashMap<u64, [u64; 3]> = HashMap::from([(0, drawn(0))]);
    let (mut from, mut before) = (0, [0; 3]);
    let mut changes = 0;
    for number in 1..5_000 {
        coding.begin(from, &mut before);
        assert_eq!(states[&from], before);
        let state = drawn(number);
        let word = loop {
            match coding.word(&state) {
                Ok(word) => break word,
                Err(Outgrown) => {
                    let change = coding.widen().expect("there are few values");
                    let all = states.len();
                    states = states.iter().map(|(w, s)| (change.of(*w), *s)).collect();
                    assert_eq!(states.len(), all, "no two words become one");
                    changes += 1;
                }
            }
        };
        assert!(word >> coding.width() == 0);
        assert_eq!(*states.entry(word).or_insert(state), state);
        from = word;
    }
    for (word, state) in &states {
        let mut told = [0; 3];
        coding.state(*word, &mut told);
        assert_eq!(told, *state);
    }
    assert!(
        states.len() > 1_000 && changes > 5,
        "{} {changes}",
        states.len()
    );
}

#[test]
fn all_bits_of_a_word_are_used_and_what_has_one_value_needs_none() {
    let bytes = (0..8).map(|at| (0, 0xff << (8 * at)));
    let parts = bytes.chain([(1, u64::MAX)]).collect();
    let mut coding = Components::new(parts, &[0, 7]).expect("there are few");
    for byte in 0..256 {
        let state = [byte * 0x0101_0101_0101_0101, 7];
        let word = loop {
            match coding.word(&state) {
                Ok(word) => break word,
                Err(Outgrown) => coding.widen().map(drop).expect("a word has the bits"),
            }
        };
        let mut told = [0; 2];
        coding.state(word, &mut told);
        assert_eq!(told, state);
    }
    assert_eq!(coding.width(), 64);
}

#[test]
fn several_codings_have_one_number_for_each_value() {
    let mut first = coding();
    let mut others = [first.one_more(), first.one_more()];
    let mut words: HashMap<u64, [u64; 3]> = HashMap::new();
    let mut number = 1;
    let mut changes = 0;
    loop {
        // Each meets states of its own, and some that others meet, until one outgrows its bits.
        let has_outgrown = (number..4_000).any(|next| {
            let coding = match next as usize % 3 {
                0 => &mut first,
                at => &mut others[at - 1],
            };
            let state = drawn(next % 7 + next / 7 * 3);
            number = next + 1;
            match coding.word(&state) {
                Ok(word) => {
                    assert_eq!(*words.entry(word).or_insert(state), state);
                    false
                }
                Err(Outgrown) => true,
            }
        });
        if !has_outgrown {
            break;
        }
        changes += 1;
        first.catch_up();
        let change = first.widen().expect("there are few values");
        others.iter_mut().for_each(|other| other.follow(&first));
        words = words.into_iter().map(|(w, s)| (change.of(w), s)).collect();
        for coding in others.iter_mut().chain([&mut first]) {
            coding.catch_up();
            for (word, state) in &words {
                let mut told = [0; 3];
                coding.state(*word, &mut told);
                assert_eq!(told, *state);
            }
        }
    }
    assert!(words.len() > 1_000 && changes > 5, "{changes}");
}

#[test]
fn what_a_state_shares_with_the_one_before_keeps_its_number() {
    let mut coding = coding();
    let [first, second] = [1, 2].map(|number| {
        let state = drawn(number);
        loop {
            match coding.word(&state) {
                Ok(word) => return word,
                Err(Outgrown) => coding.widen().map(drop).expect("there are few values"),
            }
        }
    });
    assert_ne!(first, second);
    let mut before = [0; 3];
    coding.begin(second, &mut before);
    assert_eq!(coding.word(&before), Ok(second));
    assert_eq!(coding.word(&drawn(0)), Ok(0));
}

#[test]
fn a_value_more_than_numbers_are_for_outgrows_every_word() {
    for most in [3, 4, 5] {
        let mut coding = coding();
        coding.most_values = most;
        let mut states = (0..5).map(|value| [drawn(0)[0], drawn(0)[1], value]);
        let outgrown = states.any(|state| {
            while coding.word(&state).is_err() {
                if coding.widen().is_none() {
                    return true;
                }
            }
            false
        });
        assert_eq!(outgrown, most < 5);
    }
}

#[test]
fn a_state_of_too_many_components_has_no_word() {
    let coding = |parts: u32| {
        let parts = (0..parts).map(|part| (part / 64, 1 << (part % 64)));
        Components::new(parts.collect(), &[0; 9])
    };
    let is_coded = |parts: usize| coding(parts as u32).is_some();
    let most = MOST_COMPONENTS;
    assert_eq!(
        [most - 1, most, most + 1].map(is_coded),
        [true, true, false]
    );
}

#[test]
fn bytes_are_what_the_values_and_their_index_take() {
    let mut coding = coding();
    let few = coding.bytes();
    for value in 0..10_000 {
        while coding.word(&[0, 0, value]).is_err() {
            coding.widen().expect("a word has the bits");
        }
    }
    let now: u64 = coding.components.iter().map(|one| one.values.bytes()).sum();
    assert_eq!(coding.bytes(), now);
    assert!(now > few + 10_000 * 12);
    let values: usize = coding.components.iter().map(|one| one.values.len()).sum();
    assert_eq!(coding.values(), values as u64);
}

#[test]
fn states_have_bits_in_common_if_their_words_have_what_tells_them() {
    let mut coding = coding();
    let mut words = vec![(0, drawn(0))];
    for number in 1..400 {
        let (from, _) = words[words.len() - 1];
        coding.begin(from, &mut [0; 3]);
        let state = drawn(number * 7);
        let word = loop {
            match coding.word(&state) {
                Ok(word) => break word,
                Err(Outgrown) => {
                    let change = coding.widen().expect("there are few values");
                    words
                        .iter_mut()
                        .for_each(|(word, _)| *word = change.of(*word));
                }
            }
        };
        words.push((word, state));
    }
    for bits in [[0x0003, 0, 0], [0x0100, 0, 1], [0, 1 << 20, 0], [0; 3]] {
        let telling = coding.telling(&bits);
        let of = |state: &[u64; 3]| [0, 1, 2].map(|at| state[at] & bits[at]);
        let mut met: HashMap<u64, [u64; 3]> = HashMap::new();
        for (word, state) in &words {
            assert_eq!(*met.entry(word & telling).or_insert(of(state)), of(state));
        }
        assert!(met.len() < words.len(), "{}", met.len());
    }
    let least = Bits {
        word: 0,
        mask: 0x0300,
    };
    let place = Place { least, most: least };
    let (field, known) = coding.field(place, 12);
    assert_eq!((known.word, known.mask), (0, 0xff00));
    assert_eq!(field.mask(), coding.telling(&[0x0100, 0, 0]));
    assert_eq!(coding.field(place, 1), Default::default());
}

#[test]
fn one_word_tells_a_place_by_as_many_bits_as_it_may() {
    let bits = |mask| Bits { word: 0, mask };
    let coding = OneWord { width: 20 };
    let place = Place {
        least: bits(0b1100),
        most: bits(0b111_1100),
    };
    let field = |shift, bits| Field { shift, bits };
    assert_eq!(coding.field(place, 5), (field(2, 5), place.most));
    assert_eq!(coding.field(place, 4), (field(2, 2), place.least));
    assert_eq!(coding.field(place, 1), Default::default());
    let apart = Place {
        most: bits(0b101_1100),
        ..place
    };
    assert_eq!(coding.field(apart, 12), (field(2, 2), place.least));
    assert_eq!(coding.telling(&[0b1010]), 0b1010);
}
