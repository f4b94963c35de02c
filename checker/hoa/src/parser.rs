//! From tokens to an automaton.

mod expressions;

use rustc_hash::FxHashMap;

use stubborn_automata::label::{Cube, Label, MOST_PROPOSITIONS};
use stubborn_automata::limits::{MOST_STATES, MOST_TRANSITIONS};

use super::acceptance::{Condition, canonical};
use super::automaton::{Automaton, DEADLOCK, Edge, REJECT, State};
use super::place::{Place, Refused, Result};
use super::tokens::{self, Token, unexpected};

pub(super) fn parse(text: &str) -> Result<Automaton> {
    let tokens = tokens::automaton(text)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        end: Place::FIRST.after(text),
        aliases: FxHashMap::default(),
        largest: None,
    };
    let header = parser.header()?;
    parser.body(header)
}

struct Parser {
    tokens: Vec<(Token, Place)>,
    at: usize,
    end: Place,
    aliases: FxHashMap<String, Label>,
    /// The largest proposition that a label names, and where it does first.
    largest: Option<(u32, Place)>,
}

#[derive(Default)]
struct Header {
    name: Option<String>,
    states: Option<(u32, Place)>,
    starts: Vec<(u32, Place)>,
    propositions: Option<Vec<String>>,
    acceptance: Option<(u32, Condition, Place)>,
    acceptance_name: Option<(String, Vec<String>, Vec<u32>, Place)>,
    forms: Forms,
    reject: Option<(Vec<u32>, Place)>,
    deadlock: Option<(Vec<u32>, Place)>,
    seen: Vec<String>,
}

