//! What follows from a mistake in the grammar alone is not told: one mistake gives one message.
//!
//! Where the parser has missed something it goes on as well as it can, and what it then reads may lack
//! a name that everything else uses, or have a piece in the place of another. Each such mistake has a
//! piece of text to which it belongs: the smallest statement or declaration around it, or only its lines
//! where that has a body of its own. Within it nothing else is told. What the piece declares, or would
//! declare if it were whole, may be missing elsewhere: what is said there of these names is not told
//! either. The mistake itself always is, so that a text without messages never comes of it.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};
use stubborn_system::source::FileId;

use crate::problem::{Code, Problem, Severity};
use crate::program::{ParsedFile, Program};

/// The mistakes without what follows from others. They are in the order of their places.
pub(crate) fn without_consequences(program: &Program, problems: Vec<Problem>) -> Vec<Problem> {
    let is_broken = |problem: &Problem| problem.code == Code::Syntax;
    if !problems.iter().any(is_broken) {
        return problems;
    }
    let mut files: FxHashMap<FileId, Broken> = FxHashMap::default();
    let mut declared = Declared::default();
    for problem in problems.iter().filter(|problem| is_broken(problem)) {
        let Some(span) = problem.span else { continue };
        let file = program.file(span.file);
        let broken = files
            .entry(span.file)
            .or_insert_with(|| Broken::new(file.parse.syntax()));
        broken.add(file, span.start, span.end, &mut declared);
    }
    let mut told = FxHashSet::default();
    let is_told = |problem: &Problem| {
        let Some(span) = problem.span else {
            return true;
        };
        if problem.severity != Severity::Error {
            return true;
        }
        if let Some(broken) = files.get(&span.file)
            && let Some(piece) = broken.piece_at(span.start)
        {
            // The first mistake of a piece, which is one of the grammar, is told.
            return is_broken(problem) && told.insert((span.file, piece));
        }
        if is_broken(problem) {
            return true;
        }
        let is_of_names = matches!(problem.code, Code::UnknownName | Code::UnknownState);
        let text = &program.file(span.file).text;
        let name = text.get(span.start as usize..span.end as usize);
        if is_of_names {
            return !declared.lacks_a_name
                && !name.is_some_and(|name| declared.names.contains(name));
        }
        !declared.is_used_on_the_line(text, span.start as usize)
    };
    let mut is_told = is_told;
    problems.into_iter().filter(|one| is_told(one)).collect()
}

/// What the broken pieces declare, or would.
#[derive(Default)]
struct Declared {
    names: FxHashSet<String>,
    /// A declaration has no name: it may be any.
    lacks_a_name: bool,
}

impl Declared {
    fn is_used_on_the_line(&self, text: &str, at: usize) -> bool {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let mut words = text[start..end].split(|c| !is_part(c));
        words.any(|word| self.names.contains(word))
    }
}

/// The broken pieces of a file.
struct Broken {
    root: SyntaxNode,
    pieces: Vec<TextRange>,
}

impl Broken {
    fn new(root: SyntaxNode) -> Broken {
        let pieces = Vec::new();
        Broken { root, pieces }
    }

    /// The first piece that has this place; of something missing, which is told at the end of what
    /// stands before it, the piece before it.
    fn piece_at(&self, at: u32) -> Option<usize> {
        let at = TextSize::new(at);
        let has = |piece: &TextRange| piece.contains_inclusive(at);
        self.pieces.iter().position(has)
    }

    fn add(&mut self, file: &ParsedFile, start: u32, end: u32, declared: &mut Declared) {
        let place = TextSize::new(start);
        let before = self.root.token_at_offset(place);
        // Something missing belongs to what stands before it, anything else is at fault itself.
        let token = match start == end {
            true => before.left_biased(),
            false => before.right_biased(),
        };
        let around = token.as_ref().and_then(SyntaxToken::parent);
        let around = around.into_iter().flat_map(|node| node.ancestors());
        let mut around = around.filter(|node| is_piece(node.kind()) || has_body(node.kind()));
        let whole = around.next();
        let range = match &whole {
            Some(node) if is_piece(node.kind()) => node.text_range(),
            _ => lines(&file.text, start as usize, end as usize),
        };
        // What the parser has passed over belongs to the line, too.
        let piece = range.cover(lines(&file.text, start as usize, end as usize));
        if let Some(node) = &whole {
            let is_named = |child: &SyntaxNode| child.kind() == SyntaxKind::NAME;
            declared.lacks_a_name |=
                declares(node.kind()) && !node.children().any(|one| is_named(&one));
        }
        let within = self.root.descendants_with_tokens();
        let within = within.filter_map(|element| element.into_token());
        let words = within
            .skip_while(|token| token.text_range().end() <= piece.start())
            .take_while(|token| token.text_range().start() < piece.end())
            .filter(|token| token.kind() == SyntaxKind::IDENT);
        // What uses a name says nothing of it; what cannot be read may have declared it.
        let may_declare = |token: &SyntaxToken| {
            token.parent().is_none_or(|parent| {
                parent.kind() == SyntaxKind::NAME || parent.kind() == SyntaxKind::ERROR || {
                    whole.is_none()
                        || whole
                            .as_ref()
                            .is_some_and(|node| !is_piece(node.kind()) || declares(node.kind()))
                }
            })
        };
        let names = words
            .filter(may_declare)
            .map(|token| token.text().to_owned());
        declared.names.extend(names);
        self.pieces.push(piece);
    }
}

fn lines(text: &str, start: usize, end: usize) -> TextRange {
    let from = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    TextRange::new(TextSize::new(from as u32), TextSize::new(to as u32))
}

/// Statements and declarations without a body of statements or states.
fn is_piece(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    declares(kind)
        || matches!(
            kind,
            USE_DECL
                | INVARIANT_DECL
                | PROGRESS_DECL
                | LTL_DECL
                | RECURRENCE_DECL
                | DEADLOCK_SETTING
                | TERMINATION_SETTING
                | REFINES_DECL
                | ALPHABET_DECL
                | VISIBLE_DECL
                | STEP
                | ASSIGN_STMT
                | ASSERT_STMT
                | AWAIT_STMT
                | SKIP_STMT
                | CALL_STMT
                | BREAK_STMT
                | STOP_STMT
        )
}

/// Declarations whose names others use.
fn declares(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        CONST_DECL
            | PARAM_DECL
            | TYPE_DECL
            | ENUM_DECL
            | VAR_DECL
            | CHANNEL_DECL
            | ACTION_DECL
            | DEF_DECL
            | OBSERVE_DECL
    )
}

/// What has statements or states within it.
fn has_body(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        MACRO_DECL
            | PROCESS_DECL
            | TESTER_DECL
            | SPECIFICATION_DECL
            | BUCHI_DECL
            | TESTING_DECL
            | STATE
            | IF_STMT
            | WHILE_STMT
            | LOOP_STMT
            | EITHER_STMT
            | BRANCH
            | BLOCK
    )
}
