//! What can be folded away: declarations, what stands between braces or square brackets, comments of
//! several lines, and lines of `use` that follow each other.

use std::collections::HashSet;
use std::ops::Range;

use stubborn_model::program::ParsedFile;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::tree::{brackets, bytes};
use crate::database::{Db, SourceFile, parsed};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    Code,
    Comment,
    Uses,
}

/// A piece of a text that can be folded away, of two lines or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From behind what stays in sight of the first line up to what stays of the last.
    pub bytes: Range<usize>,
    pub kind: FoldKind,
    /// What closes it begins the last line, which is best left in sight.
    pub is_closed: bool,
}

/// What can be folded away, in the order of the text, the longer first.
pub fn folds(db: &dyn Db, file: SourceFile) -> Vec<Fold> {
    let Some(parsed) = parsed(db, file) else {
        return Vec::new();
    };
    let mut folds = Folds {
        file: &parsed,
        found: Vec::new(),
        comments: None,
        uses: None,
        seen: HashSet::new(),
    };
    for element in parsed.parse.syntax().descendants_with_tokens() {
        match element {
            SyntaxElement::Node(node) => folds.node(&node),
            SyntaxElement::Token(token) => folds.token(&token),
        }
    }
    folds.end_comments();
    folds.end_uses();
    let mut found = folds.found;
    found.sort_by_key(|fold| (fold.bytes.start, usize::MAX - fold.bytes.end));
    found.dedup_by(|later, first| later.bytes.start == first.bytes.start);
    found
}

struct Folds<'a> {
    file: &'a ParsedFile,
    found: Vec<Fold>,
    /// Lines of comments of one kind that follow each other.
    comments: Option<(SyntaxKind, TextRange)>,
    /// Lines of `use` that follow each other.
    uses: Option<TextRange>,
    /// The nodes whose brackets were met.
    seen: HashSet<SyntaxNode>,
}

impl Folds<'_> {
    fn line(&self, at: TextSize) -> u32 {
        self.file.lines.line_column(at).line - 1
    }

    /// Where the line ends that `at` is in.
    fn line_end(&self, at: TextSize) -> TextSize {
        let range = self.file.lines.line_range(self.line(at));
        range.map_or(at, TextRange::end)
    }

    /// Folds a piece that is a whole: its first line stays in sight.
    fn whole(&mut self, range: TextRange, kind: FoldKind) {
        let start = self.line_end(range.start());
        self.fold(
            TextRange::new(start.min(range.end()), range.end()),
            kind,
            false,
        );
    }

    fn fold(&mut self, range: TextRange, kind: FoldKind, is_closed: bool) {
        if self.line(range.start()) < self.line(range.end()) {
            self.found.push(Fold {
                bytes: bytes(range),
                kind,
                is_closed,
            });
        }
    }

    fn node(&mut self, node: &SyntaxNode) {
        if node.kind() == SyntaxKind::USE_DECL {
            let range = node.text_range();
            self.uses = Some(self.uses.map_or(range, |uses| uses.cover(range)));
            return;
        }
        let is_item = ast::Item::can_cast(node.kind());
        if is_item
            && node
                .parent()
                .is_some_and(|one| one.kind() == SyntaxKind::SOURCE_FILE)
        {
            self.end_uses();
        }
        if is_item && !has_braces(node) {
            self.declaration(node);
        }
    }

    /// Folds a declaration without a body: its first line stays in sight, and a bracket at its end.
    fn declaration(&mut self, node: &SyntaxNode) {
        let closing = [SyntaxKind::R_BRACE, SyntaxKind::R_BRACKET];
        let last = node.last_token();
        match last.filter(|last| closing.contains(&last.kind()) && begins_line(last)) {
            Some(close) => {
                let start = self.line_end(node.text_range().start());
                let range = TextRange::new(start, close.text_range().start());
                self.fold(range, FoldKind::Code, true);
            }
            None => self.whole(node.text_range(), FoldKind::Code),
        }
    }

    /// Folds what stands between brackets, with the lines of a declaration before them.
    fn between(&mut self, open: &SyntaxToken) {
        // Where the parser could make nothing of a text, one node may have all its brackets.
        let Some(node) = open.parent().filter(|node| self.seen.insert(node.clone())) else {
            return;
        };
        let close = match brackets(&node) {
            Some((first, close)) if first == *open => close,
            _ => return,
        };
        let mut start = open.text_range().end();
        let around = node.parent().filter(|_| node.kind() == SyntaxKind::BODY);
        if let Some(around) = around {
            let first = around.text_range().start();
            if self.line(first) < self.line(start) {
                start = self.line_end(first);
            }
        }
        let end = match &close {
            Some(close) => close.text_range().start(),
            None => node.text_range().end(),
        };
        let is_closed = close.as_ref().is_some_and(begins_line);
        self.fold(TextRange::new(start, end), FoldKind::Code, is_closed);
    }

    fn token(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        match token.kind() {
            SyntaxKind::WHITESPACE => {}
            SyntaxKind::BLOCK_COMMENT => {
                self.end_comments();
                self.whole(range, FoldKind::Comment);
            }
            kind @ (SyntaxKind::LINE_COMMENT | SyntaxKind::DOC_COMMENT) => {
                let goes_on = self.comments.filter(|(known, comments)| {
                    *known == kind && self.line(comments.end()) + 1 == self.line(range.start())
                });
                match goes_on {
                    Some((_, comments)) => self.comments = Some((kind, comments.cover(range))),
                    None => {
                        self.end_comments();
                        let before = &self.file.text[..range.start().into()];
                        let before = before.trim_end_matches([' ', '\t']);
                        if before.is_empty() || before.ends_with(['\n', '\r']) {
                            self.comments = Some((kind, range));
                        }
                    }
                }
            }
            kind => {
                self.end_comments();
                if matches!(kind, SyntaxKind::L_BRACE | SyntaxKind::L_BRACKET) {
                    self.between(token);
                }
            }
        }
    }

    fn end_comments(&mut self) {
        if let Some((_, comments)) = self.comments.take() {
            self.whole(comments, FoldKind::Comment);
        }
    }

    fn end_uses(&mut self) {
        if let Some(uses) = self.uses.take() {
            self.whole(uses, FoldKind::Uses);
        }
    }
}

