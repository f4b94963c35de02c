//! What can be written at a place: words of the language that fit there, and names that do, those of
//! the type that is asked for first.

mod around;
mod continuation;
mod place;
mod types;
mod words;

use std::ops::Range;

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_syntax::ast::{self, AstNode, Body, HasName};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::{FileId, Span};

use super::parameters::{Names, takes_arguments};
use crate::database::{Contents, Db, SourceFile, analyzed, scopes, whole};
use around::{Begin, Owner};
use place::{Place, Wanted};
pub use types::Type;
use types::{Fit, fit};
use words::Operand;

/// No more is offered at once: nobody reads on.
const MOST: usize = 2_000;

/// What is offered at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is replaced.
    pub bytes: Range<usize>,
    /// Whether there is nothing else: if not, more may be found of a longer word.
    pub is_all: bool,
    pub offers: Offers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offers {
    /// The best first.
    These(Vec<Offer>),
    /// The names of files, of which so much is written: only who may look at the disk knows them.
    Files(String),
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub label: String,
    pub kind: OfferKind,
    /// Its type, or what it is for.
    pub detail: String,
    pub documentation: Option<String>,
    /// What is written in the syntax of snippets, where that is more than the label. It begins a line,
    /// if it has several.
    pub snippet: Option<String>,
    /// Offered to clients alone that know snippets.
    pub only_as_snippet: bool,
    /// What fits best has the least.
    pub rank: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    Word,
    Snippet,
    Name(SymbolKind),
}

impl Offer {
    fn word(word: &str, rank: u8) -> Offer {
        Offer {
            label: word.to_owned(),
            kind: OfferKind::Word,
            detail: String::new(),
            documentation: None,
            snippet: None,
            only_as_snippet: false,
            rank,
        }
    }

    fn name(symbol: &Symbol, rank: u8) -> Offer {
        let detail = match &symbol.value {
            Some(value) => format!("{} = {value}", symbol.ty),
            None => symbol.ty.to_string(),
        };
        Offer {
            label: symbol.name.to_string(),
            kind: OfferKind::Name(symbol.kind),
            detail,
            documentation: symbol.documentation.as_deref().map(str::to_owned),
            ..Offer::word("", rank)
        }
    }
}

/// What can be written at `offset`. `typed` is the character that has made the client ask by itself, if
/// one has.
pub fn completion(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    typed: Option<char>,
) -> Option<Completion> {
    let Contents::Text(text) = file.contents(db) else {
        return None;
    };
    let place = place::place(text, offset)?;
    if !is_asked_for(&place, typed) {
        return None;
    }
    let bytes = place.word.clone();
    if let Wanted::Path(written) = &place.wanted {
        let offers = Offers::Files(written.clone());
        return Some(Completion {
            bytes,
            is_all: true,
            offers,
        });
    }
    let (whole, analysis, scopes) = (whole(db, file)?, analyzed(db, file)?, scopes(db, file)?);
    // What is not finished yet ends where its last word does.
    let mut names = Names::new(&whole.program, &analysis, &scopes, place.before);
    let bound = bound(&place, &names);
    if place.begins {
        let there = Names::new(&whole.program, &analysis, &scopes, place.word.start).here;
        names
            .here
            .retain(|one| one.kind != SymbolKind::Bound || there.contains(one));
    }
    names
        .here
        .retain(|one| !bound.iter().any(|bound| bound.name == one.name));
    names.here.splice(0..0, &bound);
    let root = whole.program.files.first()?;
    let mut offers = offers(&place, &names, &root.parse.syntax(), root.is_tester());
    if text.get(bytes.end..)?.trim_start().starts_with(['(', '[']) {
        // What is asked for stands there already.
        let names = offers.iter_mut().filter(|offer| !offer.only_as_snippet);
        names.for_each(|offer| offer.snippet = None);
    }
    offers.sort_by_key(|offer| offer.rank);
    let is_too_much = offers.len() > MOST;
    if is_too_much {
        let written = text.get(bytes.start..offset)?.to_lowercase();
        offers.retain(|offer| offer.label.to_lowercase().starts_with(&written));
        offers.truncate(MOST);
    }
    // The names of a file that nobody has read yet come when it is.
    let is_all = !is_too_much && whole.unread.is_empty();
    Some(Completion {
        bytes,
        is_all,
        offers: Offers::These(offers),
    })
}

