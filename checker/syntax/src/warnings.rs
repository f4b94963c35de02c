//! The two warnings of §2: where the rule that a clause belongs to the step before it may
//! surprise. Line ends mean nothing, but people read them.

use crate::ast::{AstNode, Statement};
use crate::interrupt::Interrupt;
use crate::{SyntaxElement, SyntaxError, SyntaxKind, SyntaxNode, SyntaxToken};

/// The warnings about a tree, in the order of the text. Steps with a mistake in them (`errors`
/// are in the order of the text) are left alone: they may mean something else.
/// Not all of them where it is to end.
pub(crate) fn surprises(
    root: &SyntaxNode,
    errors: &[SyntaxError],
    interrupt: &Interrupt<'_>,
) -> Vec<SyntaxError> {
    let mut warnings = Vec::new();
    for node in root.descendants() {
        if interrupt.is_due() {
            break;
        }
        match node.kind() {
            SyntaxKind::BODY | SyntaxKind::BLOCK => two_on_a_line(&node, &mut warnings),
            SyntaxKind::STEP | SyntaxKind::AWAIT_STMT => clause_at_the_margin(&node, &mut warnings),
            _ => {}
        }
    }
    warnings.retain(|(token, _)| !is_near_error(token, errors));
    warnings.sort_by_key(|(token, _): &Surprise| token.text_range().start());
    warnings.into_iter().map(|(_, warning)| warning).collect()
}

/// A warning with the token that it is about.
type Surprise = (SyntaxToken, SyntaxError);

/// Whether there is a mistake in the step that the warning is about, or at its beginning.
fn is_near_error(token: &SyntaxToken, errors: &[SyntaxError]) -> bool {
    if errors.is_empty() {
        return false;
    }
    let step = token
        .parent_ancestors()
        .find(|node| matches!(node.kind(), SyntaxKind::STEP | SyntaxKind::AWAIT_STMT));
    let Some(step) = step else { return false };
    let before = step.prev_sibling().map(|node| node.text_range().end());
    let from = before.unwrap_or(step.text_range().start());
    let first = errors.partition_point(|error| error.range.start() < from);
    errors
        .get(first)
        .is_some_and(|error| error.range.start() <= step.text_range().end())
}

/// `when b on a`: two statements that may be meant as one.
fn two_on_a_line(list: &SyntaxNode, warnings: &mut Vec<Surprise>) {
    // Whether the statement that ended last is still on this line, without a `;` after it.
    let mut goes_on = false;
    for element in list.children_with_tokens() {
        match element {
            SyntaxElement::Node(node) => {
                let begins_with_clause = node.kind() == SyntaxKind::STEP;
                if goes_on
                    && begins_with_clause
                    && let Some(token) = node.first_token()
                {
                    let warning = two_statements(&node, &token);
                    warnings.push((token, warning));
                }
                goes_on = Statement::can_cast(node.kind()) && node.kind() != SyntaxKind::LABEL;
            }
            SyntaxElement::Token(token) => match token.kind() {
                kind if kind.is_trivia() => goes_on &= !ends_line(&token),
                _ => goes_on = false,
            },
        }
    }
}

fn two_statements(step: &SyntaxNode, token: &SyntaxToken) -> SyntaxError {
    let word = token.text();
    let is_event = |clause: SyntaxNode| {
        use SyntaxKind::*;
        matches!(clause.kind(), ON_CLAUSE | SEND_CLAUSE | RECEIVE_CLAUSE)
    };
    // `when b on a`: the step before has come to its guard without one.
    let is_late = step.first_child().is_some_and(is_event)
        && step.prev_sibling().is_some_and(|before| {
            before.kind() == SyntaxKind::STEP && !before.children().any(is_event)
        });
    let first = match is_late {
        true => format!(", or put `{word}` first"),
        false => String::new(),
    };
    SyntaxError::new(
        format!("`{word}` begins a statement of its own on this line"),
        token.text_range(),
    )
    .with_hint(format!(
        "write `;` before it if that is meant{first}; the parts of one step come in the order \
         `for`, `on` (or `send`, `receive`, `receive … send …`), `when`, `do`"
    ))
}

/// A clause that stands where a statement would begin, and yet continues a step.
fn clause_at_the_margin(step: &SyntaxNode, warnings: &mut Vec<Surprise>) {
    let among_statements = step
        .parent()
        .is_some_and(|parent| matches!(parent.kind(), SyntaxKind::BODY | SyntaxKind::BLOCK));
    let Some(first) = step.first_token().filter(|_| among_statements) else {
        return;
    };
    for clause in step
        .children()
        .filter(|clause| begins_with_word(clause.kind()))
    {
        let Some(token) = clause.first_token() else {
            continue;
        };
        if token.text_range().start() == step.text_range().start() || !begins_line(&token) {
            continue;
        }
        if column(&token) <= column(&margin_token(step, first.clone())) {
            let warning = SyntaxError::new(
                format!(
                    "this `{}` continues the step of a line before",
                    token.text()
                ),
                token.text_range(),
            )
            .with_hint(
                "indent it if that is meant; write `;` before it for a statement of its own",
            );
            warnings.push((token, warning));
            return;
        }
    }
}

