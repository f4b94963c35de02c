//! What can be written at a place: which form of the language goes on there.
//!
//! The text at a cursor is nearly always broken, and what is behind the cursor may belong to
//! something else. So what stands before it is parsed alone, from the declaration that it is in, with
//! a name in the place of the word that is being typed; where the parser puts that name says what is
//! wanted.

use std::ops::Range;

use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize, begins_item, lexer, parse};

use super::around::{Begin, Owner, callee, is_place, owner, previous};
use super::continuation::{can_follow_on_line, closes_block, fixed, standing, words_after};

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
    /// A type; whether only one of single values will do, no array and no record.
    Type {
        is_scalar: bool,
    },
    Action,
    Channel,
    /// An action, or an instance at a label.
    Event,
    /// A state of the same body, or a label where there are no states.
    State,
    /// A label of the same body.
    Label,
    /// A state or label of this process.
    Location(String),
    /// A field, or a local variable, of this.
    Field(ast::Expr),
    /// A field of the record that is written here.
    RecordField(SyntaxNode),
    Observed,
    Specification,
    /// One that is there to fail.
    Property,
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
    let piece = text.get(before.start..before.word.start)?;
    let (mark, previous) = marked(piece)?;
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

/// The name in the place of the word behind a piece of a text, and the token before it.
fn marked(piece: &str) -> Option<(SyntaxToken, Option<SyntaxToken>)> {
    let parsed = |behind: &str| {
        let root = parse(&format!("{piece}{MARK}{behind}")).syntax();
        let at = TextSize::try_from(piece.len()).ok()?;
        let mark = root.token_at_offset(at).right_biased()?;
        let previous = previous(&mark);
        Some((mark, previous))
    };
    let (mark, previous) = parsed("")?;
    let opens = |token: &SyntaxToken| token.kind() == SyntaxKind::L_BRACE;
    let is_lost = mark.parent()?.kind() == SyntaxKind::ERROR;
    if is_lost && previous.as_ref().is_some_and(opens) {
        // A record is told from other things in braces by the `:` behind its first field.
        return parsed(":");
    }
    Some((mark, previous))
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
        return Some(named);
    }
    if parent.kind() == SyntaxKind::NAME {
        let is_where = before.is_some_and(|before| may_be_where(&parent, before));
        return is_where.then(|| Wanted::Words(vec!["where"]));
    }
    let begin = begin(&parent);
    let words = before.map(|before| words_after(before, mark));
    let words = words.unwrap_or_default();
    let Some(before) = before else {
        return Some(Wanted::Begin(begin?, words));
    };
    let (same_line, deeper) = standing(before, mark);
    match begin {
        _ if same_line && !words.is_empty() && !closes_block(before) => Some(Wanted::Words(words)),
        Some(begin) if !same_line || can_follow_on_line(begin, before) => {
            let words = words.into_iter();
            let words = words.filter(|word| deeper || matches!(*word, "else" | "or"));
            Some(Wanted::Begin(begin, words.collect()))
        }
        _ => None,
    }
}

/// Whether what was read as the name of another parameter, without the `,` before it, may be `where`.
fn may_be_where(name: &SyntaxNode, before: &SyntaxToken) -> bool {
    let binding = name
        .parent()
        .filter(|one| ast::Binding::can_cast(one.kind()));
    let list = binding.as_ref().and_then(SyntaxNode::parent);
    let of = list.filter(|list| list.kind() == SyntaxKind::PARAM_LIST);
    let is_last = binding.is_some_and(|one| one.next_sibling().is_none());
    is_last
        && !matches!(before.kind(), SyntaxKind::COMMA | SyntaxKind::L_PAREN)
        && of
            .and_then(|list| list.parent())
            .is_some_and(|of| !matches!(of.kind(), SyntaxKind::DEF_DECL | SyntaxKind::MACRO_DECL))
}

/// What is wanted where the parser has taken the word for the name of something.
fn named(around: &SyntaxNode) -> Option<Wanted> {
    Some(match around.kind() {
        SyntaxKind::ON_CLAUSE => Wanted::Action,
        SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE => Wanted::Channel,
        SyntaxKind::TARGET | SyntaxKind::SHARED_STEPS => Wanted::State,
        SyntaxKind::GOTO_STMT => Wanted::Label,
        SyntaxKind::CHANGE_CLAUSE => Wanted::Observed,
        SyntaxKind::NAMED_TYPE => Wanted::Type {
            is_scalar: is_scalar(around),
        },
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
                    SyntaxKind::EXPECT_SETTING => Wanted::Property,
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
    })
}

/// Whether no array and no record can stand in the place of a type.
fn is_scalar(ty: &SyntaxNode) -> bool {
    let parent = ty.parent();
    parent.is_some_and(|parent| match parent.kind() {
        SyntaxKind::BINDING
        | SyntaxKind::ACTION_DECL
        | SyntaxKind::MESSAGE
        | SyntaxKind::CHANNEL_INDEX
        | SyntaxKind::SET_TYPE
        | SyntaxKind::LIST_TYPE
        | SyntaxKind::ANY_VALUE => true,
        SyntaxKind::ARRAY_TYPE => {
            let mut before = parent.children_with_tokens();
            let mut before = before.by_ref().take_while(|one| one.as_node() != Some(ty));
            !before.any(|one| one.kind() == SyntaxKind::R_BRACKET)
        }
        _ => false,
    })
}

/// What can begin where the parser has found nothing to go on with.
fn begin(parent: &SyntaxNode) -> Option<Begin> {
    for node in parent.ancestors() {
        match node.kind() {
            SyntaxKind::DO_CLAUSE | SyntaxKind::ASSIGN_STMT => return Some(Begin::Effect),
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
            SyntaxKind::STATE | SyntaxKind::SHARED_STEPS => {
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
