//! What follows from a mistake in the grammar alone is not told: one mistake gives one message.
//!
//! Where the parser has missed something it goes on as well as it can, and what it then reads may lack
//! a name that everything else uses, or have a piece in the place of another. Each such mistake has a
//! piece of text to which it belongs: the smallest statement or declaration around it, or only its lines
//! where that has a body of its own. Within it nothing else is told. What the piece declares, or would
//! declare if it were whole, may be missing elsewhere: what is said there of these names is not told
//! either. The mistake itself always is, so that a text without messages never comes of it.

mod explained;
mod repeated;

use self::repeated::{LONGEST_LINE, MOST_PIECES, has_body, line};

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};
use stubborn_system::source::{FileId, Span};

use crate::problem::{Code, Problem, Severity};
use crate::program::{ParsedFile, Program};

/// Most words of each piece that are compared.
const MOST_TOKENS: usize = 1000;

/// The mistakes without what follows from others. They are in the order of their places.
pub(crate) fn without_consequences(program: &Program, problems: Vec<Problem>) -> Vec<Problem> {
    let problems = explained::told_where_meant(program, problems);
    let (problems, losing) = without_what_is_lost(program, problems);
    repeated::told_once(program, problems, &losing)
}

/// And where something is lost.
fn without_what_is_lost(program: &Program, problems: Vec<Problem>) -> (Vec<Problem>, Vec<Span>) {
    let mut files: FxHashMap<FileId, Broken> = FxHashMap::default();
    let mut declared = Declared::default();
    let mut losing = FxHashSet::default();
    let mut comments: Vec<Span> = Vec::new();
    for (number, problem) in problems.iter().enumerate() {
        let Some(span) = problem.span.filter(|_| problem.code == Code::Syntax) else {
            continue;
        };
        let file = program.file(span.file);
        if span.start < span.end && opens_a_comment(file, span.start) {
            // What it swallows may have declared anything.
            declared.lacks_a_name = true;
            comments.push(span);
            losing.insert(number);
            continue;
        }
        let broken = files
            .entry(span.file)
            .or_insert_with(|| Broken::new(file.parse.syntax()));
        if losing.len() < MOST_PIECES && broken.add(file, span.start, span.end, &mut declared) {
            losing.insert(number);
        }
    }
    if losing.is_empty() {
        return (problems, Vec::new());
    }
    let places = losing.iter().filter_map(|number| problems[*number].span);
    let places: Vec<Span> = places.collect();
    for broken in files.values() {
        broken.leave_what_is_sound(&mut declared);
    }
    let mut pieces_told = FxHashSet::default();
    let mut is_told = |number: usize, problem: &Problem| {
        let Some(span) = problem.span else {
            return true;
        };
        if problem.severity != Severity::Error {
            return true;
        }
        let is_losing = losing.contains(&number);
        let broken = files.get(&span.file);
        if problem.code == Code::Syntax && !is_losing {
            let mut comments = comments.iter().filter(|comment| comment.file == span.file);
            if comments.any(|comment| is_cut_off_by(program.file(span.file), span, comment.start)) {
                return false;
            }
            // What the grammar misses behind it, in the same piece, follows from it.
            if let Some((piece, true)) = broken.and_then(|broken| broken.piece_at(span.start)) {
                pieces_told.insert((span.file, piece));
            }
            return true;
        }
        if let Some((piece, is_one)) = broken.and_then(|broken| broken.piece_at(span.start)) {
            // The first mistake of a piece is told.
            return is_losing && (!is_one || pieces_told.insert((span.file, piece)));
        }
        let file = program.file(span.file);
        match problem.code {
            _ if is_losing => true,
            Code::UnknownName | Code::UnknownState => {
                let name = file.text.get(span.start as usize..span.end as usize);
                let may_be_there = |name: &str| declared.names.contains(name);
                !declared.lacks_a_name && !name.is_some_and(may_be_there)
            }
            // Who takes part in what is not known while a head may have other parameters.
            Code::JointConflict if declared.lacks_a_head => false,
            _ => !declared.is_used_on_the_line(file, span.start),
        }
    };
    let numbered = problems.into_iter().enumerate();
    let told = numbered.filter(|(number, problem)| is_told(*number, problem));
    (told.map(|(_, problem)| problem).collect(), places)
}

/// Whether a comment begins there. Where that is marked, the mistake is that it has no end; what is missing behind a token
/// may have a comment behind it that has one.
fn opens_a_comment(file: &ParsedFile, at: u32) -> bool {
    let rest = file.text.get(at as usize..);
    rest.is_some_and(|rest| rest.starts_with("/*"))
}

/// Whether what is missing there may stand in the comment that begins at `comment` and has no end.
fn is_cut_off_by(file: &ParsedFile, missing: Span, comment: u32) -> bool {
    let between = file.text.get(missing.end as usize..comment as usize);
    missing.start == missing.end && between.is_some_and(|between| between.trim().is_empty())
}

/// What the broken pieces declare, or would.
#[derive(Default)]
struct Declared {
    names: FxHashSet<String>,
    /// A declaration has no name: it may be any.
    lacks_a_name: bool,
    /// Something is missing in the head of a process.
    lacks_a_head: bool,
}

impl Declared {
    fn is_used_on_the_line(&self, file: &ParsedFile, at: u32) -> bool {
        let line = line(file, at);
        if usize::from(line.len()) > LONGEST_LINE {
            return false;
        }
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let mut words = file.text[line].split(|c| !is_part(c));
        words.any(|word| self.names.contains(word))
    }
}

