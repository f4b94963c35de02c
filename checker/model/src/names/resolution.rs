//! Finding what a name stands for, and working it out when it is first asked for.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::declarations::{BUILT_IN_FUNCTIONS, DeclarationId, DeclarationKind};
use crate::names::elsewhere;
use crate::names::env::Found;
use crate::problem::{Code, Words};
use crate::processes::infos::ProcessInfo;
use stubborn_system::source::Span;

impl Elaborator<'_> {
    /// What the name stands for here; a message, and `None`, where there is no such name.
    pub fn resolve(&mut self, name: &ast::NameRef) -> Option<Found> {
        let text = name.text();
        if text.is_empty() {
            return None;
        }
        let span = self.span(name);
        if let Some((binding, declared)) = self.env.lookup(&text) {
            let found = Found::Bound(binding.clone(), declared);
            self.symbols.refer(span, declared);
            return Some(found);
        }
        if let Some(id) = self.declared_name(self.env.file, &text) {
            self.mention(span, id);
            return Some(Found::Declared(id));
        }
        let known = || {
            let declared = self.names_in(self.env.file).map(|(name, _)| name);
            self.env.names().chain(declared)
        };
        // A name of the text's own is rather meant than a function that is always there.
        let suggested = self
            .nearest(&text, known())
            .or_else(|| self.nearest(&text, BUILT_IN_FUNCTIONS.iter().copied()))
            .map(str::to_string);
        let place = self.place_of_name(&text);
        let (suggested, declare) = match (elsewhere::value(&text), place) {
            (Some(elsewhere), _) => (None, elsewhere.to_string()),
            (None, Some(place)) => (None, place),
            (None, None) if BUILT_IN_FUNCTIONS.contains(&text.as_str()) => {
                (None, format!("it is a function: `{text}(…)`"))
            }
            _ => {
                let declare = "a `var`, `const` or `def` of this name would declare it";
                (suggested, declare.to_string())
            }
        };
        self.unknown_name(&text, span, suggested, &declare);
        None
    }

    /// As [`Elaborator::resolve`], for the name of a type.
    pub(crate) fn resolve_type(&mut self, name: &ast::NameRef) -> Option<Found> {
        let text = name.text();
        let is_known =
            self.env.lookup(&text).is_some() || self.declared_name(self.env.file, &text).is_some();
        if is_known || text.is_empty() {
            return self.resolve(name);
        }
        let types = self.names_in(self.env.file).filter(|(_, id)| {
            matches!(
                self.declaration(*id).kind,
                DeclarationKind::Type(_) | DeclarationKind::Enumeration(_)
            )
        });
        let suggested = self
            .nearest(&text, types.map(|(name, _)| name))
            .map(str::to_string);
        let declare = match elsewhere::ty(&text) {
            Some(elsewhere) => elsewhere.to_string(),
            None => format!("`type {text} = 0..3`, say, would declare it"),
        };
        let span = self.span(name);
        self.unknown_name(&text, span, suggested, &declare);
        None
    }

    /// How the state or label is written that has this name, if a process has one.
    fn place_of_name(&self, name: &str) -> Option<String> {
        let has = |process: &&ProcessInfo| {
            let mut instances = process.instances.iter();
            instances.any(|instance| instance.places.locations.contains_key(name))
        };
        let process = self.processes.iter().map(|process| &**process).find(has)?;
        let parameters = match process.parameters.is_empty() {
            true => "",
            false => "(…)",
        };
        let process = &process.name;
        Some(format!(
            "whether a process is there is asked by `{process}{parameters}@{name}`"
        ))
    }

    /// Notes that the name at `span` is that declaration, used by the current owner.
    pub(crate) fn mention(&mut self, span: Span, id: DeclarationId) {
        let declaration = self.declaration(id);
        let (declared, item) = (declaration.span, declaration.item);
        self.symbols.refer(span, declared);
        if let Some(owner) = self.owner() {
            self.reports.record_use(owner, item);
        }
    }

    fn unknown_name(&mut self, text: &str, span: Span, suggested: Option<String>, declare: &str) {
        if !self.is_told(Code::UnknownName, span) {
            self.tell_unknown_name(text, span, suggested.as_deref(), declare);
        }
        // What was meant is not unused.
        if let Some(suggested) = suggested {
            self.mark_meant(&suggested);
        }
    }

    fn tell_unknown_name(
        &mut self,
        text: &str,
        span: Span,
        suggested: Option<&str>,
        declare: &str,
    ) {
        let elsewhere = self.first_of_name(text).map(|id| self.declaration(id));
        let elsewhere = elsewhere.map(|d| d.span.file);
        let local = self
            .processes
            .iter()
            .find(|process| {
                let mut locals = process.instances.iter().flat_map(|i| i.locals.iter());
                locals.any(|local| local.name == text)
            })
            .map(|process| {
                let parameters = if process.parameters.is_empty() {
                    ""
                } else {
                    "(…)"
                };
                format!("{}{parameters}.{text}", process.name)
            });
        let is_meant = local.is_none() && elsewhere.is_none();
        let near = suggested.filter(|_| is_meant);
        let mend = match (suggested, local, elsewhere) {
            (_, Some(local), _) => format!("a process's own variable is read as `{local}`"),
            (_, _, Some(file)) => format!(
                "`{}` declares it, and a file sees only what it uses",
                self.program.file(file).path
            ),
            (Some(suggested), ..) => format!("did you mean `{suggested}`?"),
            _ => declare.to_string(),
        };
        let message = format!("`{text}` is not known here; {mend}");
        self.error(Code::UnknownName, span, Words::instead(message, near));
    }

    /// Notes that a mistaken name was probably meant to be this one: it is not unused then.
    pub(crate) fn mark_meant(&mut self, name: &str) {
        let declared = match self.env.lookup(name) {
            Some((_, declared)) => Some(declared),
            None => self
                .declared_name(self.env.file, name)
                .map(|id| self.declaration(id).span),
        };
        if let Some(declared) = declared {
            self.mark_read(declared);
        }
    }

    /// Works out a declaration, on behalf of its item. `None`, with a message for the whole cycle at
    /// the member that stands first in the text, where that needs the declaration itself.
    pub(crate) fn working_out<R>(
        &mut self,
        id: DeclarationId,
        work: impl FnOnce(&mut Self) -> R,
    ) -> Option<R> {
        if self.resolutions.cyclic.contains(&id) {
            return None;
        }
        if let Some(start) = self.resolutions.open.iter().position(|open| *open == id) {
            self.cycle(start);
            return None;
        }
        self.resolutions.open.push(id);
        let item = self.declaration(id).item;
        let result = self.owned_by(item, |this| this.apart(work));
        self.resolutions.open.pop();
        (!self.resolutions.cyclic.contains(&id)).then_some(result)
    }

    /// Whether it is known what the constant or definition is, as it is when processes are laid out.
    pub(crate) fn is_worked_out(&self, id: DeclarationId) -> bool {
        let definition = self.resolutions.definitions.get(&id);
        definition.is_some_and(|known| known.laid_out == self.laid_out)
            || self.resolutions.constants.contains_key(&id)
    }

    /// Whether the declaration is being worked out.
    pub(crate) fn is_open(&self, id: DeclarationId) -> bool {
        self.resolutions.open.contains(&id)
    }

    fn cycle(&mut self, start: usize) {
        let members: Vec<DeclarationId> = self.resolutions.open[start..]
            .iter()
            .copied()
            .filter(|id| {
                !matches!(
                    self.declaration(*id).kind,
                    DeclarationKind::Variable(..)
                        | DeclarationKind::Channel(..)
                        | DeclarationKind::Action(..)
                )
            })
            .collect();
        self.report_cycle(&members);
    }

    /// One message for a cycle of declarations, each of which uses the next and the last the first,
    /// at the one that stands first in the text.
    pub fn report_cycle(&mut self, members: &[DeclarationId]) {
        let Some((position, first)) = members
            .iter()
            .copied()
            .enumerate()
            .min_by_key(|(_, id)| *id)
        else {
            return;
        };
        self.resolutions.cyclic.extend(members);
        let mut names: Vec<String> = members[position..]
            .iter()
            .chain(&members[..position])
            .map(|id| format!("`{}`", self.declaration(*id).name))
            .collect();
        let declaration = self.declaration(first).clone();
        let message = if members.len() == 1 {
            format!(
                "{} is declared by means of itself, which never comes to an end",
                names[0]
            )
        } else {
            names.push(names[0].clone());
            format!(
                "{} is declared by means of itself: {}; one of them must do without the next",
                names[0],
                names.join(" needs ")
            )
        };
        let expansion_free = |this: &mut Self| this.error(Code::Cycle, declaration.span, message);
        self.owned_by(declaration.item, |this| this.apart(expansion_free));
    }
}