impl Parser {
    fn place(&self) -> Place {
        self.tokens
            .get(self.at)
            .map_or(self.end, |(_, place)| *place)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn is_sign(&self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn eat(&mut self, sign: char) -> bool {
        let there = self.is_sign(sign);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.wanted(&format!("`{sign}`")))
    }

    /// A refusal of what is there.
    fn wanted(&self, wanted: &str) -> Refused {
        match self.peek() {
            Some(token) => unexpected(token, self.place(), wanted),
            None => self
                .end
                .refuse(format!("the file ends where {wanted} should stand")),
        }
    }

    /// Takes the next token if it has a meaning, and returns that.
    fn take<T>(&mut self, meaning: impl FnOnce(&Token) -> Option<T>) -> Option<T> {
        let taken = meaning(self.peek()?)?;
        self.at += 1;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(|token| match token {
            Token::Integer(number) => Some(*number),
            _ => None,
        })
    }

    fn identifier(&mut self) -> Option<String> {
        self.take(|token| match token {
            Token::Identifier(name) => Some(name.clone()),
            _ => None,
        })
    }

    fn string(&mut self) -> Option<String> {
        self.take(|token| match token {
            Token::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn integer(&mut self, wanted: &str) -> Result<u32> {
        self.number().ok_or_else(|| self.wanted(wanted))
    }

    fn text(&mut self, wanted: &str) -> Result<String> {
        self.string().ok_or_else(|| self.wanted(wanted))
    }

    fn integers(&mut self) -> Vec<u32> {
        std::iter::from_fn(|| self.number()).collect()
    }

    fn header(&mut self) -> Result<Header> {
        let first = "`HOA: v1`, with which every file in this format begins,";
        match self.peek() {
            Some(Token::Header(name)) if name == "HOA" => self.at += 1,
            _ => return Err(self.wanted(first)),
        }
        match self.peek() {
            Some(Token::Identifier(version)) if version == "v1" => self.at += 1,
            Some(Token::Identifier(version)) => {
                let message =
                    format!("version `{version}` of the format is not known: only `v1` is");
                return Err(self.place().refuse(message));
            }
            _ => return Err(self.wanted("the version `v1`")),
        }
        let mut header = Header::default();
        header.seen.push("HOA".into());
        loop {
            let place = self.place();
            match self.peek() {
                Some(Token::Body) => {
                    self.at += 1;
                    break;
                }
                Some(Token::Header(name)) => {
                    let name = name.clone();
                    self.at += 1;
                    self.item(&mut header, name, place)?;
                }
                _ => return Err(self.wanted("a header item or `--BODY--`")),
            }
        }
        let count = header.propositions.as_ref().map_or(0, Vec::len);
        self.check_propositions(count)?;
        if header.acceptance.is_none() {
            let place = self.tokens[self.at - 1].1;
            return Err(place.refuse(
                "the header has no `Acceptance:`: a Büchi automaton has `Acceptance: 1 Inf(0)`",
            ));
        }
        check_name(&header)?;
        Ok(header)
    }

    fn item(&mut self, header: &mut Header, name: String, place: Place) -> Result<()> {
        let repeated = matches!(name.as_str(), "Start" | "Alias" | "properties");
        if !repeated && header.seen.contains(&name) {
            return Err(place.refuse(format!("the header has `{name}:` twice: leave one out")));
        }
        match name.as_str() {
            "States" => header.states = Some((self.integer("the number of states")?, place)),
            "Start" => {
                let state = self.conjunction("the number of an initial state")?;
                header.starts.push((state, place));
            }
            "AP" => header.propositions = Some(self.propositions()?),
            "Alias" => {
                let Some(Token::Alias(alias)) = self.peek() else {
                    return Err(self.wanted("the name of an alias, with `@`,"));
                };
                let alias = alias.clone();
                if self.aliases.contains_key(&alias) {
                    let message = format!("there is an alias `@{alias}` already: rename one");
                    return Err(self.place().refuse(message));
                }
                self.at += 1;
                let label = self.label(0)?;
                self.aliases.insert(alias, label);
            }
            "Acceptance" => {
                let sets = self.integer("the number of acceptance sets")?;
                let place = self.place();
                let condition = self.condition(sets, 0)?;
                header.acceptance = Some((sets, condition, place));
            }
            "acc-name" => {
                let name = self
                    .identifier()
                    .ok_or_else(|| self.wanted("the name of an acceptance condition"))?;
                let (mut words, mut numbers) = (Vec::new(), Vec::new());
                loop {
                    match self.peek() {
                        Some(Token::Identifier(word)) => words.push(word.clone()),
                        Some(Token::Boolean(value)) => words.push(value.to_string()),
                        Some(&Token::Integer(number)) => numbers.push(number),
                        _ => break,
                    }
                    self.at += 1;
                }
                header.acceptance_name = Some((name, words, numbers, place));
            }
            "tool" => {
                self.text("the name of a program, as a string,")?;
                self.string();
            }
            "name" => header.name = Some(self.text("the name of the automaton, as a string,")?),
            "properties" => {
                let more = std::iter::from_fn(|| self.identifier());
                header.forms.0.extend(more);
            }
            REJECT => header.reject = Some((self.integers(), place)),
            DEADLOCK => header.deadlock = Some((self.integers(), place)),
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return Err(place.refuse(format!(
                    "`{name}:` is not known, and its capital says that it changes what the \
                     automaton means: write the automaton without it"
                )));
            }
            _ => {
                while let Some(
                    Token::Boolean(_) | Token::Integer(_) | Token::Text(_) | Token::Identifier(_),
                ) = self.peek()
                {
                    self.at += 1;
                }
            }
        }
        header.seen.push(name);
        Ok(())
    }

    fn propositions(&mut self) -> Result<Vec<String>> {
        let place = self.place();
        let count = self.integer("the number of propositions")?;
        if count as usize > MOST_PROPOSITIONS {
            return Err(place.refuse(format!(
                "{count} propositions are too many: up to {MOST_PROPOSITIONS} can be observed"
            )));
        }
        let mut names: Vec<String> = Vec::new();
        while let Some(Token::Text(name)) = self.peek() {
            if names.contains(name) {
                let message = format!("there is a proposition {name:?} already: rename one");
                return Err(self.place().refuse(message));
            }
            names.push(name.clone());
            self.at += 1;
        }
        if names.len() != count as usize {
            let found = names.len();
            return Err(place.refuse(format!(
                "{count} propositions are announced, but {found} names follow: make the two equal"
            )));
        }
        Ok(names)
    }

    /// A state where universal branching would allow several.
    fn conjunction(&mut self, wanted: &str) -> Result<u32> {
        let state = self.integer(wanted)?;
        while self.is_sign('&') {
            let place = self.place();
            self.at += 1;
            if self.integer("the number of a state")? != state {
                return Err(place.refuse(
                    "universal branching is not read: turn the automaton into one without \
                     alternation first",
                ));
            }
        }
        Ok(state)
    }

    fn signature(&mut self, sets: u32) -> Result<Vec<u32>> {
        let mut numbers = Vec::new();
        if self.eat('{') {
            while !self.eat('}') {
                let place = self.place();
                let set = self.integer("the number of an acceptance set or `}`")?;
                check_set(set, sets, place)?;
                numbers.push(set);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn body(&mut self, header: Header) -> Result<Automaton> {
        let Some((sets, condition, place)) = header.acceptance else {
            return Err(self.wanted("`Acceptance:`"));
        };
        let propositions = header.propositions.unwrap_or_default();
        let forms = header.forms;
        let mut states: FxHashMap<u32, State> = FxHashMap::default();
        // What names a state, to be checked when all are known.
        let mut named: Vec<(u32, Place)> = header.starts.clone();
        let mut edges = 0;
        loop {
            let begin = self.place();
            match self.peek() {
                Some(Token::End) => {
                    self.at += 1;
                    break;
                }
                Some(Token::Header(name)) if name == "State" => self.at += 1,
                _ => return Err(self.wanted("`State:` or `--END--`")),
            }
            let label = self.bracketed()?;
            let at = self.place();
            let number = self.integer("the number of the state")?;
            named.push((number, at));
            self.string();
            let acceptance = self.place();
            let own = self.signature(sets)?;
            if !own.is_empty() {
                forms.check("trans-acc", "this state", "acceptance sets", acceptance)?;
            }
            let state = State {
                edges: self.edges(
                    sets,
                    propositions.len(),
                    label.is_some(),
                    &forms,
                    &mut named,
                )?,
                label,
                sets: own,
            };
            if state.label.is_some() {
                forms.check("trans-labels", "this state", "a label", begin)?;
            }
            edges += state.edges.len();
            if edges > MOST_TRANSITIONS || states.len() >= MOST_STATES {
                return Err(begin.refuse(format!(
                    "the automaton is too large: up to {MOST_STATES} states and \
                     {MOST_TRANSITIONS} edges are read"
                )));
            }
            if states.insert(number, state).is_some() {
                return Err(at.refuse(format!(
                    "state {number} is listed twice: put all its edges under one `State:`"
                )));
            }
        }
        self.check_propositions(propositions.len())?;
        let states = in_order(states, header.states, &named, self.tokens[self.at - 1].1)?;
        for numbers in [&header.reject, &header.deadlock].into_iter().flatten() {
            if let Some(number) = numbers.0.iter().find(|&&n| n as usize >= states.len()) {
                return Err(numbers.1.refuse(format!("there is no state {number}")));
            }
        }
        Ok(Automaton {
            name: header.name,
            propositions,
            starts: header.starts.iter().map(|(state, _)| *state).collect(),
            condition,
            place,
            states,
            reject: header.reject,
            deadlock: header.deadlock,
        })
    }

    fn bracketed(&mut self) -> Result<Option<Label>> {
        if !self.eat('[') {
            return Ok(None);
        }
        let label = self.label(0)?;
        self.expect(']')?;
        Ok(Some(label))
    }

    fn edges(
        &mut self,
        sets: u32,
        propositions: usize,
        labelled: bool,
        forms: &Forms,
        named: &mut Vec<(u32, Place)>,
    ) -> Result<Vec<Edge>> {
        let first = self.place();
        let mut edges: Vec<Edge> = Vec::new();
        while self.is_sign('[') || matches!(self.peek(), Some(Token::Integer(_))) {
            let place = self.place();
            let label = self.bracketed()?;
            if label.is_some() && labelled {
                return Err(place.refuse(
                    "this edge has a label, but its state has one already: leave one out",
                ));
            }
            if label.is_some() {
                forms.check("state-labels", "this edge", "a label", place)?;
                forms.check("implicit-labels", "this edge", "an explicit label", place)?;
            }
            if edges
                .first()
                .is_some_and(|first| first.label.is_some() != label.is_some())
            {
                return Err(place.refuse(
                    "of the edges of a state either all have labels or none has: add what is missing",
                ));
            }
            let target = self.place();
            let state = self.conjunction("the number of a state")?;
            named.push((state, target));
            let acceptance = self.place();
            let own = self.signature(sets)?;
            if !own.is_empty() {
                forms.check("state-acc", "this edge", "acceptance sets", acceptance)?;
            }
            edges.push(Edge {
                label,
                target: state,
                sets: own,
            });
        }
        let implicit = !labelled && edges.first().is_some_and(|edge| edge.label.is_none());
        if implicit {
            forms.check("state-labels", "this state", "no label", first)?;
            forms.check("explicit-labels", "this edge", "no label", first)?;
            let wanted = 1usize.checked_shl(propositions as u32);
            if wanted != Some(edges.len()) {
                let found = edges.len();
                return Err(first.refuse(format!(
                    "edges without labels are one for each of the 2^{propositions} valuations, but \
                     there are {found}: give the state or each edge a label"
                )));
            }
            let mask = (edges.len() as u64).wrapping_sub(1);
            for (valuation, edge) in edges.iter_mut().enumerate() {
                let holds = valuation as u64;
                let cubes = vec![Cube {
                    holds,
                    fails: mask & !holds,
                }];
                edge.label = Some(Label { cubes });
            }
        }
        Ok(edges)
    }
}

/// What the header says of the form of labels and acceptance.
#[derive(Default)]
struct Forms(Vec<String>);

impl Forms {
    /// Refuses something with what a property says is nowhere.
    fn check(&self, property: &str, what: &str, with: &str, place: Place) -> Result<()> {
        if !self.0.iter().any(|name| name == property) {
            return Ok(());
        }
        Err(place.refuse(format!(
            "{what} has {with}, but the header says `{property}`: leave out one of the two"
        )))
    }
}

/// Whether the name of the condition is that of the condition.
fn check_name(header: &Header) -> Result<()> {
    let (Some((name, words, numbers, place)), Some((sets, condition, _))) =
        (&header.acceptance_name, &header.acceptance)
    else {
        return Ok(());
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match canonical(name, &words, numbers) {
        Some((count, meant)) if count != *sets || !meant.is(condition) => Err(place.refuse(
            "the name of the acceptance condition does not fit `Acceptance:`, which counts: leave \
             out the name, or mend the other one",
        )),
        _ => Ok(()),
    }
}

/// The states by their numbers, where all are there.
fn in_order(
    mut states: FxHashMap<u32, State>,
    announced: Option<(u32, Place)>,
    named: &[(u32, Place)],
    end: Place,
) -> Result<Vec<State>> {
    if let Some((count, _)) = announced
        && let Some((number, place)) = named.iter().find(|(number, _)| *number >= count)
    {
        return Err(place.refuse(format!(
            "there is no state {number}: `States:` announces {count}, numbered from 0"
        )));
    }
    let largest = named.iter().map(|(number, _)| *number).max();
    let (count, place) = match announced {
        Some((count, place)) => (count, place),
        None => (largest.map_or(0, |largest| largest + 1), end),
    };
    let mut all = Vec::new();
    for number in 0..count {
        let Some(state) = states.remove(&number) else {
            let used = named.iter().find(|(used, _)| *used == number);
            let place = used.map_or(place, |(_, place)| *place);
            return Err(place.refuse(format!(
                "state {number} is not listed: add `State: {number}` to the body"
            )));
        };
        all.push(state);
    }
    Ok(all)
}

fn check_set(set: u32, sets: u32, place: Place) -> Result<()> {
    if set < sets {
        return Ok(());
    }
    Err(place.refuse(format!(
        "there is no acceptance set {set}: `Acceptance:` announces {sets}, numbered from 0"
    )))
}
