//! Reading declarations: constants and `param`s, shared and local variables, channels, actions,
//! definitions.

mod actions;
mod channels;
mod constants;
mod definitions;
mod infos;
mod kept;
mod variables;
mod where_clause;

pub(crate) use definitions::{Opened, behind};
pub(crate) use infos::{ActionInfo, Parameter};
pub(crate) use infos::{ConstantInfo, DefinitionInfo, Enumeration, LocalVariable, Resolutions};
pub(crate) use kept::{Combinations, Kept, advance, place, with_values, without_values};

use crate::elaborate::Elaborator;
use crate::names::declarations::{DeclarationId, DeclarationKind};

impl Elaborator<'_> {
    /// Reads every declaration of the top level but processes and macros, those that nothing uses
    /// too, so that each has its messages. To be called when the processes are laid out.
    pub fn check_declarations(&mut self) {
        for index in 0..self.names.declarations.len() {
            let id = DeclarationId(index as u32);
            let declaration = self.declaration(id);
            let item = declaration.item;
            match declaration.kind {
                // What it means is worked out where somebody uses it.
                DeclarationKind::Constant(_) if !self.is_worked_out(id) => {
                    if self.recall(item).is_none() {
                        self.constant_info(id);
                    }
                }
                DeclarationKind::Definition(_) if !self.is_worked_out(id) => {
                    if self.recall(item).is_none() {
                        self.definition(id);
                    }
                }
                DeclarationKind::Constant(_) | DeclarationKind::Param(_) => {
                    self.constant_info(id);
                }
                DeclarationKind::Type(_) => {
                    self.type_alias(id);
                }
                DeclarationKind::Enumeration(_) => {
                    self.enumeration_type(id);
                }
                DeclarationKind::Variable(..) => {
                    self.variable_info(id);
                }
                DeclarationKind::Channel(_) => {
                    self.channel_info(id);
                }
                DeclarationKind::Action(..) => {
                    self.action_info(id);
                }
                DeclarationKind::Definition(_) => {
                    self.definition(id);
                }
                DeclarationKind::EnumerationValue(..)
                | DeclarationKind::Macro(_)
                | DeclarationKind::Process(_) => {}
            }
        }
        self.check_settings();
    }
}
