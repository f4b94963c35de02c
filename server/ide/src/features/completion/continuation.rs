//! The words that go on with what stands before a place.

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize};

use super::around::{Begin, Owner, is_place, owner, previous};
use super::words;

/// The words after which only certain words can stand.
pub fn fixed(before: &SyntaxToken, owner: Option<Owner>) -> Option<Vec<&'static str>> {
    let parent = before.parent()?;
    let is = |kind| before.kind() == kind;
    Some(match parent.kind() {
        SyntaxKind::CHANNEL_DECL if is(SyntaxKind::COLON) => vec!["queue", "bag"],
        SyntaxKind::CAPACITY if is(SyntaxKind::R_BRACKET) => vec!["of"],
        SyntaxKind::ARRAY_TYPE | SyntaxKind::LIST_TYPE if is(SyntaxKind::R_BRACKET) => vec!["of"],
        SyntaxKind::PROGRESS_DECL if is(SyntaxKind::COLON) => vec!["may", "must"],
        SyntaxKind::RECURRENCE_DECL if is(SyntaxKind::COLON) || is(SyntaxKind::IMPLIES_KW) => {
            vec!["infinitely"]
        }
        SyntaxKind::REFINES_DECL if is(SyntaxKind::IN_KW) => {
            vec![
                "traces",
                "failures",
                "divergences",
                "infinite traces",
                "cffd",
            ]
        }
        SyntaxKind::REFINES_DECL if before.text() == "infinite" => vec!["traces"],
        SyntaxKind::DEADLOCK_SETTING if before.text() == "deadlock" => {
            vec!["allowed when", "ignored"]
        }
        SyntaxKind::DEADLOCK_SETTING if before.text() == "allowed" => vec!["when"],
        SyntaxKind::TERMINATION_SETTING if before.text() == "termination" => vec!["not required"],
        SyntaxKind::EXPECT_SETTING if before.text() == "expect" => vec!["violated"],
        SyntaxKind::FAIR_DECL if before.text() == "strongly" => vec!["fair"],
        // A name can stand there too, which nobody else knows.
        SyntaxKind::FAIR_DECL if before.text() == "fair" && !follows(before, "strongly") => {
            vec!["process"]
        }
        SyntaxKind::TERMINATION_SETTING if is(SyntaxKind::NOT_KW) => vec!["required"],
        SyntaxKind::NAME if parent.parent()?.kind() == SyntaxKind::BINDING => vec!["in"],
        SyntaxKind::NAME_REF if may_be_bound(&parent) == Some(true) => {
            vec!["in", "and", "or", "implies"]
        }
        _ if is(SyntaxKind::IDENT) && owner.is_some() && is_modifier(before) => {
            let mut words = vec!["state"];
            words.extend(words::modifiers(owner?));
            words
        }
        _ => return None,
    })
}

fn follows(token: &SyntaxToken, word: &str) -> bool {
    previous(token).is_some_and(|before| before.text() == word)
}

/// Whether a name that was read as an operand may be one that is bound: `count(x`, `[x`.
fn may_be_bound(name: &SyntaxNode) -> Option<bool> {
    let operand = name.parent()?;
    let list = operand.parent()?;
    let is_first = || list.children().next().is_some_and(|first| first == operand);
    Some(match list.kind() {
        SyntaxKind::ARRAY_EXPR => is_first(),
        SyntaxKind::ARG_LIST => {
            let callee = list.parent()?.children().find_map(ast::NameRef::cast)?;
            matches!(callee.text().as_str(), "count" | "sum" | "min" | "max") && is_first()
        }
        _ => false,
    })
}

/// Whether the token is a word before `state`: it begins a line, or follows another such word.
fn is_modifier(token: &SyntaxToken) -> bool {
    let is_known = |word: &SyntaxToken| ast::ModifierKind::from_text(word.text()).is_some();
    let begins = |word: SyntaxToken| {
        previous(&word).is_none_or(|before| {
            before.kind() == SyntaxKind::L_BRACE || !standing(&before, &word).0
        })
    };
    let words = std::iter::successors(Some(token.clone()), previous);
    words.take_while(is_known).any(begins)
}

/// Whether the second token stands on the line of the first; if not, whether it stands deeper than
/// the line on which that begins what it belongs to.
pub fn standing(before: &SyntaxToken, mark: &SyntaxToken) -> (bool, bool) {
    let ends_line = |token: &SyntaxToken| token.text().contains(['\n', '\r']);
    let between = std::iter::successors(mark.prev_token(), SyntaxToken::prev_token)
        .take_while(|token| token != before);
    let mut column = None;
    for token in between {
        if column.is_none() && ends_line(&token) {
            let line = token.text().rsplit(['\n', '\r']).next().unwrap_or_default();
            column = Some(line.chars().count());
        }
    }
    let Some(column) = column else {
        return (true, true);
    };
    let unit = before.parent_ancestors().find(|node| {
        ast::BodyItem::can_cast(node.kind())
            || ast::Item::can_cast(node.kind())
            || node.kind() == SyntaxKind::STEP
    });
    let first = unit.and_then(|unit| unit.first_token());
    (
        false,
        first.is_some_and(|first| column > indentation(&first)),
    )
}

/// How far the line of a token is indented.
fn indentation(token: &SyntaxToken) -> usize {
    let mut tokens = std::iter::successors(token.prev_token(), SyntaxToken::prev_token);
    let line = tokens.find(|token| token.text().contains(['\n', '\r']));
    line.map_or(0, |token| {
        let line = token.text().rsplit(['\n', '\r']).next().unwrap_or_default();
        line.chars().count()
    })
}

