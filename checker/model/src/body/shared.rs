//! Steps that several places of a body have: `in a, b { … }`, `in any { … }` (`language.md` §10).

use stubborn_syntax::ast;

use crate::names::Env;
use crate::problem::{Code, Words};
use crate::spans::{span_of, token_span};
use stubborn_system::source::Span;

use super::graph::{Arc, NodeId, Way};
use super::macros::MacroScope;
use super::{Act, Builder, OfAny, Planned};

/// The target that is the location a step is taken from.
pub(super) const SAME: &str = "same";

impl Builder<'_, '_> {
    /// The shared steps of a body whose states or statements are laid out.
    pub(super) fn shared_steps(
        &mut self,
        body: &ast::Body,
        env: &Env,
        macros: &MacroScope,
        of_states: bool,
    ) {
        for shared in body.shared_stepss() {
            let names: Vec<ast::NameRef> = shared.states().collect();
            let any = shared.any_token();
            let mut labels = Vec::new();
            for name in &names {
                if self.labelled(name, of_states).is_some() {
                    labels.push(name.text());
                }
            }
            let mut arcs = Vec::new();
            for step in shared.steps() {
                let span = span_of(self.file, &step);
                if !self.has_room(span) {
                    return;
                }
                let way = self.way(&step, of_states);
                let guard = step.guard();
                let dead = guard.is_some_and(|guard| self.decided(env, &guard) == Some(false));
                let step = Planned {
                    act: Act::Step(step),
                    env: env.clone(),
                    span,
                    macros: macros.clone(),
                    call: None,
                };
                arcs.push(Arc { step, way, dead });
            }
            let first = self.graph.arcs.len();
            if let Some(any) = &any {
                let any = token_span(self.file, any);
                let span = shared.in_token().map_or(any, |word| {
                    let word = token_span(self.file, &word);
                    Span {
                        end: any.end,
                        ..word
                    }
                });
                self.of_any.push(OfAny {
                    span,
                    arcs: first..first + arcs.len(),
                });
            }
            self.graph.share(any.is_none().then_some(labels), arcs);
        }
    }

    /// Warns of steps `in any` that no location has.
    pub(super) fn warn_of_none(&mut self, taken: &[bool]) {
        for any in std::mem::take(&mut self.of_any) {
            if !self.mistaken && !any.arcs.is_empty() && !taken[any.arcs].contains(&true) {
                let message = "these steps belong to no place: the process comes to none that \
                     is not final; name the states, `in s { … }`";
                self.elaborator
                    .warning(Code::Unreachable, any.span, message);
            }
        }
    }

    fn way(&mut self, step: &ast::Step, of_states: bool) -> Way {
        let Some(target) = step.next_state() else {
            // The grammar has told it.
            self.mistaken = true;
            return Way::Nowhere;
        };
        let is_declared = |label: &super::graph::Label| label.visible && label.name == SAME;
        if target.text() == SAME && !self.graph.labels.iter().any(is_declared) {
            return Way::Same;
        }
        let labels = self.graph.labels.iter();
        let mut nodes = labels.filter(|label| label.visible && label.name == target.text());
        if let (Some(first), Some(_)) = (nodes.next(), nodes.next()) {
            let (place, span) = (first.span, span_of(self.file, &target));
            let message = format!(
                "`{}` is in a branch of an `either for`, which has one for each value; \
                 write a label outside it",
                target.text()
            );
            let words = Words::from(message);
            let words = match place {
                Some(place) => words.see(place, "the label is here"),
                None => words,
            };
            self.mistaken = true;
            self.problem(Code::UnknownState, span, words);
            return Way::Nowhere;
        }
        match self.labelled(&target, of_states) {
            Some(node) => Way::To(node),
            None => {
                self.mistaken = true;
                Way::Nowhere
            }
        }
    }

    /// The node of a state or a label; a message where there is none.
    fn labelled(&mut self, name: &ast::NameRef, of_states: bool) -> Option<NodeId> {
        let (text, span) = (name.text(), span_of(self.file, name));
        let visible = self.graph.labels.iter().filter(|label| label.visible);
        if let Some(label) = visible.clone().find(|label| label.name == text) {
            let node = label.node;
            if let Some(declared) = label.span {
                self.elaborator.symbols.refer(span, declared);
            }
            return Some(node);
        }
        self.mistaken = true;
        if text.is_empty() {
            return None;
        }
        let near = self
            .elaborator
            .nearest(&text, visible.map(|label| label.name.as_str()));
        let (kind, declare) = match of_states {
            true => ("state", "declare it with `state`"),
            false => ("label", "write `NAME:` before a statement"),
        };
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => declare.to_owned(),
        };
        let message = format!("there is no {kind} `{text}` here; {hint}");
        self.problem(Code::UnknownState, span, Words::instead(message, near));
        None
    }
}
