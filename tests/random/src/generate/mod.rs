//! Draws a small model by lot: well-typed, and without errors in its text, but with steps that
//! fail in some of them.

mod bodies;
mod changes;
mod collections;
mod expressions;
mod recurrences;

use crate::model::*;
use crate::random::Random;
use crate::value::{Shape, Type, Value};

pub use expressions::View;

pub struct Generator {
    pub r: Random,
    of_onward: Random,
    of_where: Random,
    pub m: Model,
    fresh: usize,
    /// Whether expressions may fail when they are evaluated.
    risky: bool,
    /// Whether most steps are joint ones.
    sociable: bool,
    /// Whether what is declared inside may hide what is outside. Not together with macros.
    may_hide: bool,
    scalars: Vec<Type>,
    /// How many indices the expression being drawn stands in.
    nesting: usize,
    /// What can be said of each process before its body is there.
    places: Vec<Vec<String>>,
    /// Whether there are sets and lists.
    collects: bool,
    /// The definitions that stand for one, with its type; they come behind all others.
    of_collections: Vec<(usize, Type)>,
}

/// A model from a seed. It may turn out to be too large, or to break the rule of joint steps.
pub fn model(seed: u64) -> Model {
    drawn(seed, false)
}

/// The same with sets and lists: other models, of which most expressions and effects speak of them.
pub fn with_collections(seed: u64) -> Model {
    drawn(seed, true)
}

fn drawn(seed: u64, collects: bool) -> Model {
    let mut r = Random::new(seed);
    let (risky, may_hide, sociable) = (r.percent(35), r.percent(30), r.percent(40));
    let layout = r.next();
    let m = Model {
        layout,
        ..Model::default()
    };
    let mut g = Generator {
        r,
        of_onward: Random::new(!seed),
        of_where: Random::new(seed ^ 0x0077_4e2e),
        m,
        fresh: 0,
        risky,
        sociable,
        may_hide,
        scalars: vec![],
        nesting: 0,
        places: vec![],
        collects,
        of_collections: vec![],
    };
    g.constants();
    g.types();
    g.variables();
    g.channels();
    g.actions();
    g.skeletons();
    g.definitions();
    if g.collects {
        g.definitions_of_collections();
    }
    if !g.may_hide {
        g.macros();
    }
    for p in 0..g.m.processes.len() {
        g.body(p);
    }
    g.properties();
    g.recurrences();
    g.m.asking_for_a_state()
}

