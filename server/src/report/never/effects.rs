//! The macros whose statements are effects of other steps somewhere.
//!
//! A macro that is called behind `do` is no step by itself: what it does is done by the step that calls it. Where it is also
//! called as a statement to which no run comes, its text is executed all the same.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

/// Where the texts of these macros are in a file.
pub fn called_as_effects(program: &Program, file: FileId) -> Vec<Range<usize>> {
    let mut calls: HashMap<String, Vec<String>> = HashMap::new();
    let mut open = Vec::new();
    for number in 0..program.files.len() {
        for item in program.file(FileId(number as u32)).parse.tree().items() {
            let around = match &item {
                ast::Item::Macro(of) => of.name().map(|name| name.text()),
                _ => None,
            };
            for call in item.syntax().descendants().filter_map(ast::MacroCall::cast) {
                let Some(name) = call.name_ref().map(|name| name.text()) else {
                    continue;
                };
                if is_effect(call.syntax()) {
                    open.push(name.to_string());
                } else if let Some(around) = &around {
                    let within = calls.entry(around.to_string()).or_default();
                    within.push(name.to_string());
                }
            }
        }
    }
    let mut known = HashSet::new();
    while let Some(name) = open.pop() {
        open.extend(calls.remove(&name).into_iter().flatten());
        known.insert(name);
    }
    let items = program.file(file).parse.tree().items();
    let known = items.filter(|item| match item {
        ast::Item::Macro(of) => of.name().is_some_and(|name| known.contains(&*name.text())),
        _ => false,
    });
    known
        .map(|item| Range::<usize>::from(item.syntax().text_range()))
        .collect()
}

fn is_effect(call: &SyntaxNode) -> bool {
    let mut around = call.ancestors();
    around.any(|node| matches!(node.kind(), SyntaxKind::DO_CLAUSE | SyntaxKind::FOR_EFFECT))
}
