//! What can be written at a place: which form of the language goes on there.
//!
//! The text at a cursor is nearly always broken, and what is behind the cursor may belong to
//! something else. So what stands before it is parsed alone, from the declaration that it is in, with
//! a name in the place of the word that is being typed; where the parser puts that name says what is
//! wanted.

use std::ops::Range;

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize, begins_item, lexer, parse};

/// A name that nobody has, and that is near to no word of the language.
const MARK: &str = "name_that_is_being_typed";

/// A place where something can be written.
#[derive(Debug)]
pub struct Place {
    /// The word that is being typed, up to its end.
    pub word: Range<usize>,
    /// The end of what stands before it: pieces of the text that are not finished end here.
    pub before: usize,
    /// Whether something new begins here, so that the values of a `for` before it are gone.
    pub begins: bool,
    pub wanted: Wanted,
    /// What the place is in the body of.
    pub owner: Option<Owner>,
    /// What is bound around the place, the innermost first. Where the text is broken these need not be
    /// among the names that are known.
    pub bindings: Vec<ast::Binding>,
}

#[derive(Debug)]
pub enum Wanted {
    /// The name of a file, of which so much is written.
    Path(String),
    /// One of these words.
    Words(Vec<&'static str>),
    /// What begins something here, and the words that go on with what stands before.
    Begin(Begin, Vec<&'static str>),
    /// An operand; the node stands for it in the tree of what is before.
    Expression(SyntaxNode),
    /// A variable that takes a value of a message, `?x`.
    Receiver(SyntaxNode),
    Type,
    Action,
    Channel,
    /// An action, or an instance at a label.
    Event,
    /// A state of the same body.
    State,
    /// A state or label of this process.
    Location(String),
    /// A field, or a local variable, of this.
    Field(ast::Expr),
    /// A field of the record that is written here.
    RecordField(SyntaxNode),
    Observed,
    Specification,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    Item,
    /// Something in a body: whether it is the first state or statement, and which of these there are.
    Body {
        is_first: bool,
        states: bool,
        statements: bool,
    },
    Step,
    Statement,
    Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Process,
    Macro,
    Tester,
    Specification,
    Buchi,
    Testing,
}

/// What can be written at `offset`; `None` where nothing can be offered: in comments and other
/// texts, in numbers, where a new name is declared.
pub fn place(text: &str, offset: usize) -> Option<Place> {
    let before = Before::new(text, offset)?;
    if let Some(written) = before.path {
        let wanted = Wanted::Path(written);
        return Some(Place {
            word: before.word,
            before: before.end,
            begins: false,
            wanted,
            owner: None,
            bindings: Vec::new(),
        });
    }
    let piece = format!("{}{MARK}", text.get(before.start..before.word.start)?);
    let root = parse(&piece).syntax();
    let mark = root.last_token()?;
    let previous = previous(&mark);
    let owner = mark.parent_ancestors().find_map(|node| owner(&node));
    let wanted = wanted(&mark, previous.as_ref(), owner)?;
    Some(Place {
        word: before.word,
        before: before.end,
        begins: matches!(wanted, Wanted::Begin(..)),
        wanted,
        owner,
        bindings: bindings(&mark),
    })
}

/// What the tokens say of a place.
struct Before {
    word: Range<usize>,
    /// The end of the last token before the word.
    end: usize,
    /// Where the declaration begins that the place is in, or behind.
    start: usize,
    /// Of the name of a file, what is written of it.
    path: Option<String>,
}

impl Before {
    fn new(text: &str, offset: usize) -> Option<Before> {
        let (tokens, _) = lexer::lex(text);
        let (mut start, mut end, mut last) = (0, 0, None);
        for token in tokens {
            let range = Range::<usize>::from(token.range);
            let written = text.get(range.clone())?;
            if range.start >= offset {
                break;
            }
            if offset <= range.end {
                let inside = offset < range.end;
                match token.kind {
                    SyntaxKind::LINE_COMMENT | SyntaxKind::DOC_COMMENT | SyntaxKind::INT => {
                        return None;
                    }
                    SyntaxKind::BLOCK_COMMENT if inside || !written.ends_with("*/") => return None,
                    SyntaxKind::STRING => {
                        let is_open = written.len() < 2 || !written.ends_with('"');
                        if last != Some(SyntaxKind::USE_KW) || !inside && !is_open {
                            return None;
                        }
                        let to = range.end - usize::from(!is_open);
                        return Some(Before {
                            word: range.start + 1..to,
                            end: range.start,
                            start,
                            path: Some(text.get(range.start + 1..offset)?.to_owned()),
                        });
                    }
                    kind if kind == SyntaxKind::IDENT || kind.is_reserved_word() => {
                        return Some(Before {
                            word: range,
                            end,
                            start,
                            path: None,
                        });
                    }
                    _ => {}
                }
            }
            if !token.kind.is_trivia() {
                (end, last) = (range.end, Some(token.kind));
                if begins_item(token.kind) {
                    start = range.start;
                }
            }
        }
        Some(Before {
            word: offset..offset,
            end,
            start,
            path: None,
        })
    }
}

fn owner(node: &SyntaxNode) -> Option<Owner> {
    Some(match node.kind() {
        SyntaxKind::PROCESS_DECL => Owner::Process,
        SyntaxKind::MACRO_DECL => Owner::Macro,
        SyntaxKind::TESTER_DECL => Owner::Tester,
        SyntaxKind::SPECIFICATION_DECL => Owner::Specification,
        SyntaxKind::BUCHI_DECL => Owner::Buchi,
        SyntaxKind::TESTING_DECL => Owner::Testing,
        _ => return None,
    })
}

/// What is bound around a token.
fn bindings(token: &SyntaxToken) -> Vec<ast::Binding> {
    let mut found = Vec::new();
    for node in token.parent_ancestors() {
        for child in node.children() {
            if let Some(binding) = ast::Binding::cast(child.clone()) {
                found.push(binding);
            } else if matches!(
                child.kind(),
                SyntaxKind::PARAM_LIST | SyntaxKind::FOR_CLAUSE
            ) {
                found.extend(child.children().filter_map(ast::Binding::cast));
            }
        }
    }
    found.retain(|binding| binding.range().end() < token.text_range().start());
    found
}

fn previous(token: &SyntaxToken) -> Option<SyntaxToken> {
    std::iter::successors(token.prev_token(), SyntaxToken::prev_token)
        .find(|token| !token.kind().is_trivia())
}

fn wanted(
    mark: &SyntaxToken,
    before: Option<&SyntaxToken>,
    owner: Option<Owner>,
) -> Option<Wanted> {
    if let Some(words) = before.and_then(|before| fixed(before, owner)) {
        return Some(Wanted::Words(words));
    }
    let parent = mark.parent()?;
    let around = parent.parent();
    if let (SyntaxKind::NAME_REF, Some(around)) = (parent.kind(), around)
        && let Some(named) = named(&around)
    {
        return named;
    }
    if parent.kind() == SyntaxKind::NAME {
        return None;
    }
    let begin = begin(&parent);
    let words = before.map(|before| words_after(before, mark));
    let words = words.unwrap_or_default();
    let Some(before) = before else {
        return Some(Wanted::Begin(begin?, words));
    };
    let (same_line, deeper) = standing(before, mark);
    match begin {
        _ if same_line && !words.is_empty() => Some(Wanted::Words(words)),
        Some(begin) if !same_line || can_follow_on_line(begin, before) => {
            let words = words.into_iter();
            let words = words.filter(|word| deeper || matches!(*word, "else" | "or"));
            Some(Wanted::Begin(begin, words.collect()))
        }
        _ => None,
    }
}

/// What is wanted where the parser has taken the word for the name of something.
fn named(around: &SyntaxNode) -> Option<Option<Wanted>> {
    let kind = around.kind();
    Some(Some(match kind {
        SyntaxKind::ON_CLAUSE => Wanted::Action,
        SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE => Wanted::Channel,
        SyntaxKind::TARGET => Wanted::State,
        SyntaxKind::CHANGE_CLAUSE => Wanted::Observed,
        SyntaxKind::NAMED_TYPE => Wanted::Type,
        SyntaxKind::REFINES_DECL => Wanted::Specification,
        SyntaxKind::AT_EXPR => {
            let at = ast::AtExpr::cast(around.clone())?;
            Wanted::Location(callee(&at.instance()?)?)
        }
        SyntaxKind::EVENT => {
            let event = ast::Event::cast(around.clone())?;
            match event.at_token() {
                Some(_) => Wanted::Location(event.name_ref()?.text()),
                None => match around.parent()?.kind() {
                    SyntaxKind::EVENT_SET => Wanted::Event,
                    _ => Wanted::Action,
                },
            }
        }
        SyntaxKind::FIELD_EXPR => {
            let field = ast::FieldExpr::cast(around.clone())?;
            Wanted::Field(field.base()?)
        }
        SyntaxKind::RECORD_FIELD => Wanted::RecordField(around.clone()),
        SyntaxKind::NAME_EXPR => match around.parent() {
            Some(parent) if parent.kind() == SyntaxKind::BIND_ARG => Wanted::Receiver(parent),
            // Where something is assigned to, what begins here is not decided yet.
            Some(parent) if is_place(&parent, around) => return None,
            _ => Wanted::Expression(around.clone()),
        },
        _ => return None,
    }))
}

fn is_place(parent: &SyntaxNode, node: &SyntaxNode) -> bool {
    ast::Assignment::cast(parent.clone())
        .and_then(|assignment| assignment.place())
        .is_some_and(|place| place.syntax() == node)
}

/// The name before the arguments, or alone.
pub fn callee(expression: &ast::Expr) -> Option<String> {
    match expression {
        ast::Expr::Name(name) => Some(name.name_ref()?.text()),
        ast::Expr::Call(call) => Some(call.name_ref()?.text()),
        _ => None,
    }
}

/// The words after which only certain words can stand.
fn fixed(before: &SyntaxToken, owner: Option<Owner>) -> Option<Vec<&'static str>> {
    let parent = before.parent()?;
    let is = |kind| before.kind() == kind;
    Some(match parent.kind() {
        SyntaxKind::CHANNEL_DECL if is(SyntaxKind::COLON) => vec!["queue", "bag"],
        SyntaxKind::CAPACITY if is(SyntaxKind::R_BRACKET) => vec!["of"],
        SyntaxKind::ARRAY_TYPE if is(SyntaxKind::R_BRACKET) => vec!["of"],
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
        SyntaxKind::DEADLOCK_SETTING if before.text() == "deadlock" => {
            vec!["allowed when", "ignored"]
        }
        SyntaxKind::DEADLOCK_SETTING if before.text() == "allowed" => vec!["when"],
        SyntaxKind::TERMINATION_SETTING if before.text() == "termination" => vec!["not required"],
        SyntaxKind::NAME if parent.parent()?.kind() == SyntaxKind::BINDING => vec!["in"],
        _ if is(SyntaxKind::IDENT) && owner.is_some() && is_modifier(before) => {
            let mut words = vec!["state"];
            words.extend(super::words::modifiers(owner?));
            words
        }
        _ => return None,
    })
}

/// Whether the token is a word before `state`: it begins a line, or follows another such word.
fn is_modifier(token: &SyntaxToken) -> bool {
    let known = ast::ModifierKind::ALL.map(ast::ModifierKind::text);
    known.contains(&token.text())
        && previous(token).is_none_or(|before| {
            before.kind() == SyntaxKind::IDENT && is_modifier(&before)
                || before.kind() == SyntaxKind::L_BRACE
                || !standing(&before, token).0
        })
}

/// What can begin where the parser has found nothing to go on with.
fn begin(parent: &SyntaxNode) -> Option<Begin> {
    for node in parent.ancestors() {
        match node.kind() {
            SyntaxKind::DO_CLAUSE => return Some(Begin::Effect),
            SyntaxKind::BLOCK => {
                let of_step = node
                    .ancestors()
                    .take_while(|node| node.kind() != SyntaxKind::BODY)
                    .any(|node| node.kind() == SyntaxKind::DO_CLAUSE);
                return Some(if of_step {
                    Begin::Effect
                } else {
                    Begin::Statement
                });
            }
            SyntaxKind::STATE => {
                let mut tokens = node.children_with_tokens();
                let is_open = tokens.any(|one| one.kind() == SyntaxKind::L_BRACE);
                return is_open.then_some(Begin::Step);
            }
            SyntaxKind::BODY => {
                let body = ast::Body::cast(node)?;
                let is_mark = |node: &SyntaxNode| node.text() == MARK;
                let states = body.states().next().is_some();
                let mut statements = body.statements();
                let statements = statements.any(|one| !is_mark(one.syntax()));
                return Some(Begin::Body {
                    is_first: !states && !statements,
                    states,
                    statements,
                });
            }
            SyntaxKind::SOURCE_FILE => return Some(Begin::Item),
            SyntaxKind::PARAM_LIST | SyntaxKind::ARG_LIST => return None,
            _ => {}
        }
    }
    None
}

/// Whether the second token stands on the line of the first; if not, whether it stands deeper than
/// the line on which that begins what it belongs to.
fn standing(before: &SyntaxToken, mark: &SyntaxToken) -> (bool, bool) {
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

/// Whether something new may stand on the line of what is before it.
fn can_follow_on_line(begin: Begin, before: &SyntaxToken) -> bool {
    matches!(
        before.kind(),
        SyntaxKind::L_BRACE | SyntaxKind::SEMICOLON | SyntaxKind::COLON | SyntaxKind::DO_KW
    ) || match begin {
        Begin::Item | Begin::Body { .. } => false,
        Begin::Step | Begin::Statement => true,
        Begin::Effect => before.kind() == SyntaxKind::COMMA,
    }
}

/// The words that go on with what ends before the mark.
fn words_after(before: &SyntaxToken, mark: &SyntaxToken) -> Vec<&'static str> {
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
            SyntaxKind::IF_STMT if before.kind() == SyntaxKind::R_BRACE => {
                if !has(&node, SyntaxKind::ELSE_KW) {
                    words.push("else");
                }
            }
            SyntaxKind::EITHER_STMT if before.kind() == SyntaxKind::R_BRACE => words.push("or"),
            SyntaxKind::AWAIT_STMT if !has(&node, SyntaxKind::DO_KW) => words.push("do"),
            SyntaxKind::RECURRENCE_DECL if !has(&node, SyntaxKind::IMPLIES_KW) => {
                words.push("implies infinitely");
            }
            SyntaxKind::REFINES_DECL if !has(&node, SyntaxKind::IN_KW) => words.push("in"),
            SyntaxKind::FOR_CLAUSE => last = 1,
            SyntaxKind::ON_CLAUSE | SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE => {
                last = 2;
            }
            SyntaxKind::CHANGE_CLAUSE => last = 3,
            SyntaxKind::WHEN_CLAUSE => last = 4,
            SyntaxKind::DO_CLAUSE => last = 5,
            SyntaxKind::TARGET => last = 6,
            SyntaxKind::STEP => {
                let in_state = node
                    .parent()
                    .is_some_and(|parent| parent.kind() == SyntaxKind::STATE);
                let owner = node.ancestors().find_map(|node| owner(&node));
                let clauses = super::words::clauses(owner, in_state);
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
            && (kind == SyntaxKind::BODY || kind == SyntaxKind::STATE);
        if closed || kind == SyntaxKind::BLOCK && !ends_at(&node, before) {
            break;
        }
        if matches!(kind, SyntaxKind::STATE | SyntaxKind::BODY) {
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
