//! What expressions say of processes: `p(i)@s` and `p(i).x`.

use std::rc::Rc;

use stubborn_syntax::ast;

use crate::declarations::{Kept, behind, place};
use crate::elaborate::Elaborator;
use crate::evaluate::position;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::names::declarations::DeclarationKind;
use crate::problem::{Code, Words};
use crate::processes::infos::{ProcessInfo, SharedLocal};
use crate::types::Ty;
use stubborn_system::source::Span;
use stubborn_system::system::{Expr, Failure, Value, VariableRef};

/// An instance that an expression speaks of.
struct Instance {
    /// Index in [`Elaborator::processes`].
    process: usize,
    arguments: Vec<Typed>,
}

impl Elaborator<'_> {
    /// To be called when [`Elaborator::processes`] is filled: from now on `p(i)@s` and `p(i).x` are
    /// looked up. Before, they are known to depend on the state, and nothing else of them.
    pub fn finish_layout(&mut self) {
        let processes = self.processes.iter().enumerate();
        self.asked.declared = processes
            .map(|(number, process)| (process.span, number))
            .collect();
        self.laid_out = true;
    }

    /// Whether the expression names an instance of a process.
    pub(crate) fn is_instance(&self, expr: &ast::Expr) -> bool {
        let name = match expr {
            ast::Expr::Name(name) => name.name_ref(),
            ast::Expr::Call(call) => call.name_ref(),
            _ => None,
        };
        let Some(name) = name.map(|name| name.text()) else {
            return false;
        };
        let declared = self.declared_name(self.env.file, &name);
        self.env.lookup(&name).is_none()
            && declared
                .is_some_and(|id| matches!(self.declaration(id).kind, DeclarationKind::Process(_)))
    }

    /// `p(i)@s`, `p(i)@{s, t}`.
    pub(crate) fn at(&mut self, at: &ast::AtExpr) -> Typed {
        let unknown = Typed::opaque(Ty::Bool).being(Constness::State);
        let Some(written) = at.instance() else {
            return unknown;
        };
        let place = at.locations().next().map(|place| place.text());
        let instance = self.instance(&written, place.as_deref());
        let Some(instance) = instance else {
            return unknown;
        };
        let process = self.processes[instance.process].clone();
        let mut names = Vec::new();
        for location in at.locations() {
            let name = location.text();
            if name.is_empty() {
                continue;
            }
            if self.location(&process, &name, self.span(&location)) {
                names.push(name);
            }
        }
        let mut is_everywhere = true;
        let is_there = self.select(at, &process, &instance, &Ty::Bool, &mut |process, index| {
            let instance = process.instances.get(index)?;
            let mut locations: Vec<_> = names
                .iter()
                .filter_map(|name| instance.places.locations.get(name))
                .flatten()
                .copied()
                .collect();
            locations.sort_unstable();
            locations.dedup();
            Some(if locations.is_empty() {
                // No point of control of this instance is there.
                is_everywhere = false;
                Expr::int(0)
            } else {
                Expr::At(process.first + index as u32, locations)
            })
        });
        if !is_everywhere {
            // A constant that is not known to be one: what is made of it depends on how it is made.
            self.instances_differ();
        }
        is_there
    }

    /// Whether the process has such a state or label; a message if not.
    pub fn location(&mut self, process: &ProcessInfo, name: &str, used: Span) -> bool {
        let mut instances = process.instances.iter();
        if instances
            .clone()
            .any(|i| i.places.locations.contains_key(name))
        {
            let declared = instances.find_map(|i| i.places.spans.get(name));
            if let Some(declared) = declared {
                self.symbols.refer(used, *declared);
            }
            return true;
        }
        if process.instances.is_empty() {
            return false;
        }
        if self.is_told(Code::UnknownState, used) {
            return false;
        }
        let mut known: Vec<&str> = process
            .instances
            .iter()
            .flat_map(|i| i.places.locations.keys())
            .map(String::as_str)
            .collect();
        known.sort_unstable();
        known.dedup();
        let near = self.nearest(name, known.iter().copied());
        let mend = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => String::from("it has none at all"),
            None => format!("it has `{}`", known.join("`, `")),
        };
        let message = format!(
            "the process `{}` has no state or label `{name}`; {mend}",
            process.name
        );
        self.error(Code::UnknownState, used, Words::instead(message, near));
        false
    }

    /// `p(i).x`.
    pub(crate) fn local_of_instance(&mut self, field: &ast::FieldExpr, base: &ast::Expr) -> Typed {
        let unknown = Typed::unknown().being(Constness::State);
        let instance = self.instance(base, None);
        let (Some(instance), Some(name)) = (instance, field.field()) else {
            return unknown;
        };
        let text = name.text();
        let process = self.processes[instance.process].clone();
        let shared = self.shared_local(instance.process, &text);
        let Some(first) = shared.of_instances.iter().flatten().next() else {
            if !text.is_empty() && !process.instances.is_empty() {
                let used = self.span(&name);
                if !self.is_told(Code::UnknownName, used) {
                    self.unknown_local(&process, &text, used);
                }
            }
            return unknown;
        };
        self.mark_read(first.span);
        self.symbols.refer(self.span(&name), first.span);
        let ty = first.declared.ty.clone();
        if !shared.is_of_one_type {
            let message = format!(
                "`{text}` has not the same type in every instance of `{}`, so that an expression cannot speak of them all",
                process.name
            );
            self.error(Code::WrongType, self.span(&name), message);
            return unknown;
        }
        self.select(field, &process, &instance, &ty, &mut |process, index| {
            let local = shared.of_instances.get(index)?.as_ref()?;
            let instance = process.first + index as u32;
            Some(Expr::Variable(VariableRef::Local(instance, local.index)))
        })
    }

    fn shared_local(&mut self, process: usize, name: &str) -> Rc<SharedLocal> {
        let known = self.asked.locals.entry(process).or_default();
        if let Some(known) = known.get(name) {
            return known.clone();
        }
        let shared = Rc::new(SharedLocal::of(&self.processes[process], name));
        known.insert(name.to_string(), shared.clone());
        shared
    }

    fn unknown_local(&mut self, process: &ProcessInfo, name: &str, used: Span) {
        let mut instances = process.instances.iter();
        let is_place = instances.any(|instance| instance.places.locations.contains_key(name));
        let locals: Vec<&str> = process
            .instances
            .iter()
            .flat_map(|instance| &*instance.locals)
            .map(|local| local.name.as_str())
            .collect();
        let near = self.nearest(name, locals.iter().copied());
        let mend = match near {
            _ if is_place => format!("whether it is at `{name}` is asked with `@{name}`"),
            Some(near) => format!("did you mean `{near}`?"),
            None if locals.is_empty() => String::from("it has none"),
            None => {
                let mut known = locals;
                known.sort_unstable();
                known.dedup();
                format!("it has `{}`", known.join("`, `"))
            }
        };
        let message = format!(
            "the process `{}` has no variable `{name}` of its own; {mend}",
            process.name
        );
        self.error(Code::UnknownName, used, Words::instead(message, near));
    }

    /// The process and the arguments of `p(i)`; `None` where there is a mistake, or the processes
    /// are not laid out yet. `place` is what is asked of it, where that is whether it is there.
    fn instance(&mut self, written: &ast::Expr, place: Option<&str>) -> Option<Instance> {
        let (name, arguments) = match written {
            ast::Expr::Name(name) => (name.name_ref()?, Vec::new()),
            ast::Expr::Call(call) => (call.name_ref()?, call.args()),
            _ => {
                self.expr(written, None);
                let quoted = self.quoted(written);
                let message =
                    format!("an instance of a process is asked for here, but {quoted} is none");
                self.error(Code::WrongType, self.span(written), message);
                return None;
            }
        };
        let is_process = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Process(_));
        let id = self.declared_as(
            &name,
            is_process,
            "a process",
            "only a process has states, labels and variables of its own",
        );
        self.tell_undeclared_instance(&name, &arguments);
        let declared = id.map(|id| self.declaration(id).span);
        let process = declared.and_then(|declared| self.asked.declared.get(&declared).copied());
        let Some(process) = process else {
            for argument in &arguments {
                self.expr(argument, None);
            }
            return None;
        };
        let info = self.processes[process].clone();
        let domains: Vec<_> = info.parameters.iter().map(|(_, domain)| domain).collect();
        let mut typed = Vec::new();
        let mut fits = true;
        for (position, argument) in arguments.iter().enumerate() {
            let domain = domains.get(position);
            let value = self.expr(argument, domain.map(|domain| &domain.ty));
            if let Some((domain, (name, _))) = domain.zip(info.parameters.get(position)) {
                let what = format!("`{name}` of `{}`", info.name);
                fits &= self.fits(argument, &value, &domain.ty, &what);
            }
            typed.push(value);
        }
        if arguments.len() != domains.len() {
            let first_extra = arguments.get(domains.len());
            let span = match first_extra.or(arguments.last()) {
                Some(extra) if first_extra.is_some() => self.span(extra),
                Some(last) => behind(self.span(last)),
                None => behind(self.span(&name)),
            };
            let message = if domains.is_empty() {
                format!(
                    "the process `{0}` has no parameters; `{0}` alone is its one instance",
                    info.name
                )
            } else {
                let names: Vec<&str> = info.parameters.iter().map(|(n, _)| n.as_str()).collect();
                let types = (0..names.len()).map(|n| self.written_type(&info.name, n));
                let types: Option<Vec<String>> = types.collect();
                let types = types.filter(|_| arguments.is_empty());
                format!(
                    "the process `{0}` has an instance for each value of `{1}`; `{0}({1})` is one of them{2}",
                    info.name,
                    names.join(", "),
                    asked_of_some(&info.name, &names, types, place),
                )
            };
            self.error(Code::WrongArguments, span, message);
            return None;
        }
        fits.then_some(Instance {
            process,
            arguments: typed,
        })
    }

    /// An expression about the instance that the arguments choose, made of one about each.
    fn select(
        &mut self,
        node: &impl ast::AstNode,
        process: &ProcessInfo,
        instance: &Instance,
        ty: &Ty,
        leaf: &mut dyn FnMut(&ProcessInfo, usize) -> Option<Expr>,
    ) -> Typed {
        let unknown = Typed::opaque(ty.clone()).being(Constness::State);
        let arguments = &instance.arguments;
        let mut failed: Option<(Decided, Failure)> = None;
        let mut size: u64 = 1;
        for (argument, (_, domain)) in arguments.iter().zip(&process.parameters) {
            if !domain.known || argument.ty.is_unknown() {
                return unknown;
            }
            self.only_within(argument, domain.range);
            match (argument.scalar(), argument.known, argument.failure()) {
                (_, Some(decided), Some(failure)) => {
                    failed.get_or_insert((decided, failure.clone()));
                }
                (Some(value), Some(decided), _) if !domain.range.contains(value) => {
                    let failure = Failure::NoSuchInstance { value };
                    if failed.is_none() && decided == Decided::Text && self.is_evaluated() {
                        self.no_such_instance(node, process, value, domain);
                    }
                    failed.get_or_insert((decided, failure));
                }
                (Some(_), ..) => {}
                _ => size = size.saturating_mul(domain.range.size()),
            }
        }
        if failed.is_none() {
            failed = self.left_out(node, process, arguments);
        }
        if let Some((decided, failure)) = failed {
            return Typed::new(
                ty.clone(),
                Expr::Fail(failure),
                Some(decided),
                Constness::State,
            );
        }
        if !self.spend(size, self.span(node)) {
            return unknown;
        }
        if let Kept::These(places) = &process.kept {
            self.only_where(|| {
                let mut is_kept = |place| {
                    let is_kept = places.number(place).is_some();
                    Some(Expr::Const(Value::Int(i64::from(is_kept))))
                };
                choose(process, arguments, 0, 0, &mut is_kept)
            });
        }
        let mut of_place = |place| match (&process.kept, process.kept.number(place)) {
            (_, Some(number)) => leaf(process, number),
            (Kept::These(_), None) => Some(Expr::Fail(Failure::LeftOut)),
            (_, None) => None,
        };
        match choose(process, arguments, 0, 0, &mut of_place) {
            Some(expr) => Typed::of_state(ty.clone(), expr),
            None => unknown,
        }
    }

    /// Who decides that there is no instance of these values though each of them is in its domain; `None` where there
    /// is one, or some value is not known. One that the text decides is told.
    fn left_out(
        &mut self,
        node: &impl ast::AstNode,
        process: &ProcessInfo,
        arguments: &[Typed],
    ) -> Option<(Decided, Failure)> {
        let Kept::These(places) = &process.kept else {
            return None;
        };
        let values: Option<Vec<i64>> = arguments.iter().map(Typed::scalar).collect();
        let values = values?;
        let domains = process.parameters.iter().map(|(_, domain)| domain);
        if places.number(place(domains, &values)?).is_some() {
            return None;
        }
        let decided = arguments.iter().filter_map(|one| one.known).max();
        let decided = decided.unwrap_or(Decided::Text);
        if decided == Decided::Text && self.is_evaluated() {
            let name = instance_of(process, &values);
            let message = format!(
                "there is no instance `{name}`: the `where` of `{}` leaves it out",
                process.name
            );
            self.error(Code::ConstantFails, self.span(node), message);
        }
        Some((decided, Failure::LeftOut))
    }

    fn no_such_instance(
        &mut self,
        node: &impl ast::AstNode,
        process: &ProcessInfo,
        value: i64,
        domain: &crate::types::Domain,
    ) {
        let shape = &domain.shape;
        let message = format!(
            "there is no instance {} of `{}`; its instances are {}..{}",
            shape.scalar(value),
            process.name,
            shape.scalar(domain.range.lo),
            shape.scalar(domain.range.hi)
        );
        self.error(Code::ConstantFails, self.span(node), message);
    }
}

