//! The instances of one process: the values of their parameters, their variables and their control
//! flow.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use crate::body::{Builder, LARGEST_FLOW, MacroScope};
use crate::declarations::{
    Combinations, Kept, LocalVariable, Parameter, with_values, without_values,
};
use crate::elaborate::Elaborator;
use crate::names::journal::Journal;
use crate::names::{Binding, Env, ItemId};
use crate::problem::Code;
use crate::processes::infos::{InstanceInfo, InstancePlaces, LocalInfo, ProcessInfo};
use crate::template::{Condition, OWN};
use crate::types::Domain;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::InstanceId;

use super::laid_out::{LaidOut, declare_macros, instance_name, read_locals, with_locals};

/// How many instances a model may have.
const MOST_INSTANCES: u64 = 10_000;

/// From so many instances on a template is read for them.
const LEAST_INSTANCES: u64 = 3;

/// After so many instances that have nothing in common with the others no other is tried.
const MOST_DIFFERING: usize = 3;

/// A process that is being laid out.
pub(crate) struct Outline {
    pub item: ItemId,
    pub file: FileId,
    pub name: String,
    pub name_span: Span,
    pub body: Option<ast::Body>,
    pub parameters: Vec<Parameter>,
    /// Of which of their values there is an instance.
    pub kept: Kept,
    /// The first instance.
    pub first: InstanceId,
    /// The size of the control flow of what has been laid out before.
    pub flow: usize,
}

/// The instances of a process.
pub(crate) struct Outlined {
    pub instances: Vec<LaidOut>,
    /// What they have in common, where they have.
    pub(super) open: Option<Open>,
    pub(super) outline: Outline,
    /// For the macros that it declares.
    pub(super) macros_env: Env,
    pub(super) laid_out: Journal,
}

/// A process laid out with its parameters open ([`crate::template`]).
pub(crate) struct Open {
    pub laid_out: LaidOut,
    pub conditions: Vec<Condition>,
    /// The first values of its variables depend on the parameters.
    has_locals_of_its_own: bool,
    info: InstanceInfo,
}

impl Outline {
    pub fn process(mut self, elaborator: &mut Elaborator) -> (Outlined, ProcessInfo) {
        let count = (self.kept).count(self.parameters.iter().map(|one| &one.domain));
        let known = count.is_some();
        let count = count.unwrap_or_default();
        let fits = count.saturating_add(u64::from(self.first)) <= MOST_INSTANCES;
        if known && !fits {
            let others = match self.first {
                0 => String::new(),
                n => format!(", after {n} of other processes"),
            };
            let message = format!(
                "`{}` has {count} instances{others}, and no more than {MOST_INSTANCES} can be \
                     checked; smaller types of its parameters would mend it",
                self.name
            );
            elaborator.error(Code::TooLarge, self.name_span, message);
        }
        let mut instances: Vec<LaidOut> = Vec::new();
        let mut infos: Vec<InstanceInfo> = Vec::new();
        let mut open = None;
        let mut differing = 0;
        if known && fits {
            let (parameters, kept) = (self.parameters.clone(), self.kept.clone());
            for values in Combinations::of(&parameters, &kept) {
                let instance = self.first + instances.len() as InstanceId;
                let common = open.as_ref().filter(|_| differing < MOST_DIFFERING);
                let like = common.and_then(|open| self.like(elaborator, open, &values, instance));
                differing += usize::from(common.is_some() && like.is_none());
                let (laid_out, info) =
                    like.unwrap_or_else(|| self.alone(elaborator, &values, instance));
                if instances.is_empty() && count >= LEAST_INSTANCES {
                    open = self.open(elaborator, &laid_out);
                }
                self.flow += laid_out.layout.graph.size();
                instances.push(laid_out);
                infos.push(info);
                if elaborator.interrupt.is_due() {
                    break;
                }
            }
        } else {
            // One without values, so that its text is checked.
            let env = self.opaque();
            let laid_out = self.lay_out(elaborator, env, Vec::new(), self.first, None);
            self.flow += laid_out.layout.graph.size();
            infos.push(instance_info(&laid_out));
            instances.push(laid_out);
        }
        // The macros of a process are checked with parameters that have no values.
        let mut macros_env = self.opaque();
        if let Some(first) = instances.first() {
            macros_env = with_locals(macros_env, self.first, &first.locals);
        }
        let info = ProcessInfo {
            name: self.name.clone(),
            span: self.name_span,
            item: self.item,
            parameters: self
                .parameters
                .iter()
                .map(|parameter| (parameter.name.clone(), parameter.domain.clone()))
                .collect(),
            kept: self.kept.clone(),
            first: self.first,
            instances: infos,
        };
        let outlined = Outlined {
            instances,
            open,
            outline: self,
            macros_env,
            laid_out: Journal::default(),
        };
        (outlined, info)
    }

    /// An instance read by itself.
    pub fn alone(
        &self,
        elaborator: &mut Elaborator,
        values: &[i64],
        instance: InstanceId,
    ) -> (LaidOut, InstanceInfo) {
        let env = self.with_values(values);
        let laid_out = self.lay_out(elaborator, env, values.to_vec(), instance, None);
        let info = instance_info(&laid_out);
        (laid_out, info)
    }

    /// The names of the parameters with these values.
    fn with_values(&self, values: &[i64]) -> Env {
        with_values(&Env::of_file(self.file), &self.parameters, values)
    }