fn begins_line(token: &SyntaxToken) -> bool {
    token.prev_token().is_none_or(|before| {
        before.kind() == SyntaxKind::WHITESPACE && before.text().contains(['\n', '\r'])
    })
}

/// Whether a declaration has braces that fold by themselves.
fn has_braces(node: &SyntaxNode) -> bool {
    let kinds = [SyntaxKind::BODY, SyntaxKind::BLOCK, SyntaxKind::L_BRACE];
    let mut elements = node.children_with_tokens();
    elements.any(|element| kinds.contains(&element.kind()))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::file;
    use super::*;

    /// The text, with the number of each fold where it begins and where it ends; before a `)` stands the
    /// number of one that leaves what closes it in sight.
    fn shown(text: &str, expected: Expect) {
        let (db, file) = file(text);
        let folds = folds(&db, file);
        let mut marks: Vec<(usize, String)> = Vec::new();
        for (at, fold) in folds.iter().enumerate() {
            let kind = match fold.kind {
                FoldKind::Code => "",
                FoldKind::Comment => "comment ",
                FoldKind::Uses => "uses ",
            };
            marks.push((fold.bytes.start, format!("‹{kind}{at}")));
            let closed = if fold.is_closed { ")" } else { "" };
            marks.push((fold.bytes.end, format!("{at}{closed}›")));
        }
        marks.sort_by_key(|(at, _)| *at);
        let mut marked = text.to_owned();
        for (at, mark) in marks.iter().rev() {
            marked.insert_str(*at, mark);
        }
        expected.assert_eq(&marked);
    }

    #[test]
    fn declarations_blocks_comments_and_uses_fold() {
        shown(
            "\
// One
// two.
use \"a.stb\"
use \"b.stb\"

/// Doc
/// of p.
process p(i in 0..1) {
    var j: 0..3 // of
    // j
    loop {
        if j == 0 {
            skip
        } else {
            j = 0 }
    }
}
const all: array[0..1] of bool = [
    true,
    false
]
ltl f: always
    true
/* a
   b */
enum E {
    a, b }
enum F { a }
",
            expect![[r#"
                // One‹comment 0
                // two.0›
                use "a.stb"‹uses 1
                use "b.stb"1›

                /// Doc‹comment 2
                /// of p.2›
                process p(i in 0..1) {‹3
                    var j: 0..3 // of
                    // j
                    loop {‹4
                        if j == 0 {‹5
                            skip
                        5)›} else {‹6
                            j = 0 6›}
                    4)›}
                3)›}
                const all: array[0..1] of bool = [‹7
                    true,
                    false
                7)›]
                ltl f: always‹8
                    true8›
                /* a‹comment 9
                   b */9›
                enum E {‹10
                    a, b 10›}
                enum F { a }
            "#]],
        );
    }

    #[test]
    fn a_body_folds_with_the_lines_of_its_declaration() {
        shown(
            "process p(\n    i in 0..1)\n{\n    skip\n}\n",
            expect![[r#"
                process p(‹0
                    i in 0..1)
                {
                    skip
                0)›}
            "#]],
        );
    }

    #[test]
    fn a_text_with_errors_folds() {
        shown(
            "process p {\n    loop {\n    skip\nprocess q {\n    x =\n}\n",
            expect![[r#"
                process p {‹0
                    loop {‹1
                    skip0›1›
                process q {‹2
                    x =
                2)›}
            "#]],
        );
        shown("", expect![[r#""#]]);
        for brackets in ["] [", "x } {\n", "( } [ ) ] {", "}\n{\n"] {
            let (db, file) = file(brackets);
            folds(&db, file);
        }
    }
}
