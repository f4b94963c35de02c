//! Declarations and items of a program, by their names and places.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast;

use crate::names::symbols::SymbolKind;
use crate::spans::span_of;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{ActionId, VariableIndex};

/// Which item of the program, in the order of its text: used files before their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

/// Which declared name, in the order of the program's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclarationId(pub u32);

/// Something at the top of a file.
#[derive(Clone, Debug)]
pub struct Item {
    pub id: ItemId,
    pub file: FileId,
    pub ast: ast::Item,
}

/// A name of the one space that processes, types, variables, channels, constants, actions,
/// definitions, macros and the values of enumerations share.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    pub item: ItemId,
    pub kind: DeclarationKind,
}

#[derive(Clone, Debug)]
pub enum DeclarationKind {
    Constant(ast::ConstDecl),
    Param(ast::ParamDecl),
    Type(ast::TypeDecl),
    Enumeration(ast::EnumDecl),
    /// A value of the enumeration, counted from 0.
    EnumerationValue(DeclarationId, i64),
    Variable(ast::VarDecl, VariableIndex),
    Channel(ast::ChannelDecl),
    Action(ast::ActionDecl, ActionId),
    Definition(ast::DefDecl),
    Macro(ast::MacroDecl),
    Process(ast::ProcessDecl),
}

#[derive(Default)]
pub(crate) struct Names {
    /// The tree of each file, by its [`FileId`].
    pub roots: Vec<ast::SourceFile>,
    pub items: Rc<[Item]>,
    /// Where the items stand, without those that stand in others by mistake; by file and place.
    pub(super) places: Vec<(Span, ItemId)>,
    pub declarations: Vec<Rc<Declaration>>,
    /// The first declaration of each name.
    pub(super) first: FxHashMap<Arc<str>, DeclarationId>,
    pub(super) variables: VariableIndex,
    pub(crate) actions: ActionId,
    /// For each file what it sees: its own declarations and those of the files it uses. `None` where that
    /// is all.
    pub(super) scopes: Vec<Option<FxHashMap<Arc<str>, DeclarationId>>>,
}

impl Names {
    pub(super) fn find_places(&mut self) {
        for item in self.items.iter() {
            let place = span_of(item.file, &item.ast);
            let is_within =
                |(around, _): &(Span, ItemId)| around.file == place.file && place.end <= around.end;
            if !self.places.last().is_some_and(is_within) {
                self.places.push((place, item.id));
            }
        }
        self.places
            .sort_by_key(|(place, _)| (place.file, place.end));
    }
}

/// The built-in functions, which may not be declared.
pub const BUILT_IN_FUNCTIONS: &[&str] = &[
    "count",
    "sum",
    "min",
    "max",
    "len",
    "empty",
    "full",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bit_not",
    "shift_left",
    "shift_right",
];

/// The built-in properties, whose names no other property may have.
pub(crate) const BUILT_IN_PROPERTIES: [&str; 3] = ["errors", "deadlock", "termination"];

impl DeclarationKind {
    /// As a message speaks of it: `a process`.
    pub fn described(&self) -> &'static str {
        self.symbol().1
    }

    /// The kind of its symbol, and as a message speaks of it.
    pub(super) fn symbol(&self) -> (SymbolKind, &'static str) {
        match self {
            DeclarationKind::Constant(_) => (SymbolKind::Constant, "a constant"),
            DeclarationKind::Param(_) => (SymbolKind::Param, "a parameter"),
            DeclarationKind::Type(_) => (SymbolKind::Type, "a type"),
            DeclarationKind::Enumeration(_) => (SymbolKind::Enumeration, "an enumeration"),
            DeclarationKind::EnumerationValue(..) => {
                (SymbolKind::EnumerationValue, "a value of an enumeration")
            }
            DeclarationKind::Variable(..) => (SymbolKind::Variable, "a variable"),
            DeclarationKind::Channel(_) => (SymbolKind::Channel, "a channel"),
            DeclarationKind::Action(..) => (SymbolKind::Action, "an action"),
            DeclarationKind::Definition(_) => (SymbolKind::Definition, "a definition"),
            DeclarationKind::Macro(_) => (SymbolKind::Macro, "a macro"),
            DeclarationKind::Process(_) => (SymbolKind::Process, "a process"),
        }
    }
}

impl Item {
    /// Whether an error in it takes away properties alone, that one or those that have the assumption: properties, settings,
    /// assumptions, testers, automata, specifications.
    pub fn is_property_or_setting(&self) -> bool {
        matches!(
            self.ast,
            ast::Item::Invariant(_)
                | ast::Item::Progress(_)
                | ast::Item::Reachable(_)
                | ast::Item::Ltl(_)
                | ast::Item::Recurrence(_)
                | ast::Item::Fair(_)
                | ast::Item::Bound(_)
                | ast::Item::Deadlock(_)
                | ast::Item::Termination(_)
                | ast::Item::Expect(_)
                | ast::Item::Refines(_)
                | ast::Item::Tester(_)
                | ast::Item::Specification(_)
                | ast::Item::Buchi(_)
                | ast::Item::Testing(_)
        )
    }

    /// Whether an error in it takes away only what uses it.
    pub(super) fn is_notion(&self) -> bool {
        matches!(
            self.ast,
            ast::Item::Const(_) | ast::Item::Type(_) | ast::Item::Def(_)
        )
    }
}

/// What errors take away.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Losses {
    /// The model, and with it every property.
    pub model: bool,
    /// Properties, settings, assumptions, testers, automata and specifications.
    pub items: FxHashSet<ItemId>,
}
