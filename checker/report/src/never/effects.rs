//! The macros whose statements are effects of other steps somewhere.
//!
//! A macro that is called behind `do` is no step by itself: what it does is done by the step that
//! calls it. Where it is also called as a statement to which no run comes, its text is executed all
//! the same.

use std::collections::{HashMap, HashSet};

use stubborn_model::program::Program;
use stubborn_syntax::ast::{AstNode, CallStmt, HasName, MacroDecl};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

/// The names of these macros, in all files; processes may have some of the same name, which are
/// among them then.
#[derive(Default)]
pub struct CalledAsEffects(HashSet<String>);

impl CalledAsEffects {
    /// Costs a walk through all texts. `on_the_way` is called for each file, and may unwind.
    pub fn of(program: &Program, on_the_way: &dyn Fn()) -> CalledAsEffects {
        // What macros call, as statements of theirs.
        let mut within: HashMap<String, Vec<String>> = HashMap::new();
        let mut open = Vec::new();
        for number in 0..program.files.len() {
            on_the_way();
            let file = program.file(FileId(number as u32));
            let nodes = file.parse.syntax().descendants();
            for call in nodes.filter_map(CallStmt::cast) {
                let Some(name) = call.name_ref().map(|name| name.text().to_string()) else {
                    continue;
                };
                if is_effect(call.syntax()) {
                    open.push(name);
                } else if let Some(around) = call.syntax().ancestors().find_map(MacroDecl::cast)
                    && let Some(around) = around.name()
                {
                    within
                        .entry(around.text().to_string())
                        .or_default()
                        .push(name);
                }
            }
        }
        let mut known = HashSet::new();
        while let Some(name) = open.pop() {
            open.extend(within.remove(&name).into_iter().flatten());
            known.insert(name);
        }
        CalledAsEffects(known)
    }

    /// Where the texts of these macros begin and end in a file, in their order.
    pub fn places(&self, program: &Program, file: FileId) -> Vec<(usize, usize)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let nodes = program.file(file).parse.syntax().descendants();
        let macros = nodes.filter_map(MacroDecl::cast).filter(|one| {
            one.name()
                .is_some_and(|name| self.0.contains(&*name.text()))
        });
        macros
            .map(|one| {
                let text = one.syntax().text_range();
                (text.start().into(), text.end().into())
            })
            .collect()
    }
}

fn is_effect(call: &SyntaxNode) -> bool {
    let mut around = call.ancestors();
    around.any(|node| matches!(node.kind(), SyntaxKind::DO_CLAUSE | SyntaxKind::FOR_EFFECT))
}
