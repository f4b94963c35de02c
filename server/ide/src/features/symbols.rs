//! What a file declares, each within what declares it. It is read off the tree alone, so that a text
//! with errors keeps its outline.

use std::ops::Range;
use std::sync::Arc;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::tree::bytes;
use crate::database::{Db, SourceFile, parsed};

/// Many clients read no message in which more than some hundred things stand one within the other;
/// what is deeper stands beside.
const DEEPEST: usize = 20;
/// So many characters say what a name stands for.
const LONGEST_DETAIL: usize = 60;
/// What has no name yet, but names in it.
const NAMELESS: &str = "(no name)";

/// A name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub kind: SymbolKind,
    /// What stands behind the name, as it is written: a type, parameters, a value.
    pub detail: String,
    /// All that declares it, with the `///` lines before.
    pub whole: Range<usize>,
    /// Where the name stands.
    pub bytes: Range<usize>,
    pub children: Vec<Declared>,
}

/// The names that a file declares, in the order of the text; what is bound within an expression or a
/// step, and parameters, are left out.
#[salsa::tracked(returns(clone))]
pub fn symbols(db: &dyn Db, file: SourceFile) -> Arc<Vec<Declared>> {
    let parsed = parsed(db, file);
    Arc::new(parsed.map_or_else(Vec::new, |file| within(&file.parse.syntax(), 0)))
}

fn within(parent: &SyntaxNode, depth: usize) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut nodes = parent.children().peekable();
    while let Some(node) = nodes.next() {
        if ast::Expr::can_cast(node.kind()) || node.kind() == SyntaxKind::STEP {
            continue;
        }
        // A label stands for the statement behind it.
        let labelled = match node.kind() {
            SyntaxKind::LABEL => nodes.next_if(|next| {
                ast::Statement::can_cast(next.kind()) && next.kind() != SyntaxKind::LABEL
            }),
            _ => None,
        };
        let mut declared = all_declared(&node);
        let last = declared.pop();
        found.append(&mut declared);
        let inside = labelled.as_ref().unwrap_or(&node);
        let Some(mut last) = last else {
            found.append(&mut within(inside, depth));
            continue;
        };
        last.whole.end = last.whole.end.max(inside.text_range().end().into());
        let mut children = within(inside, depth + 1);
        if depth < DEEPEST {
            last.children = children;
            children = Vec::new();
        }
        found.push(last);
        found.append(&mut children);
    }
    found
}

/// What a node itself declares: one name, of `var` perhaps several.
fn all_declared(node: &SyntaxNode) -> Vec<Declared> {
    let Some(var) = ast::VarDecl::cast(node.clone()) else {
        return declared(node).into_iter().collect();
    };
    let kind = match node.parent().map(|parent| parent.kind()) {
        Some(SyntaxKind::BODY) => SymbolKind::LocalVariable,
        _ => SymbolKind::Variable,
    };
    let names: Vec<ast::Name> = var.names().filter(|name| !name.text().is_empty()).collect();
    let whole = bytes(ast::documented_range(node));
    let detail = behind_name(node);
    let count = names.len();
    let names = names.iter().enumerate().map(|(at, name)| {
        let bytes = bytes(name.range());
        Declared {
            name: name.text(),
            kind,
            detail: detail.clone(),
            // No two of them have the same piece of the text: a place there belongs to one.
            whole: match (count, at + 1 == count) {
                (1, _) => whole.clone(),
                (_, true) => bytes.start..whole.end,
                (_, false) => bytes.clone(),
            },
            bytes,
            children: Vec::new(),
        }
    });
    names.collect()
}

/// What a node that declares one name declares, without what stands in it.
pub fn declared(node: &SyntaxNode) -> Option<Declared> {
    let (kind, detail) = described(node)?;
    let name = node.children().find_map(ast::Name::cast);
    let name = name.filter(|name| !name.text().is_empty());
    let (name, place) = match (unnamed(node), name) {
        (Some(unnamed), _) => unnamed,
        (None, Some(name)) => (name.text(), name.range()),
        (None, None)
            if node
                .children()
                .any(|child| ast::Body::can_cast(child.kind())) =>
        {
            (NAMELESS.to_owned(), node.first_token()?.text_range())
        }
        (None, None) => return None,
    };
    Some(Declared {
        name,
        kind,
        detail,
        whole: bytes(ast::documented_range(node)),
        bytes: bytes(place),
        children: Vec::new(),
    })
}

/// What is called otherwise than by a name that it declares, and where that stands.
fn unnamed(node: &SyntaxNode) -> Option<(String, TextRange)> {
    let token = match node.kind() {
        SyntaxKind::REFINES_DECL => {
            let specification = ast::RefinesDecl::cast(node.clone())?.specification()?;
            let name = format!("refines {}", specification.text());
            return Some((name, specification.range()));
        }
        SyntaxKind::DEADLOCK_SETTING => {
            ast::DeadlockSetting::cast(node.clone())?.deadlock_token()?
        }
        SyntaxKind::TERMINATION_SETTING => {
            ast::TerminationSetting::cast(node.clone())?.termination_token()?
        }
        _ => return None,
    };
    Some((token.text().to_owned(), token.text_range()))
}

