//! The elaborator: reads syntax trees in the light of what their names stand for. What it knows of
//! a program is here; how it reads declarations, types, expressions and places is in the modules
//! named after them, bodies and properties are read on top of it.
//!
//! Everything constant is folded and everything that is bound by a quantifier is expanded as it is
//! read. A process's parameters are constants in each instance; how a text is nevertheless read once
//! for all of them tells [`crate::template`].

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, AstNode};

use crate::declarations::{Enumeration, Resolutions};
use crate::expressions::typed::Typed;
use crate::interrupt::Interrupt;
use crate::memory::readings::Readings;
use crate::names::declarations::{DeclarationId, ItemId, Losses, Names};
use crate::names::env::Env;
use crate::names::journal::symbol_book::SymbolBook;
use crate::names::reports::Reports;
use crate::names::symbols::Symbols;
use crate::problem::{Code, Problem, Severity, Words};
use crate::processes::infos::{Asked, ProcessInfo};
use crate::program::Program;
use crate::spans::span_of;
use crate::types::EnumerationId;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{Effect, StepId};

/// What is set from outside the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// `-D NAME=VALUE`, as written; of one name the last counts.
    pub parameters: Vec<(String, String)>,
}

/// Limits on what a text may grow to when it is written out. They keep a check from running away;
/// whatever is beyond them is too large for a search by far.
pub(crate) const MAX_EXPANSION: u64 = 1_000_000;
/// All that one analysis may write out.
pub(crate) const MAX_WORK: u64 = 20_000_000;
/// How deep definitions may stand in definitions.
pub(crate) const MAX_DEPTH: u32 = 200;

pub(crate) struct Elaborator<'p> {
    pub(crate) program: &'p Program,
    pub(crate) settings: &'p Settings,
    pub(crate) interrupt: Interrupt<'p>,
    pub(crate) names: Names,
    pub(crate) enumerations: Vec<Rc<Enumeration>>,
    pub(crate) resolutions: Resolutions,
    pub(crate) reports: Reports,
    pub symbols: SymbolBook,
    /// In the order of the text.
    pub processes: Vec<Arc<ProcessInfo>>,
    /// What has been asked of [`Elaborator::processes`].
    pub(crate) asked: Asked,
    /// Whether it has been told that the control flow is too large.
    pub(crate) flow_told: bool,
    /// For each instance the names of its steps, with the steps; filled where these are read.
    pub(crate) named_steps: Vec<Vec<(Arc<str>, StepId)>>,
    /// Of each set or list around what is read whose elements are gone through, whether the element is
    /// there.
    pub(crate) memberships: Vec<Typed>,
    /// While the steps of an instance are read, what the effect `reset` does.
    pub(crate) own_variables: Vec<Effect>,
    /// Types with a name of their own of which it has been told that they have too many values.
    pub(crate) too_many_values: FxHashSet<DeclarationId>,
    /// Whether what is read may be too large only because its type is, which has been told.
    pub(crate) size_is_told: bool,
    /// Whether [`Elaborator::processes`] is filled.
    pub(crate) laid_out: bool,
    /// While a process is read once for all its instances.
    pub(crate) trial: Option<crate::template::Trial>,
    /// The names around what is being read.
    pub(crate) env: Env,
    /// What is being elaborated, the innermost last.
    owners: Vec<ItemId>,
    /// What is around the expression that keeps it from being evaluated.
    unevaluated: u32,
    /// The outermost use of a definition or macro that is being expanded.
    pub(crate) expansion: Option<Span>,
    /// How many combinations of values the bindings around are gone through in.
    pub(crate) combinations: u64,
    /// How many expressions are around what is being read.
    pub(crate) nested: u32,
    /// How many definitions are around the expression.
    pub(crate) nesting: u32,
    /// How many parts the expression that is being read has been written out to.
    pub(crate) written: u64,
    /// How many parts everything so far has been written out to.
    pub(crate) work: u64,
    /// Whether what is read now is only looked at, so that nothing counts as used by it.
    only_looking: bool,
    /// How many names unknown ones have been compared with.
    pub(crate) compared: Cell<u64>,
    /// Declarations of which it is known whether literals and constants alone decide them.
    pub(crate) fixed: FxHashMap<DeclarationId, bool>,
    /// How much of that was counted for what has a journal of its own.
    pub(crate) work_apart: u64,
    /// Whether journals are kept, for the next analysis.
    pub(crate) remembers: bool,
    /// What need not be read, and what is to be remembered.
    pub(crate) readings: Readings,
    /// What is read while a journal is kept.
    pub(crate) read_now: Option<FxHashSet<Span>>,
    /// Variables that are read and constants that are used, by where they are declared.
    pub(crate) read: FxHashSet<Span>,
}

