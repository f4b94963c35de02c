//! A model made ready to run: its instances, the points of control of each process, and what a
//! state of the whole is.

use super::evaluate::Scope;
use super::points::{self, Point};
use stubborn_random::model::{Argument, Base, Expr, Key, Model, Sync};
use stubborn_random::value::Value;

pub struct System {
    pub model: Model,
    /// In the order of the text, and of the values of the parameters.
    pub instances: Vec<Instance>,
    /// The points of control of each process.
    pub points: Vec<Vec<Point>>,
    /// For each action with its values, the instances that have it in their alphabet.
    pub ground: Vec<Ground>,
}

pub struct Instance {
    pub process: usize,
    pub arguments: Vec<Value>,
    pub bound: Vec<(String, Value)>,
}

pub struct Ground {
    pub action: usize,
    pub values: Vec<Value>,
    pub participants: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalState {
    pub shared: Vec<Value>,
    /// By name and by index; the messages of a bag are sorted.
    pub channels: Vec<Vec<Vec<Vec<Value>>>>,
    pub instances: Vec<Here>,
}

/// Where an instance is, and its local variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Here {
    pub point: usize,
    pub locals: Vec<Value>,
}

impl System {
    pub fn new(model: Model) -> System {
        let points = model
            .processes
            .iter()
            .map(|p| points::of(&model, p))
            .collect();
        let mut system = System {
            model,
            instances: vec![],
            points,
            ground: vec![],
        };
        for (k, process) in system.model.processes.iter().enumerate() {
            if process.gone {
                continue;
            }
            let types: Vec<_> = process.parameters.iter().map(|(_, t)| t.values()).collect();
            for arguments in product(&types) {
                if process.left_out.contains(&arguments) {
                    continue;
                }
                let names = process.parameters.iter().map(|(n, _)| n.clone());
                let bound = names.zip(arguments.iter().cloned()).collect();
                system.instances.push(Instance {
                    process: k,
                    arguments,
                    bound,
                });
            }
        }
        system.ground = system.ground_actions();
        system
    }

    /// Every action with every value that some instance has in its alphabet.
    fn ground_actions(&self) -> Vec<Ground> {
        let blank = self.blank();
        let mut ground = Vec::new();
        for (action, declared) in self.model.actions.iter().enumerate() {
            let types: Vec<_> = declared.arguments.iter().map(|t| t.values()).collect();
            for values in product(&types) {
                let has = |i: &usize| self.has_in_alphabet(&blank, *i, action, &values);
                let participants: Vec<_> = (0..self.instances.len()).filter(has).collect();
                if !participants.is_empty() {
                    ground.push(Ground {
                        action,
                        values,
                        participants,
                    });
                }
            }
        }
        ground
    }

    fn has_in_alphabet(
        &self,
        blank: &GlobalState,
        instance: usize,
        action: usize,
        values: &[Value],
    ) -> bool {
        let process = self.instances[instance].process;
        let steps = self.points[process].iter().flat_map(|p| &p.mentioned);
        self.model.processes[process].alphabet.contains(&action)
            || steps.into_iter().any(|(bound, step)| match &step.sync {
                Sync::On(a, arguments) if *a == action => {
                    let mut scope = self.scope(blank, instance);
                    scope.bound.extend(bound.iter().cloned());
                    arguments
                        .iter()
                        .zip(values)
                        .all(|(argument, v)| match argument {
                            Argument::Value(e) if is_constant(e) => {
                                scope.value(e).as_ref() == Ok(v)
                            }
                            _ => true,
                        })
                }
                _ => false,
            })
    }

    /// A scope for what an instance's steps say in `state`.
    pub fn scope<'a>(&'a self, state: &'a GlobalState, instance: usize) -> Scope<'a> {
        let bound = self.instances[instance].bound.clone();
        Scope {
            system: self,
            state,
            me: Some(instance),
            bound,
        }
    }

    /// A state without anything in it, for constant expressions.
    fn blank(&self) -> GlobalState {
        GlobalState {
            shared: vec![],
            channels: vec![],
            instances: vec![],
        }
    }

    pub fn initial(&self) -> GlobalState {
        let blank = self.blank();
        let outside = Scope {
            system: self,
            state: &blank,
            me: None,
            bound: vec![],
        };
        let shared = (self.model.variables.iter())
            .map(|v| match &v.first {
                Some(e) => outside.value(e).expect("initial values do not fail"),
                None => v.ty.least(),
            })
            .collect();
        let channels = (self.model.channels.iter())
            .map(|c| {
                let message = |m: &Vec<Expr>| {
                    m.iter()
                        .map(|e| outside.value(e).expect("a literal"))
                        .collect::<Vec<_>>()
                };
                let mut first: Vec<_> = c.first.iter().map(message).collect();
                if c.is_bag {
                    first.sort();
                }
                vec![first; c.index.as_ref().map_or(1, |t| t.values().len())]
            })
            .collect();
        let instances = (self.instances.iter())
            .map(|i| {
                let scope = Scope {
                    bound: i.bound.clone(),
                    ..outside.clone()
                };
                let locals = (self.model.processes[i.process].locals.iter())
                    .map(|v| match &v.first {
                        Some(e) => scope.value(e).expect("initial values do not fail"),
                        None => v.ty.least(),
                    })
                    .collect();
                Here { point: 0, locals }
            })
            .collect();
        GlobalState {
            shared,
            channels,
            instances,
        }
    }
}

/// §3: literals, constants, parameters, definitions of these, and the process's own parameters;
/// and what a `for` binds (§4). The generator puts nothing but these and variables there.
pub fn is_constant(e: &Expr) -> bool {
    match e {
        Expr::Literal(_) | Expr::Bound(_) => true,
        Expr::Read(place) => {
            matches!(place.base, Base::Constant(_))
                && place.path.iter().all(|key| match key {
                    Key::Cell(e, _) | Key::Element(e, _) => is_constant(e),
                    Key::Field(..) => true,
                })
        }
        Expr::Binary(_, a, b) => is_constant(a) && is_constant(b),
        Expr::Minus(a) | Expr::Not(a) => is_constant(a),
        _ => false,
    }
}

/// Every combination of one value from each list, the last running fastest.
pub fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![vec![]], |done, list| {
        let longer = |start: &Vec<T>| {
            let start = start.clone();
            list.iter()
                .map(move |v| start.iter().chain([v]).cloned().collect())
                .collect::<Vec<_>>()
        };
        done.iter().flat_map(longer).collect()
    })
}
