//! What an analysis remembers of what it has read, for the next one of the same model, so that an edit
//! in one process, definition, constant, macro or property does not read the others again.
//!
//! What reading one of these comes to depends on its own text, on what the declarations that it mentions
//! say, and on where the processes that it asks about are laid out. So it is what it was where all of
//! the model's items stand there as they stood, at other places at most, but for one: a property, or
//! another process, definition, constant or macro that it does not use, however far. Where a variable, a channel
//! or a process uses the changed constant, there may be more or fewer of them, and what has their numbers
//! in it, a process or a property, is read again. What a reading told and noted is in its [`Journal`],
//! with every name that it found; a place in the changed item among them means that it is read again.
//! Nothing is kept of what has an error: what mends it may stand anywhere.
//!
//! What uses the model is of no account here: a file sees nothing of its users, and what they declare
//! has its numbers after those of the model. So a model and the testers that begin with a `use` of it
//! share one memory.

mod moved;
pub(crate) mod readings;

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast;

use crate::body::graph::moved_name;
use crate::body::reach::Reach;
use crate::elaborate::Settings;
use crate::names::journal::Journal;
use crate::names::users::Users;
use crate::names::{Item, ItemId};
use crate::processes::infos::{InstanceInfo, InstancePlaces, LocalInfo, ProcessInfo};
use crate::program::{ParsedFile, Program};
use crate::spans::{Spans, span_of};
use crate::steps::joint::Participant;
pub(crate) use moved::Moved;
use readings::Reading;
use stubborn_system::property::Assumption;
use stubborn_system::source::Span;
use stubborn_system::source_map::InstanceSource;
use stubborn_system::system::{Instance, System};

/// See the [module](self).
#[derive(Debug)]
pub struct Memory {
    settings: Settings,
    /// By their [`FileId`](stubborn_system::source::FileId)s then.
    files: Vec<Arc<ParsedFile>>,
    /// The items of the model, and those before them.
    items: Vec<Stood>,
    /// In the order of the text.
    processes: Vec<Arc<Remembered>>,
    /// The instances of all of them.
    system: Arc<System>,
    /// Definitions, constants, macros and properties, by item.
    readings: Vec<Option<Arc<Reading>>>,
    /// Which item uses which, but for what the readings say.
    uses: Vec<(ItemId, ItemId)>,
    /// The lists of assumptions that properties had.
    pub(crate) assumptions: Vec<Arc<Vec<Assumption>>>,
}

/// An item as it stood.
#[derive(Debug)]
struct Stood {
    item: ItemId,
    span: Span,
    kind: Discriminant<ast::Item>,
    /// Of a definition, a constant or a macro.
    name: Option<String>,
    is_property_or_setting: bool,
}

/// What an analysis leaves to be remembered, beside its text.
pub(crate) struct Left {
    pub processes: Vec<Arc<Remembered>>,
    pub system: Arc<System>,
    pub readings: Vec<Option<Arc<Reading>>>,
    pub uses: Vec<(ItemId, ItemId)>,
    pub assumptions: Vec<Arc<Vec<Assumption>>>,
}

/// A process that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    pub item: ItemId,
    /// All its places stand before this one; `None` where that is not known.
    pub before: Option<Span>,
    /// Its text up to its body.
    pub header: String,
    /// It has an error, be it one that is told before anything is read.
    pub is_faulty: bool,
    pub info: Arc<ProcessInfo>,
    /// The variables of its first instance.
    pub locals: Vec<(String, Span)>,
    pub reach: Reach,
    /// The size of its control flow, and of that of its macros.
    pub flow: usize,
    pub flow_of_macros: usize,
    pub laid_out: Journal,
    pub macros: Journal,
    pub drawn: Journal,
    pub sources: Vec<Arc<InstanceSource>>,
    pub participants: Vec<Participant>,
}

/// What need not be read.
#[derive(Default)]
pub(crate) struct Recalled {
    pub processes: FxHashMap<ItemId, Arc<Remembered>>,
    system: Arc<System>,
    /// Definitions, constants, macros and properties, by item.
    pub readings: Vec<Option<Arc<Reading>>>,
}

impl Recalled {
    pub fn is_empty(&self) -> bool {
        self.processes.is_empty() && self.readings.iter().all(Option::is_none)
    }

    pub fn instances(&self, process: &Remembered) -> &[Instance] {
        let first = process.info.first as usize;
        &self.system.instances[first..first + process.info.instances.len()]
    }
}