    /// The names of the parameters without values.
    fn opaque(&self) -> Env {
        without_values(&Env::of_file(self.file), &self.parameters)
    }

    fn names(&self) -> FxHashMap<String, Span> {
        let parameters = self.parameters.iter();
        parameters
            .map(|parameter| (parameter.name.clone(), parameter.span))
            .collect()
    }

    /// With the variables `given`, or else with those that it declares.
    fn lay_out(
        &self,
        elaborator: &mut Elaborator,
        env: Env,
        values: Vec<i64>,
        instance: InstanceId,
        given: Option<Rc<[LocalVariable]>>,
    ) -> LaidOut {
        let mut before = self.names();
        let body = self.body.as_ref();
        let (env, locals) = match given {
            Some(locals) => {
                before.extend(locals.iter().map(|local| (local.name.clone(), local.span)));
                (with_locals(env, instance, &locals), locals)
            }
            None => {
                let (env, locals) = read_locals(elaborator, env, instance, body, &mut before);
                for local in &locals {
                    elaborator.hint_if_hidden(self.file, local);
                }
                (env, locals.into())
            }
        };
        let macros = match body {
            Some(body) => declare_macros(elaborator, body, &env, &mut before),
            None => MacroScope::default(),
        };
        let builder = Builder::new(elaborator, self.file, self.flow);
        let layout = builder.body(body, self.name_span, &env, macros);
        LaidOut {
            name: instance_name(&self.name, &self.parameters, &values),
            values,
            env,
            locals,
            layout: Rc::new(layout),
        }
    }

    /// What the instances have in common with the first one, if its parameters decide no more of
    /// its control flow than of any other's.
    fn open(&self, elaborator: &mut Elaborator, first: &LaidOut) -> Option<Open> {
        let domains: Vec<Domain> = self.parameters.iter().map(|p| p.domain.clone()).collect();
        let parameters = self.parameters.iter().zip(0..);
        let env = parameters.fold(Env::of_file(self.file), |env, (parameter, number)| {
            let domain = parameter.domain.clone();
            let binding = Binding::Open { number, domain };
            env.with(&*parameter.name, parameter.span, binding)
        });
        let is_as_the_first = |laid_out: &LaidOut| {
            let is_one = |(own, other): (&LocalVariable, &LocalVariable)| {
                own.name == other.name && own.declared == other.declared
            };
            laid_out.layout.locations == first.layout.locations
                && laid_out.layout.graph.size() == first.layout.graph.size()
                && laid_out.locals.len() == first.locals.len()
                && laid_out.locals.iter().zip(&*first.locals).all(is_one)
        };
        let mut has_locals_of_its_own = false;
        let read = elaborator.as_template(&domains, |this| {
            self.lay_out(this, env.clone(), first.values.clone(), OWN, None)
        });
        let read = match read {
            // Their types may be the same nevertheless.
            None if self.declares(first.locals.len()) => {
                has_locals_of_its_own = true;
                let locals = Some(first.locals.clone());
                elaborator.as_template(&domains, |this| {
                    self.lay_out(this, env, first.values.clone(), OWN, locals)
                })
            }
            read => read,
        };
        let (laid_out, conditions) = read.filter(|(laid_out, _)| is_as_the_first(laid_out))?;
        let info = instance_info(&laid_out);
        Some(Open {
            laid_out,
            conditions,
            has_locals_of_its_own,
            info,
        })
    }

    /// Whether the body declares so many variables, not none.
    fn declares(&self, number: usize) -> bool {
        let lines = self.body.iter().flat_map(ast::Body::vars);
        let names = lines.map(|line| line.names().count()).sum::<usize>();
        names == number && number > 0
    }

    /// An instance that has its control flow in common with the others, if it has.
    fn like(
        &self,
        elaborator: &mut Elaborator,
        open: &Open,
        values: &[i64],
        instance: InstanceId,
    ) -> Option<(LaidOut, InstanceInfo)> {
        if self.flow + open.laid_out.layout.graph.size() > LARGEST_FLOW {
            return None;
        }
        let env = self.with_values(values);
        let common = &open.laid_out.locals;
        let (env, locals) = if open.has_locals_of_its_own {
            let (body, names) = (self.body.as_ref(), &mut self.names());
            let (env, locals) = read_locals(elaborator, env, instance, body, names);
            let mut pairs = locals.iter().zip(&**common);
            if !pairs.all(|(own, common)| own.declared == common.declared) {
                return None;
            }
            (env, locals.into())
        } else {
            (with_locals(env, instance, common), common.clone())
        };
        let laid_out = LaidOut {
            name: instance_name(&self.name, &self.parameters, values),
            values: values.to_vec(),
            env,
            locals,
            layout: open.laid_out.layout.clone(),
        };
        Some((laid_out, open.info.clone()))
    }
}

fn instance_info(instance: &LaidOut) -> InstanceInfo {
    let locals = instance.locals.iter().zip(0..);
    let locals = locals.map(|(local, index)| LocalInfo {
        name: local.name.clone(),
        span: local.span,
        index,
        declared: local.declared.clone(),
    });
    let spans = instance.layout.places().into_iter();
    InstanceInfo {
        locals: locals.collect(),
        places: Arc::new(InstancePlaces {
            locations: instance.layout.locations.named.iter().cloned().collect(),
            spans: spans.map(|(name, span)| (name.to_owned(), span)).collect(),
            steps: instance.layout.step_names(),
        }),
    }
}
