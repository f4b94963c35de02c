//! What a property asks for in the words of the text, with the values of its parameters in their places.
//!
//! What a System has in its place may be another: a location to which nothing leads is `false` there, `p(*)@s` is a
//! step of each instance, and `exists` is written out.

use std::collections::HashSet;

use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode, HasName};

use crate::names::Env;
use crate::names::env::Binding;

/// So many characters are quoted.
pub(super) const LONGEST: usize = 80;

/// The words of a node on one line and in backticks.
pub(super) fn words(env: &Env, node: &impl AstNode) -> String {
    let syntax = node.syntax();
    // What is bound within stands for several values, whatever a parameter of the same name is.
    let bound = syntax.descendants().filter_map(ast::Binding::cast);
    let bound: HashSet<String> = bound
        .filter_map(|one| one.name())
        .map(|name| name.text())
        .collect();
    let tokens = syntax.descendants_with_tokens();
    let tokens = tokens.filter_map(|element| element.into_token());
    let mut text = String::new();
    for token in tokens {
        if token.kind().is_trivia() {
            // A comment, too, is no more than room between words.
            text.push(' ');
            continue;
        }
        let mut around = token.parent_ancestors().map(|node| node.kind());
        let is_name = around.next() == Some(SyntaxKind::NAME_REF)
            && around.next() == Some(SyntaxKind::NAME_EXPR);
        let value = match is_name && !bound.contains(token.text()) {
            true => value(env, token.text()),
            false => None,
        };
        text.push_str(value.as_deref().unwrap_or(token.text()));
    }
    quoted(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A line in backticks, and not too much of it.
pub(super) fn quoted(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &line[..end]),
        None => format!("`{line}`"),
    }
}

fn value(env: &Env, name: &str) -> Option<String> {
    match env.lookup(name)?.0 {
        Binding::Constant { value, domain, .. } => Some(domain.shape.scalar(*value)),
        _ => None,
    }
}
