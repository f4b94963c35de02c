//! The states of a tester or an automaton, and the steps between them.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, HasName, ModifierKind};

use crate::elaborate::Elaborator;
use crate::names::{Symbol, SymbolKind};
use crate::problem::{Code, Words};
use crate::spans::span_of;
use stubborn_system::property::{BuchiState, Formula, TestingState};
use stubborn_system::source::{FileId, Span};
use stubborn_system::source_map::LocationSource;

/// How many states may be initial.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Initial {
    One,
    OneOrMore,
}

/// The states of a tester or an automaton.
pub(super) struct States {
    pub(super) file: FileId,
    pub(super) list: Vec<ast::State>,
    pub(super) spans: Vec<Span>,
    by_name: FxHashMap<String, usize>,
    /// Whether a state is missing or there twice, of which much else would be a consequence.
    mistaken: bool,
    /// For each state the steps with where they lead.
    pub(super) targets: Vec<Vec<(ast::Step, Option<usize>)>>,
}

impl States {
    pub fn of(
        elaborator: &mut Elaborator,
        body: &ast::Body,
        name: Span,
        initial: Initial,
    ) -> States {
        let list: Vec<ast::State> = body.states().collect();
        let mut states = States {
            file: elaborator.env.file,
            spans: Vec::new(),
            by_name: FxHashMap::default(),
            mistaken: false,
            targets: Vec::new(),
            list: Vec::new(),
        };
        let mut first: Option<Span> = None;
        for (index, state) in list.iter().enumerate() {
            let name = state.name();
            let span = name.map_or_else(|| elaborator.span(state), |name| elaborator.span(&name));
            states.spans.push(span);
            let text = state.name().map(|name| name.text()).unwrap_or_default();
            if let Some(earlier) = states.by_name.get(&text) {
                states.mistaken = true;
                let message =
                    format!("there is already a state `{text}`; another name would mend it");
                let earlier = states.spans[*earlier];
                elaborator.duplicate(span, earlier, message);
            } else if !text.is_empty() {
                elaborator
                    .symbols
                    .declare(Symbol::new(text.as_str(), SymbolKind::State, span));
                states.by_name.insert(text, index);
            }
            if let Some(word) = state.initial_token() {
                let word = crate::spans::token_span(states.file, &word);
                if let Some(first) = first.filter(|_| initial == Initial::One) {
                    states.mistaken = true;
                    let words = Words::from(
                        "there is already an initial state, and a tester begins in one",
                    )
                    .see(first, "the first is here");
                    elaborator.error(Code::SeveralInitialStates, word, words);
                }
                first.get_or_insert(word);
            }
        }
        let is_told = |state: &ast::State| state.modifiers().any(|word| word.kind().is_none());
        if first.is_none() && (list.iter().any(is_told) || body.statements().next().is_some()) {
            // What has been told of the states or statements may be why.
            states.mistaken = true;
        } else if first.is_none() {
            states.mistaken = true;
            let message =
                "no state is `initial`; write `initial` before the state in which it begins";
            elaborator.error(Code::NoInitialState, name, message);
        }
        states.list = list;
        states.find_targets(elaborator);
        states
    }

    fn find_targets(&mut self, elaborator: &mut Elaborator) {
        for state in &self.list {
            let mut targets = Vec::new();
            for step in state.steps() {
                let name = step.next_state();
                let target = name
                    .as_ref()
                    .and_then(|name| self.by_name.get(&name.text()));
                if let Some(name) = &name
                    && !name.text().is_empty()
                {
                    let span = span_of(self.file, name);
                    match target {
                        Some(target) => elaborator.symbols.refer(span, self.spans[*target]),
                        None => {
                            self.mistaken = true;
                            let mut known: Vec<&str> =
                                self.by_name.keys().map(String::as_str).collect();
                            known.sort_unstable();
                            let near = elaborator.nearest(&name.text(), known);
                            let mend = match near {
                                Some(near) => format!("did you mean `{near}`?"),
                                None => String::from("`state` declares one"),
                            };
                            let message =
                                format!("there is no state `{}` here; {mend}", name.text());
                            let words = Words::instead(message, near);
                            elaborator.error(Code::UnknownState, span, words);
                        }
                    }
                }
                self.mistaken |= target.is_none();
                targets.push((step, target.copied()));
            }
            self.targets.push(targets);
        }
    }