impl Memory {
    pub(crate) fn new(
        program: &Program,
        settings: &Settings,
        items: &[Item],
        mut left: Left,
    ) -> Memory {
        let of_model = of_model(program, items);
        left.readings.truncate(of_model.len());
        (left.uses).retain(|(user, _)| (user.0 as usize) < of_model.len());
        Memory {
            settings: settings.clone(),
            files: program.files.clone(),
            items: of_model
                .iter()
                .map(|item| Stood {
                    item: item.id,
                    span: span_of(item.file, &item.ast),
                    kind: discriminant(&item.ast),
                    name: notion(item),
                    is_property_or_setting: item.is_property_or_setting(),
                })
                .collect(),
            processes: left.processes,
            system: left.system,
            readings: left.readings,
            uses: left.uses,
            assumptions: left.assumptions,
        }
    }

    /// What of the program is as it is remembered, with its places as they are now.
    pub(crate) fn recall(
        &self,
        program: &Program,
        settings: &Settings,
        items: &[Item],
    ) -> Recalled {
        let Some(moved) = self.moved(program, settings, items) else {
            return Recalled::default();
        };
        let changed = self.users(&moved);
        let numbers_stand = moved.numbers_stand
            || changed.iter().all(|id| {
                let item = items.get(id.0 as usize);
                item.is_some_and(|item| item.is_property_or_setting() || has_no_number(item))
            });
        let mut processes = FxHashMap::default();
        if numbers_stand {
            let stand = self.processes.iter();
            let stand =
                stand.filter(|process| !process.is_faulty && !changed.contains(&process.item));
            let moved = stand.filter_map(|process| process.now(&moved));
            processes.extend(moved.map(|process| (process.item, process)));
        }
        let readings = self.readings.iter().enumerate().map(|(at, reading)| {
            let reading = reading.as_ref()?;
            let id = ItemId(at as u32);
            let stands = !changed.contains(&id)
                && reading.stands_without(&changed)
                && (numbers_stand || !items[at].is_property_or_setting());
            stands.then(|| Arc::clone(reading))
        });
        Recalled {
            processes,
            system: self.system.clone(),
            readings: readings.collect(),
        }
    }

    /// What has changed, and what uses that, however far.
    fn users(&self, moved: &Moved) -> FxHashSet<ItemId> {
        let Some((changed, _)) = moved.changed else {
            return FxHashSet::default();
        };
        let readings = self.readings.iter().flatten();
        let recalled = readings.flat_map(|reading| reading.uses());
        let users = Users::new(recalled.chain(self.uses.iter().copied()));
        users.reached_from(std::iter::once(changed))
    }

    /// `None` where more than one item has changed, or another than a process, a definition, a constant, a
    /// macro or a property.
    fn moved(&self, program: &Program, settings: &Settings, items: &[Item]) -> Option<Moved> {
        let now = of_model(program, items);
        if *settings != self.settings || now.len() != self.items.len() {
            return None;
        }
        let mut moved = Moved::between(self.files.clone(), program.files.clone(), now.len());
        for (stood, item) in self.items.iter().zip(now) {
            let then = stood.span;
            let (before, after) = (&self.files[then.file.0 as usize], program.file(item.file));
            let span = span_of(item.file, &item.ast);
            if stood.item != item.id || before.path != after.path {
                return None;
            }
            if text_of(before, then) == text_of(after, span) {
                moved.items.push((then, span));
                continue;
            }
            let is_first = moved.changed.is_none();
            // What was a variable before, say, had a number.
            let are_properties = stood.is_property_or_setting && item.is_property_or_setting();
            moved.numbers_stand = are_properties || self.is_same_process(item, after);
            if !is_first || !(moved.numbers_stand || stood.is_notion_now(item)) {
                return None;
            }
            moved.changed = Some((stood.item, then));
        }
        moved
            .items
            .sort_unstable_by_key(|(then, _)| (then.file, then.start));
        Some(moved)
    }

    /// Whether it is the process that it was, with other variables or steps at most: it has as many
    /// instances, and the others have the numbers that they had.
    fn is_same_process(&self, item: &Item, file: &ParsedFile) -> bool {
        let before = self
            .processes
            .iter()
            .find(|process| process.item == item.id);
        let header = header(item, file);
        before.is_some_and(|before| header.is_some_and(|header| *before.header == *header))
    }
}

impl Stood {
    /// Whether it is a definition, a constant or a macro and now is the same, with another parameter, value
    /// or statement at most: other names stand for what they stood for.
    fn is_notion_now(&self, item: &Item) -> bool {
        let name = notion(item);
        self.kind == discriminant(&item.ast)
            && name.as_ref().is_some_and(|name| !name.is_empty())
            && self.name == name
    }
}

/// The name of a definition, a constant or a macro.
fn notion(item: &Item) -> Option<String> {
    let is_notion = matches!(
        item.ast,
        ast::Item::Const(_) | ast::Item::Def(_) | ast::Item::Macro(_)
    );
    let name = is_notion.then(|| item.ast.name())?;
    name.map(|name| name.text())
}