impl<'p> Elaborator<'p> {
    /// As [`Elaborator::within`], never interrupted.
    #[cfg(test)]
    pub fn new(program: &'p Program, settings: &'p Settings) -> Self {
        Elaborator::within(program, settings, Interrupt::new(&|| false))
    }

    /// Collects what the files declare, until an interrupt ends it. Types and constants are worked
    /// out when they are asked for.
    pub(crate) fn within(
        program: &'p Program,
        settings: &'p Settings,
        interrupt: Interrupt<'p>,
    ) -> Self {
        let mut elaborator = Elaborator {
            program,
            settings,
            interrupt,
            names: Names::default(),
            enumerations: Vec::new(),
            resolutions: Default::default(),
            reports: Reports::default(),
            symbols: SymbolBook::default(),
            processes: Vec::new(),
            asked: Default::default(),
            flow_told: false,
            own_variables: Vec::new(),
            memberships: Vec::new(),
            named_steps: Vec::new(),
            too_many_values: FxHashSet::default(),
            size_is_told: false,
            laid_out: false,
            trial: None,
            env: Env::of_file(FileId(0)),
            owners: Vec::new(),
            unevaluated: 0,
            expansion: None,
            combinations: 1,
            nested: 0,
            nesting: 0,
            written: 0,
            work: 0,
            only_looking: false,
            compared: Cell::new(0),
            fixed: FxHashMap::default(),
            work_apart: 0,
            remembers: false,
            readings: Readings::default(),
            read_now: None,
            read: FxHashSet::default(),
        };
        elaborator.collect();
        elaborator
    }

    // --- Owners: what an error takes away (§8) ---

    /// Elaborates on behalf of an item, which sees what its file sees: its errors are that item's,
    /// and what it mentions is used by it.
    pub fn owned_by<R>(&mut self, item: ItemId, read: impl FnOnce(&mut Self) -> R) -> R {
        if let Some(user) = self.owners.last() {
            self.reports.record_use(*user, item);
        }
        self.owners.push(item);
        // The sizes of the two are two mistakes.
        let size_is_told = std::mem::take(&mut self.size_is_told);
        let env = Env::of_file(self.names.items[item.0 as usize].file);
        let result = self.in_scope(&env, read);
        self.size_is_told = size_is_told;
        self.owners.pop();
        result
    }

    /// Reads something with these names around it.
    pub(crate) fn in_scope<R>(&mut self, env: &Env, read: impl FnOnce(&mut Self) -> R) -> R {
        let outside = std::mem::replace(&mut self.env, env.clone());
        let result = read(self);
        self.env = outside;
        result
    }

    pub fn owner(&self) -> Option<ItemId> {
        self.owners.last().copied()
    }