fn kind(node: SyntaxKind) -> Option<SymbolKind> {
    Some(match node {
        SyntaxKind::CONST_DECL => SymbolKind::Constant,
        SyntaxKind::PARAM_DECL => SymbolKind::Param,
        SyntaxKind::TYPE_DECL => SymbolKind::Type,
        SyntaxKind::ENUM_DECL => SymbolKind::Enumeration,
        SyntaxKind::VARIANT => SymbolKind::EnumerationValue,
        SyntaxKind::FIELD_DECL => SymbolKind::Field,
        SyntaxKind::CHANNEL_DECL => SymbolKind::Channel,
        SyntaxKind::ACTION_DECL => SymbolKind::Action,
        SyntaxKind::DEF_DECL => SymbolKind::Definition,
        SyntaxKind::MACRO_DECL => SymbolKind::Macro,
        SyntaxKind::PROCESS_DECL => SymbolKind::Process,
        SyntaxKind::INVARIANT_DECL
        | SyntaxKind::PROGRESS_DECL
        | SyntaxKind::REACHABLE_DECL
        | SyntaxKind::LTL_DECL
        | SyntaxKind::RECURRENCE_DECL
        | SyntaxKind::REFINES_DECL
        | SyntaxKind::DEADLOCK_SETTING
        | SyntaxKind::TERMINATION_SETTING
        | SyntaxKind::EXPECT_SETTING => SymbolKind::Property,
        SyntaxKind::FAIR_DECL | SyntaxKind::BOUND_DECL => SymbolKind::Assumption,
        SyntaxKind::TESTER_DECL
        | SyntaxKind::SPECIFICATION_DECL
        | SyntaxKind::BUCHI_DECL
        | SyntaxKind::TESTING_DECL => SymbolKind::Tester,
        SyntaxKind::STATE => SymbolKind::State,
        SyntaxKind::LABEL => SymbolKind::Label,
        SyntaxKind::OBSERVE_DECL => SymbolKind::Observed,
        _ => return None,
    })
}

fn described(node: &SyntaxNode) -> Option<(SymbolKind, String)> {
    let kind = kind(node.kind())?;
    let detail = match kind {
        SymbolKind::Constant
        | SymbolKind::Param
        | SymbolKind::Type
        | SymbolKind::Field
        | SymbolKind::Channel
        | SymbolKind::Action
        | SymbolKind::Observed => behind_name(node),
        SymbolKind::State => {
            let state = ast::State::cast(node.clone())?;
            let modifiers = state.modifiers().filter_map(|modifier| modifier.kind());
            let words: Vec<&str> = modifiers.map(ast::ModifierKind::text).collect();
            words.join(" ")
        }
        SymbolKind::Property => match unnamed(node) {
            Some((_, name)) => text_from(node, name.end().into()),
            None => parameters(node),
        },
        SymbolKind::Label if ast::Label::cast(node.clone())?.final_token().is_some() => {
            "final".to_owned()
        }
        _ => parameters(node),
    };
    Some((kind, detail))
}

fn parameters(node: &SyntaxNode) -> String {
    let mut children = node.children();
    let list = children.find(|child| child.kind() == SyntaxKind::PARAM_LIST);
    list.map_or_else(String::new, |list| text_from(&list, 0))
}

/// What stands behind the last name that a node declares, on one line.
fn behind_name(node: &SyntaxNode) -> String {
    let name = node.children().filter_map(ast::Name::cast).last();
    let start = name.map_or(0, |name| usize::from(name.range().end()));
    let text = text_from(node, start);
    text.strip_prefix(':')
        .map_or(text.as_str(), str::trim)
        .to_owned()
}