/// Whether nothing is counted in a System because of it: what is and uses it has been asked itself.
fn has_no_number(item: &Item) -> bool {
    matches!(
        item.ast,
        ast::Item::Const(_) | ast::Item::Def(_) | ast::Item::Type(_) | ast::Item::Macro(_)
    )
}

/// A process's text up to its body.
pub(crate) fn header<'f>(item: &Item, file: &'f ParsedFile) -> Option<&'f str> {
    let ast::Item::Process(process) = &item.ast else {
        return None;
    };
    let whole = span_of(item.file, process);
    let end = span_of(item.file, &process.body()?).start;
    text_of(file, Span { end, ..whole })
}

fn text_of(file: &ParsedFile, span: Span) -> Option<&str> {
    file.text.get(span.start as usize..span.end as usize)
}

/// The items of the model, with all that stands before the last of them: whatever is declared there,
/// be it in a tester file by mistake, has numbers that those after it follow.
fn of_model<'i>(program: &'i Program, items: &'i [Item]) -> &'i [Item] {
    let is_of_model = |item: &Item| !program.file(item.file).is_tester();
    let count = items
        .iter()
        .rposition(is_of_model)
        .map_or(0, |last| last + 1);
    &items[..count]
}

impl Remembered {
    /// The same as the text is now; `None` where it is to be read again.
    fn now(self: &Arc<Self>, moved: &Moved) -> Option<Arc<Remembered>> {
        let uses = [&self.laid_out, &self.macros, &self.drawn].map(Journal::uses);
        let mut uses = uses.into_iter().flatten();
        if self.before.is_some_and(|before| moved.stands_still(before)) {
            let is_touched =
                moved.is_changed(self.item) || uses.any(|(_, used)| moved.is_changed(used));
            debug_assert!(is_touched || self.moved(moved).is_some());
            return (!is_touched).then(|| Arc::clone(self));
        }
        moved.forget_last();
        let mut process = self.moved(moved)?;
        // Behind the last of its places, where that now is.
        process.before = moved.last().map(|last| Span {
            start: last.end,
            ..last
        });
        Some(Arc::new(process))
    }

    /// The same as the text is now; `None` where it is to be read again.
    fn moved(&self, moved: &Moved) -> Option<Remembered> {
        if moved.is_changed(self.item) {
            return None;
        }
        let mut now = |span| moved.span(span);
        let sources = self.sources.iter();
        let sources = sources.map(|source| source_moved(source, moved).map(Arc::new));
        let mut locals = self.locals.clone();
        for (_, span) in &mut locals {
            *span = now(*span)?;
        }
        Some(Remembered {
            before: None,
            laid_out: self.laid_out.moved(moved)?,
            macros: self.macros.moved(moved)?,
            drawn: self.drawn.moved(moved)?,
            info: info_moved(&self.info, moved)?.into(),
            locals,
            reach: self.reach.with_spans(&mut now)?,
            sources: sources.collect::<Option<_>>()?,
            participants: self.participants.with_spans(&mut now)?,
            ..self.clone()
        })
    }
}

fn info_moved(info: &ProcessInfo, moved: &Moved) -> Option<ProcessInfo> {
    let mut now = |span| moved.span(span);
    let mut instances: Vec<InstanceInfo> = Vec::with_capacity(info.instances.len());
    for (at, instance) in info.instances.iter().enumerate() {
        // Instances that shared a table share the new one.
        let before = at.checked_sub(1);
        let before = before.map(|before| (&info.instances[before], &instances[before]));
        let locals = match before {
            Some((then, now)) if Arc::ptr_eq(&then.locals, &instance.locals) => now.locals.clone(),
            _ => instance.locals.with_spans(&mut now)?,
        };
        let places = match before {
            Some((then, now)) if Arc::ptr_eq(&then.places, &instance.places) => now.places.clone(),
            _ => Arc::new(instance.places.with_spans(&mut now)?),
        };
        instances.push(InstanceInfo { locals, places });
    }
    Some(ProcessInfo {
        span: moved.span(info.span)?,
        instances,
        ..info.clone()
    })
}

impl Spans for Participant {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.span);
    }
}

impl Spans for LocalInfo {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        each(&mut self.span);
    }
}

impl Spans for InstancePlaces {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.spans
            .values_mut()
            .chain(self.steps.values_mut())
            .for_each(each);
    }
}

fn source_moved(source: &InstanceSource, moved: &Moved) -> Option<InstanceSource> {
    let down = moved.down(source.span)?;
    let mut source = source.with_spans(&mut |span| moved.span(span))?;
    for location in &mut source.locations {
        location.name = moved_name(&location.name, down);
    }
    Some(source)
}
