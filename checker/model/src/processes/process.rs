//! A process of the model, read from its text or remembered.

use std::rc::Rc;
use std::sync::Arc;

use stubborn_syntax::ast;

use super::laid_out::LaidOut;
use super::outline::Outlined;
use crate::body::Layout;
use crate::body::reach::Reach;
use crate::memory::Remembered;
use crate::names::journal::Journal;
use crate::names::{Item, ItemId};
use stubborn_system::source::{FileId, Span};

/// A process of the model.
pub(crate) struct Process {
    pub item: ItemId,
    pub file: FileId,
    /// Where its name stands.
    pub name: Span,
    pub body: Option<ast::Body>,
    /// The variables of its first instance.
    pub locals: Vec<(String, Span)>,
    pub reach: Reach,
    /// The size of its control flow.
    pub flow: usize,
    pub(super) reading: Reading,
}

/// Source of a process.
pub(super) enum Reading {
    /// Its text.
    Text(Box<Outlined>),
    /// An analysis before this one.
    Memory(Arc<Remembered>),
}

impl Process {
    /// Its instances, where its text was read.
    pub(crate) fn laid_out(&self) -> &[LaidOut] {
        match &self.reading {
            Reading::Text(outlined) => &outlined.instances,
            Reading::Memory(_) => &[],
        }
    }

    pub(super) fn of(
        item: &Item,
        name: Span,
        mut outlined: Outlined,
        laid_out: Journal,
        flow: usize,
    ) -> Process {
        let first = outlined.instances.first();
        let locals = first.iter().flat_map(|first| first.locals.iter());
        let locals = locals
            .map(|local| (local.name.clone(), local.span))
            .collect();
        let mut reach = Reach::default();
        let mut before: Option<&Rc<Layout>> = None;
        for instance in &outlined.instances {
            if !before.is_some_and(|before| Rc::ptr_eq(before, &instance.layout)) {
                reach.add(&instance.layout);
            }
            before = Some(&instance.layout);
        }
        outlined.laid_out = laid_out;
        // What is laid out again is counted once.
        let flow = std::mem::take(&mut outlined.outline.flow) - flow;
        Process {
            item: item.id,
            file: item.file,
            name,
            body: outlined.outline.body.clone(),
            locals,
            reach,
            flow,
            reading: Reading::Text(Box::new(outlined)),
        }
    }
}
