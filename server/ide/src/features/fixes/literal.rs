//! What a message says itself: another text in the place of what is at fault, a `;` before it, or a
//! `skip` in it.

use stubborn_model::problem::{Code, Mend, Problem};
use stubborn_syntax::ast::{AstNode, LoopStmt};
use stubborn_syntax::{SyntaxKind, TextRange};

use super::proposal::{Proposal, Root};
use super::text::node_at;

pub fn proposal(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let span = problem.span?;
    let bytes = span.start as usize..span.end as usize;
    match (&problem.mend, problem.code) {
        (Some(Mend::Instead(instead)), _) => Some(Proposal {
            title: format!("Change to `{instead}`"),
            edits: vec![(span.file, bytes, instead.clone())],
            is_the_one: true,
        }),
        (_, Code::StatementsOnOneLine | Code::ClauseContinuesStep) => {
            let (file, _) = node_at(root.program, span)?;
            let clause = TextRange::new(span.start.into(), span.end.into());
            let tree = file.parse.syntax();
            let first = tree.covering_element(clause);
            let first = first.as_token().cloned()?;
            let mut before = first.prev_token()?;
            while before.kind().is_trivia() {
                before = before.prev_token()?;
            }
            if before.kind() == SyntaxKind::SEMICOLON {
                return None;
            }
            let end = usize::from(before.text_range().end());
            let title = format!(
                "Write `;` before `{}`: a statement of its own",
                first.text()
            );
            Some(Proposal {
                is_the_one: problem.code == Code::StatementsOnOneLine,
                ..Proposal::new(title, vec![(span.file, end..end, ";".to_owned())])
            })
        }
        (_, Code::LoopWithoutStep) => {
            let (_, node) = node_at(root.program, span)?;
            let round = node.ancestors().find_map(LoopStmt::cast)?;
            let brace = round.body()?.l_brace_token()?.text_range().end().into();
            let edit = (span.file, brace..brace, " skip;".to_owned());
            let title = "Let every round begin with a step: `skip`";
            Some(Proposal::new(title, vec![edit]))
        }
        _ => None,
    }
}