/// Whether the token is the brace at the end of something with lines.
pub fn closes_block(token: &SyntaxToken) -> bool {
    let parent = token.parent().map(|parent| parent.kind());
    token.kind() == SyntaxKind::R_BRACE
        && matches!(
            parent,
            Some(
                SyntaxKind::BLOCK | SyntaxKind::BODY | SyntaxKind::STATE | SyntaxKind::SHARED_STEPS
            )
        )
}

/// Whether something new may stand on the line of what is before it.
pub fn can_follow_on_line(begin: Begin, before: &SyntaxToken) -> bool {
    matches!(
        before.kind(),
        SyntaxKind::L_BRACE | SyntaxKind::SEMICOLON | SyntaxKind::COLON | SyntaxKind::DO_KW
    ) || closes_block(before)
        || match begin {
            Begin::Item | Begin::Body { .. } => false,
            Begin::Step | Begin::Statement => true,
            Begin::Effect => before.kind() == SyntaxKind::COMMA,
        }
}

/// The words that go on with what ends before the mark.
pub fn words_after(before: &SyntaxToken, mark: &SyntaxToken) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    let has = |node: &SyntaxNode, kind| {
        let mut tokens = node.children_with_tokens();
        tokens.any(|one| one.kind() == kind && one.text_range().end() < mark.text_range().start())
    };
    let ends_operand = matches!(
        before.kind(),
        SyntaxKind::IDENT
            | SyntaxKind::INT
            | SyntaxKind::TRUE_KW
            | SyntaxKind::FALSE_KW
            | SyntaxKind::R_PAREN
            | SyntaxKind::R_BRACKET
            | SyntaxKind::R_BRACE
    );
    if !ends_operand {
        return words;
    }
    let mut in_expression = false;
    let (mut within_type, mut last) = (false, 0);
    for node in before.parent_ancestors() {
        let kind = node.kind();
        within_type |= ast::TypeExpr::can_cast(kind);
        if ast::Expr::can_cast(kind) && !in_expression && !within_type {
            let place = node.parent().is_some_and(|parent| is_place(&parent, &node));
            in_expression = !place;
        }
        match kind {
            SyntaxKind::IF_EXPR if !has(&node, SyntaxKind::THEN_KW) => words.push("then"),
            SyntaxKind::IF_EXPR if !has(&node, SyntaxKind::ELSE_KW) => words.push("else"),
            SyntaxKind::IF_STMT
                if before.kind() == SyntaxKind::R_BRACE && !has(&node, SyntaxKind::ELSE_KW) =>
            {
                words.push("else");
            }
            SyntaxKind::EITHER_STMT if before.kind() == SyntaxKind::R_BRACE => words.push("or"),
            SyntaxKind::AWAIT_STMT if !has(&node, SyntaxKind::DO_KW) => words.push("do"),
            SyntaxKind::RECURRENCE_DECL if !has(&node, SyntaxKind::IMPLIES_KW) => {
                words.push("implies infinitely");
            }
            SyntaxKind::REFINES_DECL if !has(&node, SyntaxKind::IN_KW) => words.push("in"),
            SyntaxKind::EXPECT_SETTING if !has(&node, SyntaxKind::WHEN_KW) => words.push("when"),
            SyntaxKind::FOR_CLAUSE => last = 1,
            SyntaxKind::ON_CLAUSE | SyntaxKind::SEND_CLAUSE => last = 2,
            SyntaxKind::RECEIVE_CLAUSE => {
                words.push("send");
                last = 2;
            }
            SyntaxKind::CHANGE_CLAUSE => last = 3,
            SyntaxKind::WHEN_CLAUSE => last = 4,
            SyntaxKind::DO_CLAUSE => last = 5,
            SyntaxKind::TARGET => last = 6,
            SyntaxKind::STEP => {
                let in_state = node
                    .parent()
                    .is_some_and(|parent| is_list_of_steps(parent.kind()));
                let owner = node.ancestors().find_map(|node| owner(&node));
                let clauses = words::clauses(owner, in_state);
                words.extend(
                    clauses
                        .iter()
                        .filter(|(order, _)| *order > last && last > 0 && last < 6)
                        .map(|(_, word)| word),
                );
            }
            SyntaxKind::LTL_DECL if in_expression => {
                words.extend(["until", "weak_until", "release"])
            }
            // A state of an automaton has its condition before the brace.
            SyntaxKind::STATE if !has(&node, SyntaxKind::L_BRACE) => {
                let owner = node.ancestors().find_map(|node| owner(&node));
                let is_automaton = matches!(owner, Some(Owner::Buchi | Owner::Testing));
                if is_automaton && !in_expression {
                    words.push("when");
                }
            }
            _ => {}
        }
        // What has its closing brace has its end.
        let closed = before.kind() == SyntaxKind::R_BRACE
            && (kind == SyntaxKind::BODY || is_list_of_steps(kind));
        if closed || kind == SyntaxKind::BLOCK && !ends_at(&node, before) {
            break;
        }
        if is_list_of_steps(kind) || kind == SyntaxKind::BODY {
            break;
        }
    }
    if in_expression {
        let operators = ["and", "or", "implies", "in"];
        words.splice(0..0, operators);
    }
    words
}

fn ends_at(node: &SyntaxNode, token: &SyntaxToken) -> bool {
    let end: TextSize = node.text_range().end();
    end == token.text_range().end()
}

/// Whether the braces of such a node hold steps.
fn is_list_of_steps(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::STATE | SyntaxKind::SHARED_STEPS)
}