/// The text of a node from this byte of the file on, on one line, without comments.
fn text_from(node: &SyntaxNode, start: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    let elements = node.descendants_with_tokens();
    let tokens = elements.filter_map(|element| element.into_token());
    let tokens = tokens.filter(|token| usize::from(token.text_range().start()) >= start);
    for token in tokens {
        if token.kind().is_trivia() {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            continue;
        }
        for c in token.text().chars() {
            length += 1;
            if length > LONGEST_DETAIL {
                return text.trim_end().to_owned() + "…";
            }
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::file;
    use super::*;

    fn draw(all: &[Declared], text: &str, indent: usize, drawn: &mut String) {
        for one in all {
            let line = |at: usize| 1 + text[..at].matches('\n').count();
            let (first, last) = (line(one.whole.start), line(one.whole.end));
            let written = &text[one.bytes.clone()];
            let name = match written == one.name {
                true => one.name.clone(),
                false => format!("{} at `{written}`", one.name),
            };
            let detail = match one.detail.as_str() {
                "" => String::new(),
                detail => format!(" [{detail}]"),
            };
            let kind = one.kind;
            let space = "  ".repeat(indent);
            drawn.push_str(&format!("{space}{kind:?} {name}{detail} {first}-{last}\n"));
            assert!(one.whole.start <= one.bytes.start && one.bytes.end <= one.whole.end);
            draw(&one.children, text, indent + 1, drawn);
        }
    }

    fn shown(text: &str, expected: Expect) {
        let (db, file) = file(text);
        let mut drawn = String::new();
        draw(&symbols(&db, file), text, 0, &mut drawn);
        expected.assert_eq(&drawn);
    }

    #[test]
    fn what_a_file_declares_stands_within_what_declares_it() {
        shown(
            "\
/// How many.
param N: 1..3 = 2
const half = N / 2  // rounded
enum Color { red, green }
type Point = record { x: 0..3, y: record { z: bool } }
var a, b: array[0..N]
    of Color
channel c[0..1]: queue[2] of bool
action go(Color)

process p(i in 0..1) {
    var j: 0..3
    initial final state s { on go(red) -> s }
}
def low(k in 0..3): k < 2
invariant one: forall k in 0..1: low(k)
deadlock ignored
fair process q {
    skip
}
strongly fair lucky(i in 0..1): go(red)
",
            expect![[r#"
                Param N [1..3 = 2] 1-2
                Constant half [= N / 2] 3-3
                Enumeration Color 4-4
                  EnumerationValue red 4-4
                  EnumerationValue green 4-4
                Type Point [= record { x: 0..3, y: record { z: bool } }] 5-5
                  Field x [0..3] 5-5
                  Field y [record { z: bool }] 5-5
                    Field z [bool] 5-5
                Variable a [array[0..N] of Color] 6-6
                Variable b [array[0..N] of Color] 6-7
                Channel c [[0..1]: queue[2] of bool] 8-8
                Action go [(Color)] 9-9
                Process p [(i in 0..1)] 11-14
                  LocalVariable j [0..3] 12-12
                  State s [initial final] 13-13
                Definition low [(k in 0..3)] 15-15
                Property one 16-16
                Property deadlock [ignored] 17-17
                Process q 18-20
                Assumption lucky [(i in 0..1)] 21-21
            "#]],
        );
    }

    #[test]
    fn a_label_stands_for_the_statement_behind_it() {
        shown(
            "\
process p {
    loop {
        outer: either { inner: skip }
        or { skip }
    }
    final one: two: stop
}
",
            expect![[r#"
                Process p 1-7
                  Label outer 3-4
                    Label inner 3-3
                  Label one [final] 6-6
                  Label two 6-6
            "#]],
        );
    }

    #[test]
    fn testers_and_what_they_refine_are_listed() {
        shown(
            "\
use \"m.stb\"
tester t(i in 0..1) { initial state s { on a -> s } reject state bad }
buchi b { observe p = x > 0  initial state q { -> q } }
specification spec { initial state s }
refines spec in infinite traces
",
            expect![[r#"
                Tester t [(i in 0..1)] 2-2
                  State s [initial] 2-2
                  State bad [reject] 2-2
                Tester b 3-3
                  Observed p [= x > 0] 3-3
                  State q [initial] 3-3
                Tester spec 4-4
                  State s [initial] 4-4
                Property refines spec at `spec` [in infinite traces] 5-5
            "#]],
        );
    }

    #[test]
    fn a_text_with_errors_keeps_its_outline() {
        shown(
            "\
var x: 0..
process {
    var j: Nothing
    state s { on -> }
}
process q {
    when x >
process r { a: skip }
invariant
",
            expect![[r#"
                Variable x [0..] 1-1
                Process (no name) at `process` 2-5
                  LocalVariable j [Nothing] 3-3
                  State s 4-4
                Process q 6-7
                Process r 8-8
                  Label a 8-8
            "#]],
        );
    }

    #[test]
    fn no_item_is_left_out() {
        for item in SyntaxKind::ALL
            .iter()
            .filter(|one| ast::Item::can_cast(**one))
        {
            let is_elsewhere = matches!(item, SyntaxKind::USE_DECL | SyntaxKind::VAR_DECL);
            assert!(is_elsewhere || kind(*item).is_some(), "{item:?}");
        }
    }

    #[test]
    fn what_is_nested_beyond_measure_stands_beside() {
        let text = format!(
            "type T = {}bool{}\n",
            "record { f: ".repeat(60),
            " }".repeat(60)
        );
        let (db, file) = file(&text);
        let mut depth = 0;
        let all = symbols(&db, file);
        let mut level = &all[..];
        while let Some(last) = level.first() {
            (depth, level) = (depth + 1, &last.children);
        }
        assert_eq!(depth, DEEPEST + 1);
    }
}
