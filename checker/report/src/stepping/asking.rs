//! What somebody asks of a state: an expression of the language, with the names of the model or of an instance; a
//! channel, for what it holds; an instance, for where it is.

use std::collections::HashMap;
use std::sync::Arc;

use stubborn_engine::State;
use stubborn_engine::interpreter::evaluate;
use stubborn_model::{Around, Asked, read_expression};
use stubborn_system::source_map::Shape;
use stubborn_system::system::{LocationId, Type, Value};
use stubborn_system::value::written;

use super::model::Stepped;
use crate::{Shown, failure, named_channel};

/// So many expressions are remembered: reading one takes the time of laying out the processes.
const MOST_READ: usize = 1_000;

/// Who asks of the states of one model.
#[derive(Debug)]
pub struct Asking {
    model: Arc<Stepped>,
    read: HashMap<(Around, String), Result<Arc<Asked>, String>>,
}

/// What somebody asks for, once it is known what that is.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// By its number.
    Channel(usize),
    /// Likewise.
    Instance(usize),
    Expression(Arc<Asked>),
}

/// What a state has of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    Messages(Vec<Vec<i64>>),
    At(LocationId),
    Value(Value),
}

/// What a state says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// As it is written.
    pub text: String,
    /// Of an array or a record: its parts.
    pub parts: Option<(Value, Shape, Type)>,
    /// Of a truth value, which.
    pub truth: Option<bool>,
}

impl Asking {
    pub fn new(model: Arc<Stepped>) -> Asking {
        Asking {
            model,
            read: HashMap::new(),
        }
    }

    /// Reads an expression, or remembers having read it.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn read(&mut self, around: Around, text: &str) -> Result<Arc<Asked>, String> {
        let key = (around, text.trim().to_owned());
        if let Some(known) = self.read.get(&key) {
            return known.clone();
        }
        let Stepped {
            program, settings, ..
        } = &*self.model;
        let read = read_expression(program, settings, around, &key.1, &|| false);
        let read = match read {
            Ok(read) => read.map(Arc::new),
            Err(_) => Err("it was not read to its end".to_owned()),
        };
        if self.read.len() >= MOST_READ {
            self.read.clear();
        }
        self.read.insert(key, read.clone());
        read
    }

    /// What a text asks for.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn find(&mut self, around: Around, text: &str) -> Result<Wanted, String> {
        let name: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(found) = self.named(&name) {
            return Ok(found);
        }
        if let Some(first) = self.first_of(&name) {
            return Err(format!(
                "`{name}` has {}: `{first}`",
                if first.contains('[') {
                    "an index"
                } else {
                    "values"
                }
            ));
        }
        self.read(around, text).map(Wanted::Expression)
    }

    /// What that is in a state, of which nothing is written yet.
    ///
    /// # Errors
    /// Why it has no value there, as a sentence.
    pub fn look(&self, wanted: &Wanted, state: &State) -> Result<Look, String> {
        Ok(match wanted {
            Wanted::Channel(channel) => Look::Messages(state.channels[*channel].clone()),
            Wanted::Instance(instance) => Look::At(state.instances[*instance].location),
            Wanted::Expression(asked) => {
                let value = evaluate(&self.model.system, state, &asked.expr);
                let none = |why| format!("it has no value here: {}", failure(&why));
                Look::Value(value.map_err(none)?)
            }
        })
    }

    /// How what was found in a state is told.
    pub fn answer(&self, wanted: &Wanted, found: Look) -> Answer {
        let map = &self.model.map;
        let shown = |shown: Shown| Answer {
            text: shown.to_string(),
            parts: None,
            truth: None,
        };
        match (wanted, found) {
            (Wanted::Channel(channel), Look::Messages(held)) => {
                shown(named_channel(map, *channel, &held).1)
            }
            (Wanted::Instance(instance), Look::At(at)) => {
                shown(Shown::Name(map.location(*instance as u32, at).to_owned()))
            }
            (Wanted::Expression(asked), Look::Value(value)) => Answer {
                text: written(&value, &asked.shape),
                truth: match value {
                    Value::Int(value) if asked.is_condition => Some(value != 0),
                    _ => None,
                },
                parts: match value {
                    Value::Cells(_) => Some((value, asked.shape.clone(), asked.ty.clone())),
                    Value::Int(_) => None,
                },
            },
            _ => unreachable!("it was looked up for what is wanted"),
        }
    }

    /// What the text comes to in a state.
    ///
    /// # Errors
    /// What is wrong with it, or why it has no value there, as a sentence.
    pub fn ask(&mut self, around: Around, state: &State, text: &str) -> Result<Answer, String> {
        let wanted = self.find(around, text)?;
        let found = self.look(&wanted, state)?;
        Ok(self.answer(&wanted, found))
    }

    /// Whether a condition is true in a state.
    ///
    /// # Errors
    /// As of [`ask`](Asking::ask); and where it is no truth value.
    pub fn holds(&mut self, around: Around, state: &State, text: &str) -> Result<bool, String> {
        let truth = self.ask(around, state, text)?.truth;
        truth.ok_or_else(|| format!("`{}` is no truth value", text.trim()))
    }

    /// The first of several channels or instances that have this name with an index or values behind it.
    fn first_of(&self, name: &str) -> Option<&str> {
        let map = &self.model.map;
        let channels = map.channels.iter().map(|one| &*one.name);
        let instances = map.instances.iter().map(|one| &*one.name);
        let mut all = channels.chain(instances);
        all.find(|one| {
            let rest = one.strip_prefix(name);
            !name.is_empty() && rest.is_some_and(|rest| rest.starts_with(['[', '(']))
        })
    }

    /// A channel or an instance of this name, which no expression is by itself.
    fn named(&self, name: &str) -> Option<Wanted> {
        let Stepped { map, .. } = &*self.model;
        if let Some(channel) = map.channels.iter().position(|one| one.name == name) {
            return Some(Wanted::Channel(channel));
        }
        let instance = map.instances.iter().position(|one| one.name == name)?;
        Some(Wanted::Instance(instance))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::stepped;
    use super::*;

    #[test]
    fn expressions_channels_and_instances_are_told_as_they_are_written() {
        let model = Arc::new(stepped(
            "enum Colour { red, green }\nvar x: 0..3 = 2\nvar lamp: array[Colour] of bool\n\
             channel c: queue[2] of 0..3, Colour = [[1, red]]\nvar a: array[1..2] of 0..3\n\
             process p(i in 1..2) { var j: 0..3 here: j = i }\n",
        ));
        let state = State::initial(&model.system);
        let mut asking = Asking::new(model);
        let mut told = |around, text: &str| match asking.ask(around, &state, text) {
            Ok(answer) => answer.text,
            Err(why) => format!("! {why}"),
        };
        assert_eq!(told(Around::File, "x + 1"), "3");
        assert_eq!(told(Around::File, "lamp"), "[false, false]");
        assert_eq!(told(Around::File, " c "), "[[1, red]]");
        assert_eq!(told(Around::File, "p(2)"), "here");
        assert_eq!(
            told(Around::File, "p(1)@here and lamp[green] == false"),
            "true"
        );
        assert_eq!(told(Around::Instance(1), "10 * i + j"), "20");
        assert_eq!(
            told(Around::File, "a[x + 1]"),
            "! it has no value here: the index 3 is outside the array's 1..2"
        );
        assert!(told(Around::File, "j").starts_with("! "));
        assert_eq!(asking.holds(Around::File, &state, "x == 2"), Ok(true));
        let no_truth = asking.holds(Around::File, &state, "x");
        assert_eq!(no_truth, Err("`x` is no truth value".to_owned()));
    }
}
