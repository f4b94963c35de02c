//! `goto` and `continue` among statements (`language.md` §10).

use rustc_hash::FxHashSet;
use stubborn_syntax::ast;

use crate::problem::{Code, Words};
use crate::spans::span_of;

use super::graph::NodeId;
use super::statements::Scope;
use super::{Builder, Jump};

impl Builder<'_, '_> {
    /// The node of a `goto`, which goes on where the label is.
    pub(super) fn goto(&mut self, goto: &ast::GotoStmt, node: NodeId, scope: &Scope) {
        let Some(name) = goto.label() else { return };
        let span = span_of(scope.env.file, &name);
        self.jumps.push(Jump {
            node,
            name: name.text(),
            span,
            labels: scope.labels,
            branch: scope.branch,
        });
    }

    /// A branch of an `either for`, for one value; the number by which jumps know it.
    pub(super) fn enter_branch(&mut self, outer: usize) -> usize {
        self.branches.push(outer);
        self.branches.len()
    }

    /// Leads every `goto` to its label; a message where it has none, and where it can get back to
    /// itself without a step.
    pub(super) fn lead_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.jumps);
        for jump in &jumps {
            match self.destination(jump) {
                Ok(node) => self.graph.lead(jump.node, node),
                Err(words) => {
                    self.mistaken = true;
                    if !jump.name.is_empty() {
                        self.problem(Code::UnknownState, jump.span, words);
                    }
                }
            }
        }
        let gotos = jumps.iter().map(|jump| (jump.node, jump.span, "goto"));
        let rounds = std::mem::take(&mut self.rounds);
        let rounds = rounds.iter().map(|(node, span)| (*node, *span, "continue"));
        let mut told = FxHashSet::default();
        for (node, span, word) in gotos.chain(rounds) {
            if told.contains(&node) {
                continue;
            }
            if let Some(round) = self.graph.round(node) {
                told.extend(round);
                self.mistaken = true;
                let message = format!(
                    "this `{word}` comes back to itself without a step; put a step (`skip`, say) \
                     between"
                );
                self.problem(Code::LoopWithoutStep, span, message);
            }
        }
    }

    fn destination(&mut self, jump: &Jump) -> Result<NodeId, Words> {
        let labels = &self.labels[jump.labels];
        let Some(declared) = labels.get(&jump.name) else {
            let near = self
                .elaborator
                .nearest(&jump.name, labels.keys().map(String::as_str));
            let hint = match near {
                _ if jump.name == "end" => "write `stop`".to_owned(),
                Some(near) => format!("did you mean `{near}`?"),
                None => "write `NAME:` before a statement of the same body".to_owned(),
            };
            let message = format!("there is no label `{}` here; {hint}", jump.name);
            return Err(Words::instead(message, near));
        };
        let (span, nodes) = (declared.span, declared.nodes.clone());
        self.elaborator.symbols.refer(jump.span, span);
        let around = std::iter::successors(Some(jump.branch), |branch| {
            branch.checked_sub(1).map(|index| self.branches[index])
        });
        let around: Vec<usize> = around.collect();
        let inside = nodes.iter().find(|(_, branch)| around.contains(branch));
        inside.map(|(node, _)| *node).ok_or_else(|| {
            let message = format!(
                "`{}` is in a branch of an `either for`, which has one for each value; \
                 jump to a label outside it",
                jump.name
            );
            Words::from(message).see(span, "the label is here")
        })
    }
}
