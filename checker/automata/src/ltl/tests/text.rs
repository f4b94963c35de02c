//! Formulas and automata as text, so that tests can be read.

use std::fmt::Write;

use stubborn_system::property::Formula;

use crate::buchi::Buchi;
use crate::label::Label;

/// A formula with `!`, `[]`, `<>`, `U`, `W`, `R`, `&`, `|` and `->`; binary operators stand in
/// parentheses, and propositions are the letters from `p` on.
pub(super) fn formula(text: &str) -> Formula {
    let mut rest = text;
    let formula = binary(&mut rest);
    assert_eq!(rest.trim(), "", "left over in {text}");
    formula
}

fn eat(rest: &mut &str, token: &str) -> bool {
    *rest = rest.trim_start();
    match rest.strip_prefix(token) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

fn binary(rest: &mut &str) -> Formula {
    let left = unary(rest);
    let boxed = |rest: &mut &str, left| (Box::new(left), Box::new(unary(rest)));
    if eat(rest, "->") {
        let right = unary(rest);
        return Formula::Any(vec![Formula::Not(Box::new(left)), right]);
    }
    if eat(rest, "U") {
        let (left, right) = boxed(rest, left);
        return Formula::Until(left, right);
    }
    if eat(rest, "W") {
        let (left, right) = boxed(rest, left);
        return Formula::WeakUntil(left, right);
    }
    if eat(rest, "R") {
        let (left, right) = boxed(rest, left);
        return Formula::Release(left, right);
    }
    let mut parts = vec![left];
    while eat(rest, "&") {
        parts.push(unary(rest));
    }
    if parts.len() > 1 {
        return Formula::All(parts);
    }
    while eat(rest, "|") {
        parts.push(unary(rest));
    }
    if parts.len() > 1 {
        return Formula::Any(parts);
    }
    parts.remove(0)
}

fn unary(rest: &mut &str) -> Formula {
    if eat(rest, "!") {
        return Formula::Not(Box::new(unary(rest)));
    }
    if eat(rest, "[]") {
        return Formula::Always(Box::new(unary(rest)));
    }
    if eat(rest, "<>") {
        return Formula::Eventually(Box::new(unary(rest)));
    }
    if eat(rest, "(") {
        let inner = binary(rest);
        assert!(eat(rest, ")"), "no ) before {rest}");
        return inner;
    }
    if eat(rest, "true") {
        return Formula::Constant(true);
    }
    if eat(rest, "false") {
        return Formula::Constant(false);
    }
    for (number, name) in NAMES.iter().enumerate() {
        if eat(rest, name) {
            return Formula::Proposition(number as u32);
        }
    }
    panic!("no formula before {rest}")
}

const NAMES: [&str; 8] = ["p", "q", "r", "s", "t", "u", "v", "w"];

fn label(label: &Label) -> String {
    let cube = |cube: &crate::label::Cube| {
        let mut text = String::new();
        for (number, name) in NAMES.iter().enumerate() {
            if cube.holds >> number & 1 == 1 {
                text.push_str(name);
            }
            if cube.fails >> number & 1 == 1 {
                text.push('!');
                text.push_str(name);
            }
        }
        if text.is_empty() { "any".into() } else { text }
    };
    let cubes: Vec<String> = label.cubes.iter().map(cube).collect();
    cubes.join("|")
}

/// A line a state: `*` before an initial one, its label, what it is, and where it leads.
pub(super) fn automaton(buchi: &Buchi) -> String {
    let mut text = String::new();
    for (number, state) in buchi.states.iter().enumerate() {
        let initial = if state.initial { "*" } else { " " };
        let kind = match (state.reject, state.infinite) {
            (true, _) => " reject",
            (_, true) => " infinite",
            _ => "",
        };
        let next: Vec<String> = state.next.iter().map(u32::to_string).collect();
        let _ = writeln!(
            text,
            "{initial}{number} [{}]{kind} -> {}",
            label(&state.label),
            next.join(" ")
        );
    }
    text
}