/// What is bound around a place and not known, since the text is broken.
fn bound(place: &Place, names: &Names<'_>) -> Vec<Symbol> {
    let mut bound: Vec<Symbol> = Vec::new();
    for binding in &place.bindings {
        let Some(name) = binding.name().map(|name| name.text()) else {
            continue;
        };
        let known = names.general(&name).map(|known| known.kind);
        if matches!(known, Some(SymbolKind::Bound | SymbolKind::Parameter))
            || bound.iter().any(|one| *one.name == *name)
        {
            continue;
        }
        let is_parameter = binding.syntax().parent();
        let is_parameter = is_parameter.is_some_and(|it| it.kind() == SyntaxKind::PARAM_LIST);
        let ty = binding.ty().and_then(|ty| names.resolved(&ty));
        bound.push(Symbol {
            name: name.into(),
            kind: if is_parameter {
                SymbolKind::Parameter
            } else {
                SymbolKind::Bound
            },
            span: Span {
                file: FileId(0),
                start: 0,
                end: 0,
            },
            ty: ty.map_or_else(String::new, |ty| ty.shown()).into(),
            value: None,
            documentation: None,
        });
    }
    bound
}

/// Whether a character that was typed begins what it may seem to begin: `>` an arrow's end, `.` what
/// is behind it.
fn is_asked_for(place: &Place, typed: Option<char>) -> bool {
    match typed {
        Some('>') => matches!(place.wanted, Wanted::State),
        Some('.') => matches!(place.wanted, Wanted::Field(_)),
        Some('"' | '/') => matches!(place.wanted, Wanted::Path(_)),
        _ => true,
    }
}

fn offers(place: &Place, names: &Names<'_>, root: &SyntaxNode, is_tester: bool) -> Vec<Offer> {
    use SymbolKind::{
        Action, Channel, Label, LocalVariable, Macro, Observed, Parameter, Process, Property,
        State, Tester, Variable,
    };
    let of = |kinds: &[SymbolKind]| named(of_kinds(names, kinds));
    let calls = |kinds: &[SymbolKind]| -> Vec<Offer> {
        let symbols = of_kinds(names, kinds).into_iter();
        symbols.map(|symbol| called(symbol, names)).collect()
    };
    match &place.wanted {
        Wanted::Path(_) => Vec::new(),
        Wanted::Words(words) => {
            let words = words.iter();
            let words = words.filter(|word| !(is_tester && **word == "process"));
            words.map(|word| Offer::word(word, 0)).collect()
        }
        Wanted::Begin(begin, words) => {
            let begin = with_what_follows(*begin, root, place.word.start);
            let mut offers: Vec<Offer> = words.iter().map(|word| Offer::word(word, 0)).collect();
            let is_assigned_to = match begin {
                Begin::Statement | Begin::Effect => true,
                Begin::Body { states, .. } => {
                    !states && matches!(place.owner, Some(Owner::Process | Owner::Specification))
                }
                Begin::Item | Begin::Step => false,
            };
            if is_assigned_to {
                offers.extend(of(&[LocalVariable, Variable]));
                if place.owner == Some(Owner::Macro) {
                    offers.extend(of(&[Parameter]));
                }
                offers.extend(calls(&[Macro]));
            }
            let words = words::beginning(begin, place.owner, is_tester);
            offers.extend(words.iter().map(|word| Offer::word(word, 2)));
            if begin == Begin::Item {
                offers.extend(snippets(is_tester));
            }
            offers
        }
        Wanted::Expression(node) => operands(node, names, place.owner),
        Wanted::Receiver(node) => {
            let ty = types::wanted(&placeholder(node), names);
            let mut places = of_kinds(names, &[LocalVariable, Variable]);
            places.retain(|symbol| fit(symbol, ty.as_ref()) != Fit::Not);
            named(places)
        }
        Wanted::Type { is_scalar } => type_names(names, *is_scalar),
        Wanted::Action => {
            let mut offers = calls(&[Action]);
            if place.owner == Some(Owner::Tester) {
                offers.push(Offer::word("tau", 1));
            }
            offers
        }
        Wanted::Channel => calls(&[Channel]),
        Wanted::Event => calls(&[Action, Process]),
        // Steps that several places of statements share lead to labels.
        Wanted::State if of_kinds(names, &[State]).is_empty() => of(&[Label]),
        Wanted::State => of(&[State]),
        Wanted::Label => of(&[Label]),
        Wanted::Location(process) => locations(names, process),
        Wanted::Field(base) => listed(types::fields(base, names)),
        Wanted::RecordField(node) => listed(types::of_record(node, names)),
        Wanted::Observed => of(&[Observed]),
        Wanted::Specification => {
            let mut specifications = of_kinds(names, &[Tester]);
            specifications.retain(|symbol| {
                let declared = names.declaration(symbol);
                declared.is_some_and(|node| node.kind() == SyntaxKind::SPECIFICATION_DECL)
            });
            named(specifications)
        }
        Wanted::Property => {
            let mut offers = of(&[Property, Tester]);
            let built_in = ["errors", "deadlock", "termination"];
            offers.extend(built_in.map(|word| Offer::word(word, 1)));
            offers
        }
    }
}