/// The broken pieces of a file.
struct Broken {
    root: SyntaxNode,
    /// And whether other mistakes of the grammar in it are the same one.
    pieces: Vec<(TextRange, bool)>,
}

impl Broken {
    fn new(root: SyntaxNode) -> Broken {
        let pieces = Vec::new();
        Broken { root, pieces }
    }

    /// The first piece that has this place; of something missing, which is told at the end of what
    /// stands before it, the piece before it.
    fn piece_at(&self, at: u32) -> Option<(usize, bool)> {
        let at = TextSize::new(at);
        let mut pieces = self.pieces.iter().enumerate();
        let found = pieces.find(|(_, (piece, _))| piece.contains_inclusive(at));
        found.map(|(number, (_, is_one))| (number, *is_one))
    }

    /// What a sound piece declares is not missing.
    fn leave_what_is_sound(&self, declared: &mut Declared) {
        let names = self.root.descendants();
        // What is bound is known in its own statement alone.
        let is_bound = |node: &SyntaxNode| {
            let parent = node.parent().map(|parent| parent.kind());
            parent == Some(SyntaxKind::BINDING)
        };
        let names = names.filter(|node| node.kind() == SyntaxKind::NAME && !is_bound(node));
        for name in names {
            let at = u32::from(name.text_range().start());
            if self.piece_at(at).is_none() {
                declared.names.remove(&name.text().to_string());
            }
        }
    }

    /// Takes in a mistake of the grammar, if the parser has missed something for it or has passed
    /// something over: where it has read all of the text, and only says what does not belong there,
    /// nothing is lost.
    fn add(&mut self, file: &ParsedFile, start: u32, end: u32, declared: &mut Declared) -> bool {
        let place = TextSize::new(start);
        let before = self.root.token_at_offset(place);
        // Something missing belongs to what stands before it, anything else is at fault itself.
        let token = match start == end {
            true => before.left_biased(),
            false => before.right_biased(),
        };
        let around = token.as_ref().and_then(SyntaxToken::parent);
        let is_passed_over = |node: SyntaxNode| {
            let mut nodes = node.ancestors();
            nodes.any(|node| node.kind() == SyntaxKind::ERROR)
        };
        if start < end && !around.clone().is_some_and(is_passed_over) {
            return false;
        }
        let around = around.into_iter().flat_map(|node| node.ancestors());
        let mut around = around.filter(|node| is_piece(node.kind()) || has_body(node.kind()));
        let whole = around.next();
        let line = line(file, start).cover(line(file, end));
        // What comes behind it on its line is read by who does not know where to go on.
        let behind = TextRange::new(place, line.end());
        let (piece, is_one) = match &whole {
            Some(node) if is_piece(node.kind()) => (node.text_range().cover(behind), true),
            // Outside of all a declaration's first word is missing.
            None => (line, true),
            _ => (line, false),
        };
        if let Some(node) = &whole {
            let has_name = node
                .children()
                .any(|child| child.kind() == SyntaxKind::NAME);
            declared.lacks_a_name |= is_named(node.kind()) && !has_name;
            declared.lacks_a_head |= node.kind() == SyntaxKind::PROCESS_DECL;
            // Any name may be one of the file that it would have used.
            declared.lacks_a_name |= node.kind() == SyntaxKind::USE_DECL;
        }
        let first = self.root.token_at_offset(piece.start()).right_biased();
        let tokens: Vec<SyntaxToken> = std::iter::successors(first, SyntaxToken::next_token)
            .take_while(|token| token.text_range().start() < piece.end())
            .take(MOST_TOKENS)
            .collect();
        let is_text = |token: &SyntaxToken| token.kind() == SyntaxKind::STRING;
        declared.lacks_a_name |= whole.is_none() && tokens.iter().any(is_text);
        let words = tokens
            .iter()
            .filter(|token| token.kind() == SyntaxKind::IDENT);
        // What uses a name says nothing of it. What stands in a broken declaration may be what it
        // declares, and so may what stands outside of all, or before a `{`: a word before it is missing.
        let is_declared = whole.as_ref().is_some_and(|node| declares(node.kind()));
        let may_declare = |token: &&SyntaxToken| {
            let kind = token.parent().map(|parent| parent.kind());
            is_declared
                || whole.is_none()
                || kind == Some(SyntaxKind::NAME)
                || next(token).is_some_and(|next| {
                    // `t, b: Place` has lost its `var`.
                    let goes_on = [SyntaxKind::L_BRACE, SyntaxKind::COMMA, SyntaxKind::COLON];
                    goes_on.contains(&next.kind())
                })
        };
        let names = words
            .filter(may_declare)
            .map(|token| token.text().to_owned());
        declared.names.extend(names);
        self.pieces.push((piece, is_one));
        true
    }
}

/// The next token that is no white space or comment.
fn next(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut after = std::iter::successors(token.next_token(), SyntaxToken::next_token);
    after.find(|token| !token.kind().is_trivia())
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
                | REACHABLE_DECL
                | LTL_DECL
                | RECURRENCE_DECL
                | FAIR_DECL
                | BOUND_DECL
                | DEADLOCK_SETTING
                | TERMINATION_SETTING
                | EXPECT_SETTING
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
                | GOTO_STMT
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

/// What others call by its name.
fn is_named(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    declares(kind) || matches!(kind, MACRO_DECL | PROCESS_DECL | SPECIFICATION_DECL | STATE)
}
