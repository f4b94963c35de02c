//! Taking out what nothing needs, where nothing speaks of it either.

use std::ops::Range;

use stubborn_model::problem::{Code, Problem};
use stubborn_syntax::ast::{AstNode, HasName, Name, State, VarDecl};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

use super::proposal::{Proposal, Root};
use super::text::{node_at, with_its_lines};
use crate::features::tree::{bytes, span};

pub fn proposal(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let span = problem.span?;
    let (file, node) = node_at(root.program, span)?;
    let (name, declaration) = match problem.code {
        Code::NeverRead | Code::UnusedParameter | Code::ActionNeverTaken => {
            let name = node.ancestors().find_map(Name::cast)?;
            let declaration = name.syntax().parent()?;
            let is_one = matches!(
                declaration.kind(),
                SyntaxKind::VAR_DECL | SyntaxKind::PARAM_DECL | SyntaxKind::ACTION_DECL
            );
            (name, is_one.then_some(declaration)?)
        }
        Code::Unreachable => {
            let state = node.ancestors().find_map(State::cast)?;
            (state.name()?, state.syntax().clone())
        }
        _ => return None,
    };
    if is_used_outside(root, span.file, &name, &declaration) {
        return None;
    }
    let piece = match VarDecl::cast(declaration.clone()) {
        Some(variables) if variables.names().count() > 1 => one_of(&variables, &name)?,
        _ => with_its_lines(&file.text, &declaration),
    };
    let title = format!("Take out `{}`, which nothing needs", name.text());
    Some(Proposal::new(
        title,
        vec![(span.file, piece, String::new())],
    ))
}

fn is_used_outside(root: Root<'_>, file: FileId, name: &Name, declaration: &SyntaxNode) -> bool {
    let declared = span(file, name.range());
    let inside = bytes(declaration.text_range());
    let mut uses = root.analysis.symbols.references(declared);
    uses.any(|used| used.file != file || !inside.contains(&(used.start as usize)))
}

/// A name of several in a declaration, with one of the commas beside it.
fn one_of(variables: &VarDecl, name: &Name) -> Option<Range<usize>> {
    let names: Vec<Name> = variables.names().collect();
    let at = names.iter().position(|one| one == name)?;
    let own = bytes(name.range());
    Some(match at {
        0 => own.start..bytes(names.get(1)?.range()).start,
        _ => bytes(names[at - 1].range()).end..own.end,
    })
}