/// Where nothing stands before it in its body, what stands behind the place says which of its forms the
/// body has.
fn with_what_follows(begin: Begin, root: &SyntaxNode, offset: usize) -> Begin {
    let Begin::Body { is_first: true, .. } = begin else {
        return begin;
    };
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    let around = root
        .token_at_offset(offset.min(root.text_range().end().into()).into())
        .left_biased()
        .and_then(|token| token.parent_ancestors().find_map(Body::cast));
    let Some(body) = around else { return begin };
    let is_behind = |node: &SyntaxNode| u32::from(node.text_range().start()) > offset;
    let states = body.states().any(|state| is_behind(state.syntax()));
    let mut statements = body.statements();
    Begin::Body {
        is_first: true,
        states,
        // Among states a statement is a mistake: a word is missing.
        statements: !states && statements.any(|one| is_behind(one.syntax())),
    }
}

/// What a type may begin with; a range begins with a constant.
fn type_names(names: &Names<'_>, is_scalar: bool) -> Vec<Offer> {
    let is_composite = |symbol: &Symbol| matches!(Type::of(&symbol.ty), Some(Type::Composite(_)));
    let mut types = of_kinds(names, &[SymbolKind::Type, SymbolKind::Enumeration]);
    types.retain(|symbol| !(is_scalar && is_composite(symbol)));
    let mut offers = named(types);
    let words = words::TYPES
        .iter()
        .take(if is_scalar { 1 } else { usize::MAX });
    offers.extend(words.map(|word| Offer::word(word, 2)));
    let mut ends = of_kinds(names, &[SymbolKind::Constant, SymbolKind::Param]);
    ends.retain(|symbol| Type::of(&symbol.ty) == Some(Type::Integer));
    offers.extend(ends.into_iter().map(|symbol| Offer::name(symbol, 3)));
    offers
}

/// The names of some kinds, in the order of the kinds, the innermost of each first.
fn of_kinds<'a>(names: &Names<'a>, kinds: &[SymbolKind]) -> Vec<&'a Symbol> {
    let of = |kind: &SymbolKind| {
        let here = names.here.iter().copied();
        let fitting = here.filter(|symbol| symbol.kind == *kind);
        fitting.collect::<Vec<_>>()
    };
    kinds.iter().flat_map(of).collect()
}

fn named(symbols: Vec<&Symbol>) -> Vec<Offer> {
    let offers = symbols.into_iter().map(|symbol| Offer::name(symbol, 1));
    offers.collect()
}

/// With parentheses where arguments are wanted.
fn called(symbol: &Symbol, names: &Names<'_>) -> Offer {
    use SymbolKind::{Action, Channel, Definition, Macro, Process};
    let mut offer = Offer::name(symbol, 1);
    let may_take = matches!(symbol.kind, Action | Channel | Definition | Macro | Process);
    let declared = may_take.then(|| names.declaration(symbol)).flatten();
    let index = declared.clone().and_then(ast::ChannelDecl::cast);
    let index = match index.map_or(0, |channel| channel.indices().len()) {
        0 => "",
        1 => "[${1}]",
        _ => "[${1}, ${2}]",
    };
    if declared.as_ref().is_some_and(takes_arguments) {
        offer.snippet = Some(format!("{}{index}($0)", offer.label));
    }
    offer
}