    /// Reads what belongs to an item of its own, whatever is around its first mention.
    pub(crate) fn apart<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let unevaluated = std::mem::take(&mut self.unevaluated);
        let expansion = self.expansion.take();
        let written = std::mem::take(&mut self.written);
        let nested = std::mem::take(&mut self.nested);
        let combinations = std::mem::replace(&mut self.combinations, 1);
        // Only its mention is looked at.
        let only_looking = std::mem::take(&mut self.only_looking);
        let result = read(self);
        self.only_looking = only_looking;
        self.unevaluated = unevaluated;
        self.expansion = expansion;
        self.written = written;
        self.nested = nested;
        self.combinations = combinations;
        result
    }

    // --- Problems ---

    /// An error of the current owner. Of one code and place only the first is kept.
    pub(crate) fn error(&mut self, code: Code, span: Span, words: impl Into<Words>) {
        self.problem(code, Severity::Error, span, words);
    }

    /// An error of a name that is declared already.
    pub(crate) fn duplicate(&mut self, span: Span, first: Span, message: String) {
        let words = Words::from(message).see(first, "it is declared here first");
        self.error(Code::DuplicateName, span, words);
    }

    /// A warning; none where the name itself is what is wrong.
    pub(crate) fn warning(&mut self, code: Code, span: Span, words: impl Into<Words>) {
        let told = [Code::DuplicateName, Code::ReservedName];
        if told.iter().any(|&told| self.reports.has(told, span)) {
            return;
        }
        self.problem(code, Severity::Warning, span, words);
    }

    pub(crate) fn hint(&mut self, code: Code, span: Span, words: impl Into<Words>) {
        self.problem(code, Severity::Hint, span, words);
    }

    pub(crate) fn problem(
        &mut self,
        code: Code,
        severity: Severity,
        span: Span,
        words: impl Into<Words>,
    ) {
        if code == Code::TooLarge && self.size_is_told {
            self.reports.is_also_too_large(self.owners.last().copied());
            return;
        }
        let mut words = words.into();
        let mut at = span;
        if let Some(call) = self.expansion {
            // The body has been checked by itself: what is new is the fault of this use.
            if self.reports.has(code, span) {
                return;
            }
            words = words.see(span, "it comes from here");
            at = call;
            // What would mend it stands in the body.
            words.mend = None;
        }
        let owner = self.owner();
        self.reports
            .add(words.problem(code, severity, Some(at)), owner);
    }

    /// Whether an error of this code has been told of this place; it is then the current owner's
    /// too. To be asked where it takes long to find the words.
    pub(crate) fn is_told(&mut self, code: Code, span: Span) -> bool {
        let is_told = self.reports.has(code, span);
        if is_told && self.expansion.is_none() {
            self.blame();
        }
        is_told
    }

    /// Notes that the current owner has a part in an error that has been told.
    pub(crate) fn blame(&mut self) {
        if let Some(owner) = self.owner() {
            self.reports.blame(owner);
        }
    }

    /// A problem that no text is at fault for.
    pub fn problem_outside(&mut self, code: Code, message: impl Into<String>) {
        let words = Words::from(message.into());
        self.reports
            .add(words.problem(code, Severity::Error, None), None);
    }

    /// Reads something that a constant before it keeps from being evaluated: what fails in it is no
    /// mistake. (`and`, `or`, `implies` and the `if` of expressions do this by themselves.)
    pub fn not_evaluated<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        self.unevaluated += 1;
        let result = read(self);
        self.unevaluated -= 1;
        result
    }

    pub(crate) fn is_evaluated(&self) -> bool {
        self.unevaluated == 0
    }

    /// Reads the body of a definition or macro, expanded for the use at `call`: what is wrong in
    /// that body alone has been told, what is wrong with this use is told at it.
    pub fn expanding<R>(&mut self, call: Span, read: impl FnOnce(&mut Self) -> R) -> R {
        let outermost = self.expansion.is_none();
        if outermost {
            self.expansion = Some(call);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        if outermost {
            self.expansion = None;
        }
        result
    }

    /// Reads an argument: where it stands in the text is where the caller wrote it.
    pub(crate) fn outside_expansion<R>(
        &mut self,
        outer: Option<Span>,
        read: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let expansion = std::mem::replace(&mut self.expansion, outer);
        let result = read(self);
        self.expansion = expansion;
        result
    }

    // --- Budget ---

    /// Reads once more what was read before: nothing of it is told or counted. `None` where there would
    /// be something to tell that was not told then.
    pub(crate) fn quietly<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let counted = (self.work, self.written);
        let before = self.reports.begin_trial();
        let result = read(self);
        let tells_nothing = self.reports.end_trial(before);
        (self.work, self.written) = counted;
        tells_nothing.then_some(result)
    }

    /// Counts parts that are written out. False, with a message once, when there are too many; and
    /// where the analysis is to end.
    pub fn spend(&mut self, parts: u64, span: Span) -> bool {
        if self.interrupt.is_due() {
            return false;
        }
        let within = self.written <= MAX_EXPANSION && self.work <= MAX_WORK;
        self.written = self.written.saturating_add(parts);
        self.work = self.work.saturating_add(parts);
        if self.written > MAX_EXPANSION {
            if within {
                let message = format!(
                    "this is too large to check: written out it has more than {MAX_EXPANSION} parts; smaller ranges or fewer definitions within definitions would mend it"
                );
                self.error(Code::TooLarge, span, message);
            }
            return false;
        }
        if self.work > MAX_WORK {
            // Whatever is read from here on is not whole.
            self.blame();
            if within {
                let message = format!(
                    "the model is too large to check: written out it has more than {MAX_WORK} parts; smaller ranges or fewer instances would mend it"
                );
                self.error(Code::TooLarge, span, message);
            }
            return false;
        }
        true
    }

    /// Gives up on the expression that is being read: it is too large, which has been told.
    pub(crate) fn give_up(&mut self) {
        self.written = MAX_EXPANSION + 1;
    }

    // --- What is used ---

    /// Notes that the variable, constant or `param` declared at `declared` is read.
    pub fn mark_read(&mut self, declared: Span) {
        if !self.only_looking {
            if let Some(read) = &mut self.read_now {
                read.insert(declared);
            }
            self.read.insert(declared);
        }
    }

    /// Reads something for its type alone: what it mentions does not count as used.
    pub(crate) fn only_looking<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.only_looking, true);
        let result = read(self);
        self.only_looking = before;
        result
    }

    /// Whether what is read [`apart`](Elaborator::apart) now is what it is wherever it is read from.
    pub(crate) fn is_by_itself(&self) -> bool {
        self.nesting == 0 && self.trial.is_none() && !self.reports.is_on_trial()
    }

    pub fn is_read(&self, declared: Span) -> bool {
        self.read.contains(&declared)
    }

    // --- The end ---

    /// What has been found, when everything has been elaborated: the problems by file and position,
    /// the symbols, and what the errors take away.
    pub fn finish(mut self) -> (Vec<Problem>, Symbols, Losses) {
        let losses = self.losses();
        let program = self.program;
        let is_blank = |a: Span, b: Span| {
            let text = &program.file(a.file).text;
            let range = a.end as usize..b.start as usize;
            let between = text.get(range).unwrap_or_default();
            between.bytes().all(|byte| byte == b' ')
        };
        let mut problems = std::mem::take(&mut self.reports).sorted(is_blank);
        // What a missing file would have declared is not known: the missing file is the mistake.
        let missing: FxHashSet<FileId> = problems
            .iter()
            .filter(|problem| problem.code == Code::MissingFile)
            .filter_map(|problem| Some(problem.span?.file))
            .collect();
        if !missing.is_empty() {
            problems.retain(|problem| {
                let file = problem.span.map(|span| span.file);
                problem.code != Code::UnknownName
                    || file.is_none_or(|file| program.visible_from(file).is_disjoint(&missing))
            });
        }
        // What is left of a text with a syntax error says nothing of what was meant.
        problems
            .retain(|problem| problem.severity != Severity::Hint || !self.is_unread(problem.span));
        let mut ranks = vec![0; program.files.len()];
        for (rank, file) in program.order.iter().enumerate() {
            ranks[file.0 as usize] = rank;
        }
        let items = self.names.items.iter();
        let items = items.map(|item| span_of(item.file, &item.ast)).collect();
        let symbols = self.symbols.finish(items, ranks);
        (problems, symbols, losses)
    }

    // --- Places in the text ---

    pub fn root(&self, file: FileId) -> &ast::SourceFile {
        &self.names.roots[file.0 as usize]
    }

    /// The text of a node as a message quotes it: on one line, and not too long of it.
    pub fn quoted(&self, node: &impl AstNode) -> String {
        let text = node.syntax().text().to_string();
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > 40 {
            line = line.chars().take(39).collect::<String>() + "…";
        }
        format!("`{line}`")
    }

    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id as usize]
    }
}
