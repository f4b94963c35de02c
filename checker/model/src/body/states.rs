//! Bodies of states.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName};

use crate::names::{Env, SymbolKind};
use crate::problem::{Code, Words};
use crate::spans::{span_of, token_span};
use stubborn_system::source::Span;

use super::graph::{Arc, Label, Node, NodeId, Stand, Way};
use super::macros::MacroScope;
use super::shared::SAME;
use super::{Act, Builder, Met, Planned};

impl Builder<'_, '_> {
    /// The states of a body. `name` is the process's.
    pub(super) fn states(&mut self, body: &ast::Body, name: Span, env: &Env, macros: &MacroScope) {
        let mut nodes: FxHashMap<String, (NodeId, Span)> = FxHashMap::default();
        let mut states: Vec<(ast::State, NodeId)> = Vec::new();
        let mut initial: Option<(NodeId, Span)> = None;
        for state in body.states() {
            let whole = span_of(self.file, &state);
            if !self.has_room(whole) {
                break;
            }
            let span = state.name().map_or(whole, |name| span_of(self.file, &name));
            let stand = Stand {
                span,
                line: self.line(span),
            };
            let node = self.graph.add(Node::Point { arcs: Vec::new() }, stand);
            if let Some(name) = state.name() {
                let name = name.text();
                match nodes.get(&name) {
                    Some((_, first)) => {
                        self.mistaken = true;
                        let message = format!(
                            "there is already a state `{name}`; another name would mend it"
                        );
                        self.elaborator.duplicate(span, *first, message);
                    }
                    None => {
                        self.declare(&name, span, SymbolKind::State);
                        nodes.insert(name.clone(), (node, span));
                        self.graph.labels.push(Label {
                            name,
                            node,
                            span: Some(span),
                            is_final: state.is_final(),
                            visible: true,
                        });
                    }
                }
            }
            if let Some(token) = state.initial_token() {
                let token = token_span(self.file, &token);
                match initial {
                    None => initial = Some((node, token)),
                    Some((_, first)) => {
                        self.mistaken = true;
                        let words = Words::from(
                            "there is already an initial state, and a process begins in one",
                        )
                        .see(first, "the first is here");
                        self.elaborator
                            .error(Code::SeveralInitialStates, token, words);
                    }
                }
            }
            self.met.push(Met {
                span,
                node,
                before: None,
                around: None,
                is_state: true,
            });
            states.push((state, node));
        }
        // One with a word before it that there is not may be the one.
        let is_told = |state: &ast::State| state.modifiers().any(|word| word.kind().is_none());
        if initial.is_none() && body.states().any(|state| is_told(&state)) {
            self.mistaken = true;
        } else if initial.is_none() && !self.is_mixed(body) {
            self.mistaken = true;
            let message = "no state is `initial`; write `initial` before the state in which the process \
                 begins";
            self.problem(Code::NoInitialState, name, message);
        }
        if !self.is_mixed(body) || self.graph.initial == 0 {
            let first = states.first().map(|(_, node)| *node);
            if let Some(node) = initial.map(|(node, _)| node).or(first) {
                self.graph.initial = node;
            }
        }
        for (state, node) in &states {
            for step in state.steps() {
                let span = span_of(self.file, &step);
                if !self.has_room(span) {
                    return;
                }
                let way = self.target(&step, &nodes, *node);
                let dead = step
                    .guard()
                    .is_some_and(|guard| self.decided(env, &guard) == Some(false));
                self.graph.arc(
                    *node,
                    Arc {
                        step: Planned {
                            act: Act::Step(step),
                            env: env.clone(),
                            span,
                            macros: macros.clone(),
                            call: None,
                        },
                        way,
                        dead,
                    },
                );
            }
        }
    }

    fn is_mixed(&self, body: &ast::Body) -> bool {
        body.statements().next().is_some()
    }

    /// The state that a step leads to which is taken from `own`.
    fn target(
        &mut self,
        step: &ast::Step,
        nodes: &FxHashMap<String, (NodeId, Span)>,
        own: NodeId,
    ) -> Way {
        // What is missing has its message already.
        let Some(state) = step.next_state() else {
            self.mistaken = true;
            return Way::Nowhere;
        };
        let name = state.text();
        let span = span_of(self.file, &state);
        match nodes.get(&name) {
            Some((node, declared)) => {
                self.elaborator.symbols.refer(span, *declared);
                Way::To(*node)
            }
            None if name == SAME => Way::To(own),
            None => {
                self.mistaken = true;
                if !name.is_empty() {
                    let known = nodes.keys().map(String::as_str);
                    let near = self.elaborator.nearest(&name, known);
                    let hint = match near {
                        Some(near) => format!("; did you mean `{near}`?"),
                        None => String::from("; declare it with `state`"),
                    };
                    let message = format!("there is no state `{name}` here{hint}");
                    self.problem(Code::UnknownState, span, Words::instead(message, near));
                }
                Way::Nowhere
            }
        }
    }
}
