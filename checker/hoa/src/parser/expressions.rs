//! Labels and acceptance conditions.

use stubborn_automata::label::Label;
use stubborn_automata::limits::MOST_CUBES;

use super::{Parser, check_set};
use crate::acceptance::Condition;
use crate::labels;
use crate::place::{Place, Refused, Result};
use crate::tokens::Token;

/// How deep parentheses and negations may nest.
const DEEPEST: u32 = 200;

impl Parser {
    /// `|` binds least, then `&`, then `!`.
    pub(super) fn label(&mut self, depth: u32) -> Result<Label> {
        let mut label = self.label_conjunction(depth)?;
        while self.is_sign('|') {
            let place = self.place();
            self.at += 1;
            let right = self.label_conjunction(depth)?;
            label = labels::or(label, right).map_err(|_| too_many_cases(place))?;
        }
        Ok(label)
    }

    fn label_conjunction(&mut self, depth: u32) -> Result<Label> {
        let mut label = self.label_part(depth)?;
        while self.is_sign('&') {
            let place = self.place();
            self.at += 1;
            let right = self.label_part(depth)?;
            label = labels::and(label, right).map_err(|_| too_many_cases(place))?;
        }
        Ok(label)
    }

    fn label_part(&mut self, depth: u32) -> Result<Label> {
        let place = self.place();
        if depth > DEEPEST {
            return Err(place.refuse("this label nests too deeply: use an alias for a part of it"));
        }
        if self.eat('!') {
            let part = self.label_part(depth + 1)?;
            return labels::not(&part).map_err(|_| too_many_cases(place));
        }
        if self.eat('(') {
            let inner = self.label(depth + 1)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let label = match self.peek() {
            Some(&Token::Boolean(value)) => labels::constant(value),
            Some(&Token::Integer(number)) => {
                if self.largest.is_none_or(|(largest, _)| number > largest) {
                    self.largest = Some((number, place));
                }
                labels::proposition(number)
            }
            Some(Token::Alias(name)) => match self.aliases.get(name) {
                Some(label) => label.clone(),
                None => {
                    return Err(place.refuse(format!(
                        "there is no alias `@{name}` so far: define it with `Alias: @{name} …` \
                         before it is used"
                    )));
                }
            },
            _ => {
                return Err(
                    self.wanted("a label (`t`, `f`, a proposition's number, an alias, `!` or `(`)")
                );
            }
        };
        self.at += 1;
        Ok(label)
    }

    pub(super) fn check_propositions(&self, count: usize) -> Result<()> {
        match self.largest {
            Some((number, place)) if number as usize >= count => Err(place.refuse(format!(
                "there is no proposition {number}: `AP:` announces {count}, numbered from 0"
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn condition(&mut self, sets: u32, depth: u32) -> Result<Condition> {
        let mut parts = vec![self.condition_conjunction(sets, depth)?];
        while self.eat('|') {
            parts.push(self.condition_conjunction(sets, depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Condition::Any(parts),
        })
    }

    fn condition_conjunction(&mut self, sets: u32, depth: u32) -> Result<Condition> {
        let mut parts = vec![self.condition_part(sets, depth)?];
        while self.eat('&') {
            parts.push(self.condition_part(sets, depth)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Condition::All(parts),
        })
    }

    fn condition_part(&mut self, sets: u32, depth: u32) -> Result<Condition> {
        let place = self.place();
        if depth > DEEPEST {
            return Err(place.refuse("this condition nests too deeply"));
        }
        if self.eat('(') {
            let inner = self.condition(sets, depth + 1)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let infinitely = match self.peek() {
            Some(&Token::Boolean(value)) => {
                self.at += 1;
                return Ok(Condition::Constant(value));
            }
            Some(Token::Identifier(name)) if name == "Inf" => true,
            Some(Token::Identifier(name)) if name == "Fin" => false,
            _ => return Err(self.wanted("`Inf(…)`, `Fin(…)`, `t`, `f` or `(`")),
        };
        self.at += 1;
        self.expect('(')?;
        let outside = self.eat('!');
        let place = self.place();
        let set = self.integer("the number of an acceptance set")?;
        self.expect(')')?;
        check_set(set, sets, place)?;
        let of = if infinitely {
            Condition::Inf
        } else {
            Condition::Fin
        };
        Ok(of((set, outside)))
    }
}

fn too_many_cases(place: Place) -> Refused {
    place.refuse(format!(
        "this label has more than {MOST_CUBES} cases as a disjunction of conjunctions: use several \
         edges with simpler labels"
    ))
}