/// How it is asked whether one of the instances of a process is at a place.
fn asked_of_some(
    process: &str,
    names: &[&str],
    types: Option<Vec<String>>,
    place: Option<&str>,
) -> String {
    let Some((types, place)) = types.zip(place) else {
        return String::new();
    };
    let bound: Vec<String> = (names.iter().zip(&types))
        .map(|(name, ty)| format!("{name} in {ty}"))
        .collect();
    let (bound, names) = (bound.join(", "), names.join(", "));
    format!(", and `exists {bound}: {process}({names})@{place}` asks whether any is there")
}

/// As it is shown: `p(1,red)`.
fn instance_of(process: &ProcessInfo, values: &[i64]) -> String {
    let pairs = process.parameters.iter().zip(values);
    let values: Vec<String> = pairs
        .map(|((_, domain), value)| domain.shape.scalar(*value))
        .collect();
    format!("{}({})", process.name, values.join(","))
}

/// Chooses by the arguments from `level` on; `chosen` counts the combinations of values by those before.
fn choose(
    process: &ProcessInfo,
    arguments: &[Typed],
    level: usize,
    chosen: usize,
    leaf: &mut dyn FnMut(usize) -> Option<Expr>,
) -> Option<Expr> {
    let Some(argument) = arguments.get(level) else {
        return leaf(chosen);
    };
    let range = process.parameters[level].1.range;
    let len = range.size() as usize;
    if let Some(value) = argument.scalar() {
        let offset = position(value, range.lo, len)?;
        return choose(process, arguments, level + 1, chosen * len + offset, leaf);
    }
    let cases: Option<Vec<Expr>> = (0..len)
        .map(|offset| choose(process, arguments, level + 1, chosen * len + offset, leaf))
        .collect();
    Some(Expr::Select {
        lo: range.lo,
        index: Box::new(argument.expr.clone()),
        cases: cases?,
    })
}