    pub fn warn_of_unreachable(&self, elaborator: &mut Elaborator) {
        if self.mistaken {
            return;
        }
        let initial = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, state)| state.is_initial());
        let mut open: Vec<usize> = initial.map(|(index, _)| index).collect();
        let mut reached: FxHashSet<usize> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for (_, target) in &self.targets[state] {
                open.extend(target.filter(|target| reached.insert(*target)));
            }
        }
        for (index, span) in self.spans.iter().enumerate() {
            if !reached.contains(&index) {
                let name = self.list[index].name().map(|name| name.text());
                let message = format!(
                    "no steps lead to the state `{}`; it could be left out",
                    name.unwrap_or_default()
                );
                elaborator.warning(Code::Unreachable, *span, message);
            }
        }
    }

    pub fn steps(&self) -> impl Iterator<Item = (&ast::State, &ast::Step)> {
        self.list
            .iter()
            .zip(&self.targets)
            .flat_map(|(state, steps)| steps.iter().map(move |(step, _)| (state, step)))
    }

    pub fn states(&self) -> &[ast::State] {
        &self.list
    }

    /// The names and places of the states.
    pub fn sources(&self) -> Vec<LocationSource> {
        let states = self.list.iter().zip(&self.spans);
        states
            .map(|(state, span)| LocationSource {
                name: state.name().map(|name| name.text()).unwrap_or_default(),
                span: *span,
            })
            .collect()
    }

    /// The states of a Büchi automaton, of which some have conditions.
    pub fn buchi(&self, conditions: Vec<Option<Formula>>) -> Vec<BuchiState> {
        let states = self.list.iter().zip(&self.targets).zip(conditions);
        states
            .map(|((state, steps), condition)| {
                let has = |kind| state.modifier(kind).is_some();
                BuchiState {
                    initial: state.is_initial(),
                    reject: has(ModifierKind::Reject),
                    deadlock: has(ModifierKind::Deadlock),
                    infinite: has(ModifierKind::Infinite),
                    label: condition.unwrap_or(Formula::Constant(true)),
                    next: steps
                        .iter()
                        .filter_map(|(_, target)| target.map(|target| target as u32))
                        .collect(),
                }
            })
            .collect()
    }

    /// The states of a testing automaton; `number` gives the propositions.
    pub fn testing(
        &self,
        conditions: Vec<Option<Formula>>,
        number: &dyn Fn(&str) -> Option<u32>,
    ) -> Vec<TestingState> {
        let changed = |step: &ast::Step| {
            let names = step
                .change_clause()
                .into_iter()
                .flat_map(|change| change.names());
            let numbers = names.filter_map(|name| number(&name.text()));
            numbers.fold(0, |set, number| set | 1_u64 << (number & 63))
        };
        let states = self.list.iter().zip(&self.targets).zip(conditions);
        states
            .map(|((state, steps), condition)| {
                let has = |kind| state.modifier(kind).is_some();
                TestingState {
                    initial: state
                        .is_initial()
                        .then(|| condition.unwrap_or(Formula::Constant(true))),
                    reject: has(ModifierKind::Reject),
                    deadlock: has(ModifierKind::Deadlock),
                    livelock: has(ModifierKind::Livelock),
                    infinite: has(ModifierKind::Infinite),
                    next: steps
                        .iter()
                        .filter_map(|(step, target)| Some((changed(step), (*target)? as u32)))
                        .collect(),
                }
            })
            .collect()
    }
}
