//! Sets and lists by lot: types, constants and definitions, and what is said of them.

use super::Generator;
use super::expressions::{View, is_int};
use crate::model::*;
use crate::value::{Shape, Type, Value};

pub(super) fn is_set(ty: &Type) -> bool {
    matches!(ty.shape, Shape::Set(_))
}

fn is_list(ty: &Type) -> bool {
    matches!(ty.shape, Shape::List(..))
}

pub(super) fn length(ty: &Type, e: Expr) -> Expr {
    Collection::Size(Measure::Length, Collection::extent(ty).0, e).expr()
}

/// `l[1..len(l)-1]`: a list without its first element.
pub(super) fn rest(ty: &Type, l: Expr) -> Expr {
    let last = Expr::binary(Operator::Minus, length(ty, l.clone()), Expr::int(1));
    Collection::Slice(Collection::extent(ty).0, l, Expr::int(1), last).expr()
}

pub(super) fn joined(ty: &Type, a: Expr, b: Expr) -> Expr {
    Collection::Join(Collection::extent(ty).0, a, b).expr()
}

/// Elements written out.
pub(super) fn written(ty: &Type, elements: Vec<Expr>) -> Expr {
    let (most, element) = Collection::extent(ty);
    match is_set(ty) {
        true => Collection::Set(element.clone(), elements).expr(),
        false => Collection::List(most, element.clone(), elements).expr(),
    }
}

impl Generator {
    /// A constant that is a set or a list.
    pub(super) fn constant_collection(&mut self) {
        let name = self.name("C");
        let element = Type::range(0, 2);
        let elements: Vec<i64> = (0..self.r.below(3)).map(|_| self.r.between(0, 2)).collect();
        let texts: Vec<_> = elements.iter().map(i64::to_string).collect();
        let (texts, values) = (texts.join(", "), elements.into_iter().map(Value::Int));
        let (ty, value, text) = match self.r.one_in(2) {
            true => {
                let ty = Type::set(element);
                (ty, Value::Set(values.collect()), format!("{{{texts}}}"))
            }
            false => {
                let ty = Type::list(2, "2", element);
                (ty, Value::List(values.collect()), format!("[{texts}]"))
            }
        };
        self.m.constants.push(Constant {
            text: format!("const {name}: {} = {text}", ty.text),
            name,
            ty,
            value,
            from_outside: false,
        });
    }

    /// A set or a list, or now and then an array or a record that has one in it.
    pub(super) fn type_with_collections(&mut self) -> Type {
        let inner = self.collection_type();
        match self.r.below(7) {
            0 => Type::array(Type::range(0, 1), inner),
            1 => {
                let other = self.small_scalar();
                Type::record(vec![("f".into(), inner), ("g".into(), other)])
            }
            _ => inner,
        }
    }

    fn collection_type(&mut self) -> Type {
        let element = self.small_scalar();
        if self.r.one_in(2) {
            return Type::set(element);
        }
        let most = self
            .r
            .between(1, if element.values().len() > 2 { 2 } else { 3 });
        let named = self
            .m
            .constants
            .iter()
            .find(|c| c.value == Value::Int(most));
        let spelled = match named {
            Some(constant) if self.r.one_in(2) => constant.name.clone(),
            _ => most.to_string(),
        };
        Type::list(most as usize, &spelled, element)
    }

    /// Which element of a list is meant. One of a constant is there, since the text decides that.
    pub(super) fn element_index(
        &mut self,
        view: &View,
        place: &Place,
        most: usize,
    ) -> Option<Expr> {
        if let Base::Constant(k) = place.base {
            let Value::List(elements) = &self.m.constants[k].value else {
                return None;
            };
            let count = elements.len();
            return (count > 0).then(|| Expr::int(self.r.below(count) as i64));
        }
        let ty = Type::list(most, "", Type::bool());
        let last = Expr::binary(
            Operator::Minus,
            length(&ty, place.clone().read()),
            Expr::int(1),
        );
        Some(match self.r.below(5) {
            0 | 1 => Expr::int(self.r.below(most) as i64),
            2 => last,
            _ => self.index(view, &Type::range(0, most as i64 - 1)),
        })
    }

    /// A set or list whose type the text shows: a variable, a constant, or a local variable of some
    /// process.
    pub(super) fn known(
        &mut self,
        view: &View,
        wanted: impl Fn(&Type) -> bool,
    ) -> Option<(Expr, Type)> {
        self.shown(view, true, wanted)
    }

    /// The same but for constants: a guard that these alone decide leads nowhere, and the oracle does
    /// not look at guards where it asks what can be reached.
    fn changing(&mut self, view: &View, wanted: impl Fn(&Type) -> bool) -> Option<(Expr, Type)> {
        self.shown(view, false, wanted)
    }