/// What an operand may be.
fn operands(node: &SyntaxNode, names: &Names<'_>, owner: Option<Owner>) -> Vec<Offer> {
    use SymbolKind::{
        Bound, Channel, Constant, Definition, EnumerationValue, LocalVariable, Observed, Param,
        Parameter, Process, Variable,
    };
    let wanted = types::wanted(node, names);
    let about = about(node);
    if about == About::Channel {
        return named(of_kinds(names, &[Channel]));
    }
    let is_automaton = matches!(owner, Some(Owner::Buchi | Owner::Testing));
    let kinds: &[SymbolKind] = match about {
        About::Constants => &[
            Parameter,
            Bound,
            Constant,
            Param,
            EnumerationValue,
            Definition,
        ],
        _ if is_automaton && about != About::Observation => &[Observed],
        _ => &[
            Bound,
            Parameter,
            LocalVariable,
            Variable,
            Constant,
            Param,
            EnumerationValue,
            Definition,
            Process,
        ],
    };
    let mut offers = Vec::new();
    for symbol in of_kinds(names, kinds) {
        let is_value = symbol.kind == EnumerationValue;
        let rank = match fit(symbol, wanted.as_ref()) {
            Fit::Not => continue,
            Fit::Exactly if is_value => 0,
            Fit::Exactly => 1,
            // Nobody begins a condition with a value, though it can be done.
            Fit::Perhaps if is_value => 4,
            Fit::Perhaps => 2,
        };
        let offer = called(symbol, names);
        offers.push(Offer { rank, ..offer });
    }
    for (word, operand) in words::OPERANDS {
        let fits = match (operand, &wanted) {
            (Operand::Any, _) | (_, None) | (_, Some(Type::Bool)) => true,
            (Operand::Int, Some(wanted)) => *wanted == Type::Integer,
            (Operand::Bool, Some(_)) => false,
        };
        let is_of_state = matches!(*word, "len" | "empty" | "full");
        if fits && !(about == About::Constants && is_of_state) {
            offers.push(Offer::word(word, 3));
        }
    }
    if about == About::Formula {
        offers.extend(words::TEMPORAL.iter().map(|word| Offer::word(word, 3)));
    }
    let parent = node.parent().map(|parent| parent.kind());
    if parent == Some(SyntaxKind::ASSIGNMENT) {
        offers.push(Offer::word("any", 3));
    }
    offers
}

/// What the expression around a place may be about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    States,
    Constants,
    Formula,
    Observation,
    Channel,
}

fn about(node: &SyntaxNode) -> About {
    use SyntaxKind::*;
    if let Some(list) = node.parent().filter(|parent| parent.kind() == ARG_LIST) {
        let call = list.parent().and_then(stubborn_syntax::ast::CallExpr::cast);
        let callee = call
            .and_then(|call| call.name_ref())
            .map(|name| name.text());
        if matches!(callee.as_deref(), Some("len" | "empty" | "full")) {
            return About::Channel;
        }
    }
    for around in node.ancestors() {
        match around.kind() {
            CONST_DECL | PARAM_DECL | VAR_DECL | CHANNEL_DECL | TYPE_DECL | ACTION_DECL
            | RANGE_TYPE => return About::Constants,
            LTL_DECL => return About::Formula,
            OBSERVE_DECL => return About::Observation,
            STEP | BODY => return About::States,
            _ => {}
        }
    }
    About::States
}

/// The name in the place of what takes a value.
fn placeholder(argument: &SyntaxNode) -> SyntaxNode {
    argument
        .children()
        .next()
        .unwrap_or_else(|| argument.clone())
}

/// Where an instance of a process can be.
fn locations(names: &Names<'_>, process: &str) -> Vec<Offer> {
    let Some(process) = names.general(process) else {
        return Vec::new();
    };
    if process.kind != SymbolKind::Process {
        return Vec::new();
    }
    let is_location =
        |symbol: &&Symbol| matches!(symbol.kind, SymbolKind::State | SymbolKind::Label);
    let mut offers: Vec<Offer> = names
        .within(process)
        .filter(is_location)
        .map(|symbol| Offer::name(symbol, 0))
        .collect();
    let has_states = offers
        .iter()
        .any(|offer| offer.kind == OfferKind::Name(SymbolKind::State));
    if !has_states {
        let end = Offer::word("end", 1);
        let detail = "where the statements have ended".to_owned();
        offers.push(Offer { detail, ..end });
    }
    offers
}

fn listed(fields: Vec<(String, String)>) -> Vec<Offer> {
    let fields = fields.into_iter().map(|(name, ty)| Offer {
        label: name,
        kind: OfferKind::Name(SymbolKind::Field),
        detail: ty,
        ..Offer::word("", 0)
    });
    fields.collect()
}

fn snippets(is_tester: bool) -> impl Iterator<Item = Offer> {
    words::snippets(is_tester).into_iter().map(|snippet| Offer {
        kind: OfferKind::Snippet,
        detail: snippet.detail.to_owned(),
        snippet: Some(snippet.text.to_owned()),
        only_as_snippet: true,
        ..Offer::word(snippet.label, 1)
    })
}

#[cfg(test)]
mod tests;