/// The token whose column a clause is compared with: that of the step, or of the first label
/// before it on its line.
fn margin_token(step: &SyntaxNode, first: SyntaxToken) -> SyntaxToken {
    let mut margin = first;
    let mut before = step.prev_sibling();
    while let Some(label) = before.filter(|node| node.kind() == SyntaxKind::LABEL) {
        if begins_line(&margin) {
            break;
        }
        match label.first_token() {
            Some(token) => margin = token,
            None => break,
        }
        before = label.prev_sibling();
    }
    margin
}

fn begins_with_word(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        ON_CLAUSE | SEND_CLAUSE | RECEIVE_CLAUSE | WHEN_CLAUSE | DO_CLAUSE
    )
}

/// Whether a line ends in the white space and the comments before the token.
fn begins_line(token: &SyntaxToken) -> bool {
    let mut before = token.prev_token();
    while let Some(trivia) = before.filter(|token| token.kind().is_trivia()) {
        if ends_line(&trivia) {
            return true;
        }
        before = trivia.prev_token();
    }
    false
}

fn ends_line(trivia: &SyntaxToken) -> bool {
    trivia.text().contains(['\n', '\r'])
}

/// How many characters stand before the token on its line.
fn column(token: &SyntaxToken) -> usize {
    let mut column = 0;
    let mut before = token.prev_token();
    while let Some(current) = before {
        let text = current.text();
        if let Some(line_end) = text.rfind(['\n', '\r']) {
            return column + text[line_end + 1..].chars().count();
        }
        column += text.chars().count();
        before = current.prev_token();
    }
    column
}

#[cfg(test)]
mod tests {
    use rowan::TextRange;

    fn warned(body: &str) -> Vec<String> {
        let text = format!("process p {{\n{body}\n}}\n");
        let parse = crate::parse(&text);
        assert_eq!(parse.errors, []);
        let place = |range: TextRange| {
            let line = text[..range.start().into()].matches('\n').count();
            format!("{line}: {}", &text[range])
        };
        parse
            .warnings
            .iter()
            .map(|warning| place(warning.range))
            .collect()
    }

    #[test]
    fn two_statements_on_a_line_are_told_at_the_second_if_it_begins_with_a_clause() {
        assert_eq!(warned("    when b on a"), ["1: on"]);
        assert_eq!(warned("    on a on b on c"), ["1: on", "1: on"]);
        assert_eq!(warned("    x = 1 on a"), ["1: on"]);
        assert_eq!(warned("    loop { on a } when b"), ["1: when"]);
        assert_eq!(warned("    loop { when b on a }"), ["1: on"]);
    }

    #[test]
    fn a_semicolon_a_new_line_or_a_plain_second_statement_needs_no_warning() {
        assert_eq!(warned("    when b; on a"), [""; 0]);
        assert_eq!(warned("    when b\n    on a"), [""; 0]);
        assert_eq!(warned("    on a when b do x = 1"), [""; 0]);
        assert_eq!(warned("    on a x = 1 skip"), [""; 0]);
        assert_eq!(warned("    start: on a"), [""; 0]);
    }

    #[test]
    fn the_steps_of_a_state_need_no_warning() {
        assert_eq!(warned("initial state s { when b -> s on a -> s }"), [""; 0]);
        assert_eq!(
            warned("initial state s {\n on a\n when b\n -> s }"),
            [""; 0]
        );
    }

    #[test]
    fn a_clause_that_continues_a_step_and_stands_no_deeper_is_told() {
        assert_eq!(warned("    on a\n    when b"), ["2: when"]);
        assert_eq!(warned("    on a\n  when b\n  do x = 1"), ["2: when"]);
        assert_eq!(warned("    await b\n    do x = 1"), ["2: do"]);
        assert_eq!(warned("    on a // why\n    when b"), ["2: when"]);
    }

    #[test]
    fn a_clause_that_stands_deeper_than_its_step_needs_no_warning() {
        assert_eq!(
            warned("    on a\n        when b\n        do x = 1"),
            [""; 0]
        );
        assert_eq!(warned("    start: on a\n        when b"), [""; 0]);
        assert_eq!(warned("    on a when\n    b"), [""; 0]);
        assert_eq!(warned("    on a;\n    when b"), [""; 0]);
    }
}