    fn shown(
        &mut self,
        view: &View,
        constants: bool,
        wanted: impl Fn(&Type) -> bool,
    ) -> Option<(Expr, Type)> {
        if view.state && self.r.one_in(6) {
            let p = self.r.below(self.m.processes.len());
            let locals = self.m.processes[p].locals.clone();
            if let Some(k) = (0..locals.len()).find(|k| wanted(&locals[*k].ty)) {
                let arguments = self.instance_of(view, p);
                let read = Expr::LocalOf(p, arguments, k, vec![]);
                return Some((read, locals[k].ty.clone()));
            }
        }
        if view.state && self.r.one_in(4) {
            let sets = self.of_collections.clone();
            if let Some((d, ty)) = sets.iter().find(|(_, ty)| wanted(ty)) {
                let types = self.m.definitions[*d].parameters.clone();
                let arguments = types.iter().map(|(_, t)| self.inside(view, t, 0));
                return Some((Expr::Use(*d, arguments.collect()), ty.clone()));
            }
        }
        let (place, ty) = self.place(view, constants, wanted)?;
        Some((place.read(), ty))
    }

    /// The same, or something that is worked out of one.
    fn typed(
        &mut self,
        view: &View,
        depth: usize,
        wanted: impl Fn(&Type) -> bool,
    ) -> Option<(Expr, Type)> {
        let (e, ty) = self.changing(view, wanted)?;
        if depth == 0 || !view.state || self.r.one_in(2) {
            return Some((e, ty));
        }
        let other = self.collected(view, &ty, depth - 1);
        Some((self.combined(&ty, e, other), ty))
    }

    /// Two sets or lists made one. Lists may be too long for that where risks are taken.
    pub(super) fn combined(&mut self, ty: &Type, a: Expr, b: Expr) -> Expr {
        let (a, b) = if self.r.one_in(4) { (b, a) } else { (a, b) };
        if is_set(ty) {
            let ops = [Operator::Plus, Operator::Minus, Operator::Times];
            return Expr::binary(*self.r.pick(&ops), a, b);
        }
        let most = Expr::int(Collection::extent(ty).0 as i64);
        let both = joined(ty, a.clone(), b.clone());
        if self.risky {
            return both;
        }
        // What is written out alone has no length of its own in the text.
        let count = |e: &Expr| match e {
            Expr::Of(c) => match &**c {
                Collection::List(_, _, list) => Expr::int(list.len() as i64),
                _ => length(ty, e.clone()),
            },
            _ => length(ty, e.clone()),
        };
        let sum = Expr::binary(Operator::Plus, count(&a), count(&b));
        let fits = Expr::binary(Operator::AtMost, sum, most);
        let other = match matches!(a, Expr::Of(_)) {
            true => b,
            false => a,
        };
        Expr::If(Box::new(fits), Box::new(both), Box::new(other))
    }

    /// A set or a list of this type, where its place says the type.
    pub(super) fn collected(&mut self, view: &View, ty: &Type, depth: usize) -> Expr {
        let deep = depth > 0 && view.state;
        for _ in 0..3 {
            match self.r.below(9) {
                0..=2 => {
                    if let Some((e, _)) = self.known(view, |t| are_alike(t, ty)) {
                        return e;
                    }
                }
                3 if is_set(ty) => return self.among(view, ty),
                3 if deep => {
                    if let Some((e, _)) = self.known(view, |t| are_alike(t, ty)) {
                        return self.slice(view, ty, e);
                    }
                }
                4 | 5 if deep => {
                    if let Some((e, _)) = self.typed(view, depth, |t| are_alike(t, ty)) {
                        return e;
                    }
                }
                6 if deep => {
                    let c = self.boolean(view, depth - 1);
                    let (a, b) = (self.collected(view, ty, 0), self.collected(view, ty, 0));
                    return Expr::If(Box::new(c), Box::new(a), Box::new(b));
                }
                _ => {}
            }
        }
        let most = Collection::extent(ty).0.min(2);
        let elements = (0..self.r.below(most + 1)).map(|_| self.element(view, ty));
        let elements = elements.collect();
        written(ty, elements)
    }

    /// Something to put into a set or a list of this type; outside of it where risks are taken.
    pub(super) fn element(&mut self, view: &View, ty: &Type) -> Expr {
        let element = Collection::extent(ty).1.clone();
        match self.risky && view.state && is_int(&element) && self.r.one_in(4) {
            true => self.integer(view, 1),
            false => self.inside(view, &element, view.state as usize),
        }
    }

    /// `{x in T: e}`
    fn among(&mut self, view: &View, ty: &Type) -> Expr {
        let element = Collection::extent(ty).1.clone();
        let name = self.inner_name("y");
        let inner = view.with(&name, &element);
        let condition = match view.state {
            true => self.boolean(&inner, 1),
            false => {
                let other = self.inside(view, &element, 0);
                let op = if self.r.one_in(2) {
                    Operator::Differ
                } else {
                    Operator::Equal
                };
                Expr::binary(op, Expr::Bound(name.clone()), other)
            }
        };
        Collection::Among(element.clone(), name, element, condition).expr()
    }

