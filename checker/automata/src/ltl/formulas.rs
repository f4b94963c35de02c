//! Formulas in negation normal form, each there once.
//!
//! A formula is a number; what it is made of has smaller numbers, so that what goes over all of them
//! from the parts to the whole is a loop. Equal formulas have equal numbers.

use rustc_hash::FxHashMap;
use stubborn_system::property::Formula;

use super::effort::TooLarge;
use crate::label::MOST_PROPOSITIONS;

/// A formula of [`Formulas`].
pub(super) type Id = u32;

pub(super) const FALSE: Id = 0;
pub(super) const TRUE: Id = 1;

/// What a formula is made of. `eventually f` is `true until f`, `always f` is `false release f`, and
/// `f weak_until g` is `g release (f or g)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Constant(bool),
    Literal {
        proposition: u32,
        holds: bool,
    },
    /// Two or more, ascending.
    All(Box<[Id]>),
    /// Two or more, ascending.
    Any(Box<[Id]>),
    Until(Id, Id),
    Release(Id, Id),
}

/// What can be told of a formula from its form (Etessami and Holzmann 2000, section 3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Without temporal operators.
    pub(super) propositional: bool,
    /// A pure eventuality: where it holds in a suffix of a run it holds of the run.
    pub(super) eventual: bool,
    /// Purely universal: where it holds of a run it holds of all its suffixes.
    pub(super) universal: bool,
}

/// All formulas met so far.
#[derive(Debug)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    forms: Vec<Form>,
    numbers: FxHashMap<Node, Id>,
    /// What was found out about implications between them.
    pub(super) implications: FxHashMap<(Id, Id), bool>,
    /// How many more steps rewriting may take; when it is over, formulas are kept as they are.
    pub(super) patience: u32,
}

/// Enough for everything that a person writes, well below a second.
const PATIENCE: u32 = 500_000;

impl Formulas {
    pub(super) fn new() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            implications: FxHashMap::default(),
            patience: PATIENCE,
        };
        formulas.keep(Node::Constant(false));
        formulas.keep(Node::Constant(true));
        formulas
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn form(&self, id: Id) -> Form {
        self.forms[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of a formula, which is kept as it is.
    pub(super) fn keep(&mut self, node: Node) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        let form = self.form_of(&node);
        self.numbers.insert(node.clone(), id);
        self.nodes.push(node);
        self.forms.push(form);
        id
    }

    pub(super) fn literal(&mut self, proposition: u32, holds: bool) -> Id {
        self.keep(Node::Literal { proposition, holds })
    }

    /// The literal that says the opposite of `id`, where `id` is one.
    pub(super) fn opposite(&self, id: Id) -> Option<Id> {
        match *self.node(id) {
            Node::Literal { proposition, holds } => {
                let opposite = Node::Literal {
                    proposition,
                    holds: !holds,
                };
                self.numbers.get(&opposite).copied()
            }
            _ => None,
        }
    }

    fn form_of(&self, node: &Node) -> Form {
        let all =
            |parts: &[Id], what: fn(Form) -> bool| parts.iter().all(|&part| what(self.form(part)));
        match node {
            Node::Constant(_) => Form {
                propositional: true,
                eventual: true,
                universal: true,
            },
            Node::Literal { .. } => Form {
                propositional: true,
                eventual: false,
                universal: false,
            },
            Node::All(parts) | Node::Any(parts) => Form {
                propositional: all(parts, |form| form.propositional),
                eventual: all(parts, |form| form.eventual),
                universal: all(parts, |form| form.universal),
            },
            Node::Until(left, right) => Form {
                propositional: false,
                eventual: *left == TRUE || self.form(*right).eventual,
                universal: all(&[*left, *right], |form| form.universal),
            },
            Node::Release(left, right) => Form {
                propositional: false,
                eventual: all(&[*left, *right], |form| form.eventual),
                universal: *left == FALSE || self.form(*right).universal,
            },
        }
    }

    /// A formula in negation normal form, simplified on the way; its negation where `holds` is false.
    pub(super) fn read(&mut self, formula: &Formula, holds: bool) -> Result<Id, TooLarge> {
        enum Task<'a> {
            Read(&'a Formula, bool),
            Make(&'a Formula, bool),
        }
        let mut tasks = vec![Task::Read(formula, holds)];
        let mut made: Vec<Id> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(formula, holds) => {
                    tasks.push(Task::Make(formula, holds));
                    match formula {
                        Formula::Constant(_) | Formula::Proposition(_) => {}
                        Formula::Not(part) => {
                            tasks.pop();
                            tasks.push(Task::Read(part, !holds));
                        }
                        Formula::All(parts) | Formula::Any(parts) => {
                            tasks.extend(parts.iter().map(|part| Task::Read(part, holds)));
                        }
                        Formula::Always(part) | Formula::Eventually(part) => {
                            tasks.push(Task::Read(part, holds));
                        }
                        Formula::Until(left, right)
                        | Formula::WeakUntil(left, right)
                        | Formula::Release(left, right) => {
                            tasks.push(Task::Read(left, holds));
                            tasks.push(Task::Read(right, holds));
                        }
                    }
                }
                // What was read last lies on top: the parts of a list backwards, of a pair the left.
                Task::Make(formula, holds) => {
                    let id = match formula {
                        Formula::Constant(value) => Id::from(*value == holds),
                        Formula::Proposition(proposition) => {
                            if *proposition as usize >= MOST_PROPOSITIONS {
                                return Err(TooLarge::Propositions);
                            }
                            self.literal(*proposition, holds)
                        }
                        Formula::Not(_) => continue,
                        Formula::All(parts) => {
                            let parts = made.split_off(made.len() - parts.len());
                            self.conjunction_or(holds, parts)
                        }
                        Formula::Any(parts) => {
                            let parts = made.split_off(made.len() - parts.len());
                            self.conjunction_or(!holds, parts)
                        }
                        Formula::Always(_) => {
                            let part = made.pop().unwrap_or(TRUE);
                            self.temporal(!holds, Id::from(!holds), part)
                        }
                        Formula::Eventually(_) => {
                            let part = made.pop().unwrap_or(TRUE);
                            self.temporal(holds, Id::from(holds), part)
                        }
                        Formula::Until(..) | Formula::Release(..) | Formula::WeakUntil(..) => {
                            let left = made.pop().unwrap_or(TRUE);
                            let right = made.pop().unwrap_or(TRUE);
                            match formula {
                                Formula::Until(..) => self.temporal(holds, left, right),
                                Formula::Release(..) => self.temporal(!holds, left, right),
                                _ => {
                                    // f weak_until g = g release (f or g), and its negation is
                                    // (not g) until (not f and not g).
                                    let both = self.conjunction_or(!holds, vec![left, right]);
                                    self.temporal(!holds, right, both)
                                }
                            }
                        }
                    };
                    made.push(id);
                }
            }
        }
        Ok(made.pop().unwrap_or(TRUE))
    }

    fn conjunction_or(&mut self, conjunction: bool, parts: Vec<Id>) -> Id {
        if conjunction {
            self.all(parts)
        } else {
            self.any(parts)
        }
    }

    fn temporal(&mut self, until: bool, left: Id, right: Id) -> Id {
        if until {
            self.until(left, right)
        } else {
            self.release(left, right)
        }
    }
}