impl Generator {
    fn id(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn name(&mut self, stem: &str) -> String {
        format!("{stem}{}", self.id())
    }

    /// A name for something inside, which may hide a shared variable.
    fn inner_name(&mut self, stem: &str) -> String {
        if self.may_hide && !self.m.variables.is_empty() && self.r.one_in(5) {
            return self.r.pick(&self.m.variables).name.clone();
        }
        self.name(stem)
    }

    fn constants(&mut self) {
        if self.collects && self.r.one_in(3) {
            self.constant_collection();
        }
        for _ in 0..self.r.below(3) {
            let n = self.r.between(1, 3);
            if self.r.one_in(4) {
                self.constant_array();
                continue;
            }
            let (text, name, from_outside) = match self.r.below(4) {
                0 => {
                    let name = self.name("K");
                    (format!("const {name} = {n}"), name, false)
                }
                1 => {
                    let name = self.name("K");
                    (format!("const {name}: 0..4 = {n} + 1 - 1"), name, false)
                }
                2 => {
                    let name = self.name("N");
                    (format!("param {name}: 1..3 = {n}"), name, false)
                }
                _ => {
                    let name = self.name("N");
                    let other = self.r.between(1, 3);
                    (format!("param {name}: 1..3 = {other}"), name, true)
                }
            };
            let (ty, value) = (Type::range(n, n), Value::Int(n));
            self.m.constants.push(Constant {
                name,
                ty,
                value,
                text,
                from_outside,
            });
        }
    }

    fn constant_array(&mut self) {
        let name = self.name("A");
        let ty = Type::array(Type::range(0, 2), Type::range(0, 2));
        let cells: Vec<_> = (0..3).map(|_| self.r.between(0, 2)).collect();
        let text = format!("const {name}: {} = {cells:?}", ty.text);
        let value = Value::Array(cells.into_iter().map(Value::Int).collect());
        self.m.constants.push(Constant {
            name,
            ty,
            value,
            text,
            from_outside: false,
        });
    }

    fn types(&mut self) {
        self.scalars = vec![
            Type::bool(),
            Type::range(0, 1),
            Type::range(0, 2),
            Type::range(1, 2),
            Type::range(-1, 1),
        ];
        for c in self.m.constants.clone() {
            let Value::Int(n) = c.value else { continue };
            let text = match self.r.below(2) {
                0 if n > 0 => (0, n - 1, format!("0..{}-1", c.name)),
                _ => (0, n, format!("0..{}", c.name)),
            };
            self.scalars.push(Type {
                shape: Shape::Range(text.0, text.1),
                text: text.2,
            });
        }
        if self.r.one_in(2) {
            let name = self.name("Colour");
            let values: Vec<_> = (0..2 + self.r.below(2)).map(|_| self.name("c")).collect();
            self.m.enums.push((name.clone(), values.clone()));
            self.scalars.push(Type {
                shape: Shape::Enum(0, values.len()),
                text: name,
            });
        }
        if self.r.one_in(3) {
            let ty = self.scalar();
            let name = self.name("T");
            self.m.aliases.push((name.clone(), ty.text.clone()));
            self.scalars.push(Type {
                shape: ty.shape,
                text: name,
            });
        }
    }

    pub fn scalar(&mut self) -> Type {
        let list = std::mem::take(&mut self.scalars);
        let ty = self.r.pick(&list).clone();
        self.scalars = list;
        ty
    }

    /// A scalar type with few values.
    fn small_scalar(&mut self) -> Type {
        loop {
            let ty = self.scalar();
            if ty.values().len() <= 3 {
                return ty;
            }
        }
    }

    fn any_type(&mut self) -> Type {
        if self.collects && self.r.one_in(2) {
            return self.type_with_collections();
        }
        match self.r.below(10) {
            0 | 1 => {
                let (index, cell) = (self.small_scalar(), self.small_scalar());
                Type::array(index, cell)
            }
            2 => self.record(),
            3 if self.r.one_in(2) => {
                let (index, cell) = (Type::range(0, 1), self.record());
                Type::array(index, cell)
            }
            _ => self.scalar(),
        }
    }

    fn record(&mut self) -> Type {
        let (f, g) = (self.small_scalar(), self.small_scalar());
        let g = if self.r.one_in(4) {
            Type::array(Type::range(0, 1), g)
        } else {
            g
        };
        Type::record(vec![("f".into(), f), ("g".into(), g)])
    }

    fn variables(&mut self) {
        if self.collects {
            let ty = self.type_with_collections();
            let (name, first) = (self.name("v"), self.first_value(&ty));
            self.m.variables.push(Variable { name, ty, first });
        }
        let names = ["queue", "bag", "tau", "errors", "end", "release", "final"];
        for _ in 0..1 + self.r.below(4) {
            let ty = self.any_type();
            let mut name = self.name("v");
            if self.r.one_in(20) {
                // Words of the language that are names where they have no meaning.
                let odd = self.r.pick(&names).to_string();
                if self.m.variables.iter().all(|v| v.name != odd) {
                    name = odd;
                }
            }
            let first = self.first_value(&ty);
            self.m.variables.push(Variable { name, ty, first });
        }
    }

    fn first_value(&mut self, ty: &Type) -> Option<Expr> {
        if self.r.one_in(2) {
            return None;
        }
        let constants_only = View::default();
        Some(self.whole(&constants_only, ty, 0))
    }

    fn channels(&mut self) {
        for _ in 0..[0, 0, 1, 1, 2][self.r.below(5)] {
            let name = self.name("ch");
            let index = if self.r.one_in(3) {
                Some(self.small_scalar())
            } else {
                None
            };
            let fields: Vec<_> = (0..1 + self.r.below(2))
                .map(|_| self.small_scalar())
                .collect();
            let capacity = 1 + self.r.below(2);
            let first = if self.r.one_in(4) {
                1 + self.r.below(capacity)
            } else {
                0
            };
            let first: Vec<Vec<_>> = (0..first)
                .map(|_| fields.iter().map(|t| self.literal(t)).collect())
                .collect();
            let is_bag = self.r.one_in(2);
            self.m.channels.push(Channel {
                name,
                index,
                is_bag,
                capacity,
                fields,
                first,
            });
        }
    }

    fn actions(&mut self) {
        let least = self.sociable as usize;
        for _ in 0..[0, 1, 1, 1, 2][self.r.below(5)].max(least) {
            let name = self.name("act");
            let n = [0, 0, 1, 1, 2][self.r.below(5)];
            let arguments = (0..n).map(|_| self.small_scalar()).collect();
            self.m.actions.push(Action { name, arguments });
        }
    }

    fn skeletons(&mut self) {
        let count = if self.sociable {
            2 + self.r.below(2)
        } else {
            [1, 2, 2, 3][self.r.below(4)]
        };
        for _ in 0..count {
            let name = self.name("p");
            let parameters = match self.r.below(5) {
                0 | 1 if count < 3 => {
                    let ty = self.small_scalar();
                    vec![(self.inner_name("i"), ty)]
                }
                2 if count == 1 => {
                    let a = (self.name("i"), Type::range(0, 1));
                    vec![a, (self.name("j"), Type::bool())]
                }
                _ => vec![],
            };
            let left_out = self.left_out(&parameters);
            let mut locals: Vec<Variable> = Vec::new();
            for _ in 0..self.r.below(3) {
                let ty = if self.collects && self.r.one_in(3) {
                    self.type_with_collections()
                } else if self.r.one_in(6) {
                    self.any_type()
                } else {
                    self.small_scalar()
                };
                let name = self.inner_name("x");
                let taken = parameters.iter().any(|(n, _)| *n == name)
                    || locals.iter().any(|v| v.name == name);
                if !taken {
                    let own = View {
                        bound: parameters.clone(),
                        ..View::default()
                    };
                    let first = self.r.one_in(2).then(|| self.whole(&own, &ty, 0));
                    locals.push(Variable { name, ty, first });
                }
            }
            let mut alphabet = Vec::new();
            if !self.m.actions.is_empty() && self.r.one_in(6) {
                alphabet.push(self.r.below(self.m.actions.len()));
            }
            let body = if self.r.one_in(2) {
                let n = 1 + self.r.below(4);
                let state = |k| State {
                    name: format!("s{k}"),
                    is_final: false,
                    steps: vec![],
                };
                let states: Vec<State> = (0..n).map(state).collect();
                self.places
                    .push(states.iter().map(|s| s.name.clone()).collect());
                Body::States(states)
            } else {
                let labels = (0..1 + self.r.below(2)).map(|_| self.name("l"));
                let mut labels: Vec<_> = labels.collect();
                labels.push("end".into());
                self.places.push(labels);
                Body::Statements(vec![])
            };
            self.m.processes.push(Process {
                left_out,
                name,
                parameters,
                locals,
                alphabet,
                body,
                gone: false,
            });
        }
    }

    /// Some of the values of parameters, by a lot of its own: the rest is drawn as without it. One stays at least.
    fn left_out(&mut self, parameters: &[(String, Type)]) -> Vec<Vec<Value>> {
        if parameters.is_empty() || !self.of_where.one_in(4) {
            return vec![];
        }
        let types: Vec<Type> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        let all = all_values(&types);
        let stays = self.of_where.below(all.len());
        let goes = all.into_iter().enumerate();
        goes.filter(|(at, _)| *at != stays && self.of_where.one_in(3))
            .map(|(_, values)| values)
            .collect()
    }

    fn definitions(&mut self) {
        for _ in 0..[0, 1, 2][self.r.below(3)] {
            let name = self.name("d");
            let parameters = match self.r.below(2) {
                0 => vec![],
                _ => {
                    let ty = self.small_scalar();
                    vec![(self.inner_name("a"), ty)]
                }
            };
            let view = View {
                bound: parameters.clone(),
                ..View::everything(None)
            };
            let body = self.boolean(&view, 2);
            self.m.definitions.push(Definition {
                name,
                parameters,
                body,
            });
        }
    }

    fn properties(&mut self) {
        self.m.termination_not_required = self.r.one_in(10);
        let view = View::everything(None);
        match self.r.below(8) {
            0 => self.m.deadlock = DeadlockSetting::Ignored,
            1 | 2 => self.m.deadlock = DeadlockSetting::Allowed(self.boolean(&view, 2)),
            _ => {}
        }
        for _ in 0..2 + self.r.below(3) {
            let name = self.name("prop");
            let kind = *self.r.pick(&[
                PropertyKind::Invariant,
                PropertyKind::Invariant,
                PropertyKind::May,
                PropertyKind::Must,
            ]);
            let mut parameters = Vec::new();
            if self.r.one_in(3) {
                let ty = self.small_scalar();
                parameters.push((self.inner_name("k"), ty));
                if self.r.one_in(4) {
                    parameters.push((self.name("k"), Type::bool()));
                }
            }
            let view = View {
                bound: parameters.clone(),
                ..View::everything(None)
            };
            let mut body = self.boolean(&view, 2);
            if kind == PropertyKind::Invariant && self.r.one_in(2) {
                let other = self.boolean(&view, 2);
                body = Expr::binary(Operator::Or, body, other);
            }
            let left_out = self.left_out(&parameters);
            self.m.properties.push(Property {
                left_out,
                name,
                kind,
                parameters,
                body,
            });
        }
    }
}

/// Every combination of values, the first varying slowest.
fn all_values(types: &[Type]) -> Vec<Vec<Value>> {
    types.iter().fold(vec![vec![]], |done, ty| {
        let longer = |start: &Vec<Value>| {
            let start = start.clone();
            let values = ty.values().into_iter();
            values.map(move |value| start.iter().cloned().chain([value]).collect())
        };
        done.iter().flat_map(longer).collect()
    })
}