    pub(super) fn slice(&mut self, view: &View, ty: &Type, l: Expr) -> Expr {
        if !self.risky || self.r.one_in(3) {
            return rest(ty, l);
        }
        let most = Collection::extent(ty).0;
        let last = |k| Expr::binary(Operator::Minus, length(ty, l.clone()), Expr::int(k));
        let (from, to) = match self.r.below(5) {
            0 => (last(1), last(1)),
            1 => (Expr::int(0), last(2)),
            2 => (
                Expr::int(self.r.below(most) as i64),
                Expr::int(self.r.below(most) as i64),
            ),
            3 => (
                Expr::int(self.r.between(-1, most as i64)),
                self.integer(view, 1),
            ),
            _ => (self.integer(view, 1), last(1)),
        };
        Collection::Slice(most, l.clone(), from, to).expr()
    }

    /// What is looked for in a set or a list of this type, which may well be none of its values.
    fn sought(&mut self, view: &View, ty: &Type) -> Expr {
        let element = Collection::extent(ty).1.clone();
        match is_int(&element) && self.r.one_in(2) {
            true => self.integer(view, 1),
            false => self.inside(view, &element, 1),
        }
    }

    /// How many elements something has.
    pub(super) fn number_of_elements(&mut self, view: &View) -> Option<Expr> {
        if self.risky && self.r.one_in(3) {
            let of_numbers = |t: &Type| is_list(t) && is_int(Collection::extent(t).1);
            let (l, ty) = self.typed(view, 1, of_numbers)?;
            let at = self.integer(view, 0);
            return Some(Collection::Element(Collection::extent(&ty).0, l, at).expr());
        }
        let (e, ty) = self.typed(view, 1, Type::is_collection)?;
        Some(length(&ty, e))
    }

    /// A condition about sets and lists.
    pub(super) fn about_collections(&mut self, view: &View, depth: usize) -> Option<Expr> {
        use Operator::*;
        let depth = depth.min(1);
        Some(match self.r.below(11) {
            0..=2 => {
                let (e, ty) = self.typed(view, depth, Type::is_collection)?;
                Collection::In(self.sought(view, &ty), e).expr()
            }
            3..=5 => {
                let (a, ty) = self.typed(view, depth, is_set)?;
                let b = self.collected(view, &ty, depth);
                let op = *self
                    .r
                    .pick(&[Equal, Differ, Less, AtMost, Greater, AtLeast]);
                let (a, b) = if self.r.one_in(4) { (b, a) } else { (a, b) };
                Expr::binary(op, a, b)
            }
            6 => {
                let (a, ty) = self.typed(view, depth, is_list)?;
                let b = self.collected(view, &ty, depth);
                let op = *self.r.pick(&[Equal, Differ]);
                let (a, b) = if self.r.one_in(4) { (b, a) } else { (a, b) };
                Expr::binary(op, a, b)
            }
            7 => {
                let (e, ty) = self.typed(view, depth, Type::is_collection)?;
                let measure = *self.r.pick(&[Measure::Empty, Measure::Full]);
                Collection::Size(measure, Collection::extent(&ty).0, e).expr()
            }
            8 => {
                let n = self.number_of_elements(view)?;
                let op = *self
                    .r
                    .pick(&[Equal, Differ, Less, AtMost, Greater, AtLeast]);
                Expr::binary(op, n, self.integer(view, 0))
            }
            9 => {
                let (l, ty) = self.changing(view, is_list)?;
                let (most, element) = Collection::extent(&ty);
                let (k, e) = (self.r.below(most) as i64, self.inside(view, element, 0));
                let there = Expr::binary(Greater, length(&ty, l.clone()), Expr::int(k));
                let read = Collection::Element(most, l, Expr::int(k)).expr();
                let op = if self.r.one_in(2) { Equal } else { Differ };
                Expr::binary(And, there, Expr::binary(op, read, e))
            }
            _ => {
                let (s, ty) = self.changing(view, Type::is_collection)?;
                let element = Collection::extent(&ty).1.clone();
                // A name that hides what is read would mean something else.
                let name = self.name("q");
                let there = Collection::In(Expr::Bound(name.clone()), s).expr();
                let other = self.boolean(&view.with(&name, &element), 0);
                let (q, op) = match self.r.one_in(2) {
                    true => (Quantifier::Forall, Implies),
                    false => (Quantifier::Exists, And),
                };
                let body = Expr::binary(op, there, other);
                Expr::Over(q, name, element, Box::new(body))
            }
        })
    }

    /// Definitions of sets and lists, behind all others.
    pub(super) fn definitions_of_collections(&mut self) {
        for _ in 0..self.r.below(3) {
            let name = self.name("d");
            let mut view = View::everything(None);
            let mut parameters = Vec::new();
            if self.r.one_in(2) {
                let parameter = (self.inner_name("a"), self.small_scalar());
                view = view.with(&parameter.0, &parameter.1);
                parameters.push(parameter);
            }
            let Some((body, ty)) = self.typed(&view, 1, Type::is_collection) else {
                continue;
            };
            self.of_collections.push((self.m.definitions.len(), ty));
            self.m.definitions.push(Definition {
                name,
                parameters,
                body,
            });
        }
    }
}
