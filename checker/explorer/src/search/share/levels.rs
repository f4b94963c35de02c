//! In which layer each state of a set is.

use super::dealt::Dealt;
use crate::store::numbers::Numbers;

pub struct Levels {
    states: Numbers,
    noted: Noted,
    /// One more than the layer of states that are met, and 1 for the initial one.
    level: u32,
}

/// By the numbers of states: one more than the layer; 0 where it is not known.
enum Noted {
    Few(Vec<u16>),
    Many(Vec<u32>),
}

impl Levels {
    /// For layers up to this one.
    pub fn new(set: Dealt, to: u64) -> Levels {
        let states = set.numbered();
        let numbers = states.end() as usize;
        Levels {
            noted: match is_few(to) {
                true => Noted::Few(vec![0; numbers]),
                false => Noted::Many(vec![0; numbers]),
            },
            states,
            level: 1,
        }
    }

    /// What that takes, besides the set.
    pub fn bytes_for(set: &Dealt, to: u64) -> u64 {
        let each = if is_few(to) { 2 } else { 4 };
        set.numbers() * each
    }

    pub fn bytes(&self) -> u64 {
        self.states.bytes()
            + match &self.noted {
                Noted::Few(noted) => noted.len() as u64 * 2,
                Noted::Many(noted) => noted.len() as u64 * 4,
            }
    }

    /// Notes the layer of a state that is there, if it has none yet. Whether it had none. A step of the system may
    /// lead to one that was left out.
    pub fn note(&mut self, word: u64) -> bool {
        let Some(number) = self.number(word) else {
            return false;
        };
        let number = number as usize;
        match &mut self.noted {
            Noted::Few(noted) if noted[number] == 0 => noted[number] = self.level as u16,
            Noted::Many(noted) if noted[number] == 0 => noted[number] = self.level,
            _ => return false,
        }
        true
    }

    /// What is met from now on is one step farther.
    pub fn next_layer(&mut self) {
        self.level += 1;
    }

    fn at(&self, number: u64) -> u32 {
        match &self.noted {
            Noted::Few(noted) => noted[number as usize].into(),
            Noted::Many(noted) => noted[number as usize],
        }
    }

    /// Every state's number is below this.
    pub fn numbers(&self) -> u64 {
        self.states.end()
    }

    pub fn number(&self, word: u64) -> Option<u64> {
        self.states.number(self.states.seek(word)?)
    }

    pub fn word(&self, number: u64) -> Option<u64> {
        self.states.word(number)
    }

    pub fn of(&self, word: u64) -> Option<u64> {
        let number = self.number(word)?;
        self.at(number).checked_sub(1).map(u64::from)
    }

    /// A state of a layer, from this number on.
    pub fn next_in(&self, layer: u64, from: &mut u64) -> Option<u64> {
        let level = u32::try_from(layer + 1).ok()?;
        let numbers = self.states.end();
        let number = (*from..numbers).find(|number| self.at(*number) == level);
        *from = number.map_or(numbers, |number| number + 1);
        self.states.word(number?)
    }

    /// The states alone.
    pub fn into_states(self) -> Numbers {
        self.states
    }
}

/// Whether the numbers of layers up to this one are small.
fn is_few(to: u64) -> bool {
    to + 2 < u64::from(u16::MAX)
}
