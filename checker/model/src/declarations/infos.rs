//! Types, values and indices of declarations, as they are worked out.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expressions::typed::Typed;
use crate::names::declarations::DeclarationId;
use crate::types::{Declared, Domain, EnumerationId, Ty};
use stubborn_system::source::Span;
use stubborn_system::source_map::VariableSource;
use stubborn_system::system::{ActionId, ChannelId, Order, Value, VariableIndex};

/// A parameter of a definition, macro, process or property.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    pub domain: Domain,
}

/// A definition, checked by itself.
#[derive(Clone, Debug)]
pub struct DefinitionInfo {
    pub ty: Ty,
    pub parameters: Vec<Parameter>,
    /// Whether what states and variables processes have was known when it was checked.
    pub(crate) laid_out: bool,
    /// False for a member of a cycle, and for what is too large.
    pub(crate) expandable: bool,
}

impl DefinitionInfo {
    pub(super) fn unknown(parameters: Vec<Parameter>) -> DefinitionInfo {
        DefinitionInfo {
            ty: Ty::Unknown,
            parameters,
            laid_out: false,
            expandable: false,
        }
    }
}

/// A constant or `param`.
#[derive(Clone, Debug)]
pub struct ConstantInfo {
    /// Its value wherever it is used.
    pub typed: Typed,
}

/// A shared variable.
#[derive(Clone, Debug)]
pub struct VariableInfo {
    pub index: VariableIndex,
    pub declared: Declared,
    pub initial: Value,
}

/// A variable of a process, for one of its instances.
#[derive(Clone, Debug)]
pub struct LocalVariable {
    pub name: String,
    pub span: Span,
    pub declared: Declared,
    pub initial: Value,
}

impl LocalVariable {
    /// Name, place and values, as the source map has them.
    pub fn source(&self) -> VariableSource {
        VariableSource {
            name: self.name.clone(),
            span: self.span,
            shape: self.declared.shape.clone(),
        }
    }
}

/// A declared channel, or array of channels.
#[derive(Clone, Debug)]
pub struct ChannelInfo {
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    /// The first of its channels; those of an array follow it in the order of the indices, the last of which
    /// varies fastest.
    pub first: ChannelId,
    /// The indices of an array; none of one channel.
    pub indices: Vec<Domain>,
    pub order: Order,
    pub capacity: u32,
    /// The types of a message's parts.
    pub message: Vec<Declared>,
    /// Initial messages of each channel.
    pub initial: Vec<Vec<i64>>,
}

impl ChannelInfo {
    /// How many channels these are.
    pub fn size(&self) -> u32 {
        match self.indices.iter().all(|index| index.known) {
            true => number_of_channels(&self.indices) as u32,
            false => 1,
        }
    }
}

/// How many channels an array with these indices has.
pub(crate) fn number_of_channels(indices: &[Domain]) -> u64 {
    let sizes = indices.iter().map(|index| index.range.size());
    sizes.fold(1, u64::saturating_mul)
}

/// A declared action.
#[derive(Clone, Debug)]
pub struct ActionInfo {
    pub id: ActionId,
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    pub arguments: Vec<Domain>,
}

/// An enumeration of the program.
#[derive(Clone, Debug)]
pub struct Enumeration {
    pub name: String,
    pub values: Arc<[String]>,
}

/// Declarations worked out so far.
#[derive(Default)]
pub(crate) struct Resolutions {
    /// Declarations that are being resolved, the innermost last.
    pub(crate) open: Vec<DeclarationId>,
    /// Members of cycles.
    pub(crate) cyclic: FxHashSet<DeclarationId>,
    pub types: FxHashMap<DeclarationId, Declared>,
    pub constants: FxHashMap<DeclarationId, ConstantInfo>,
    pub definitions: FxHashMap<DeclarationId, Rc<DefinitionInfo>>,
    pub variables: FxHashMap<DeclarationId, Rc<VariableInfo>>,
    pub channels: Option<FxHashMap<DeclarationId, Rc<ChannelInfo>>>,
    pub actions: FxHashMap<DeclarationId, Rc<ActionInfo>>,
    pub enumerations: FxHashMap<DeclarationId, EnumerationId>,
}
