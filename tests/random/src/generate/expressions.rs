//! Expressions by lot. Those that are asked for with a type stay inside it, unless risks are
//! taken; those that guards are made of always look at something that can change.

use super::Generator;
use crate::model::*;
use crate::value::{Shape, Type};

/// What an expression can see.
#[derive(Clone, Default)]
pub struct View {
    pub bound: Vec<(String, Type)>,
    /// The process whose local variables are seen.
    pub inside: Option<usize>,
    /// Whether variables, channels and processes are seen, or constants alone.
    pub state: bool,
    /// Parameters of a macro that can be assigned to.
    pub places: Vec<(String, Type)>,
}

impl View {
    pub fn everything(inside: Option<usize>) -> View {
        View {
            inside,
            state: true,
            ..View::default()
        }
    }

    pub fn with(&self, name: &str, ty: &Type) -> View {
        let mut inner = self.clone();
        inner.bound.retain(|(n, _)| n != name);
        inner.bound.push((name.to_string(), ty.clone()));
        inner
    }
}

fn within(inner: &Type, outer: &Type) -> bool {
    match (&inner.shape, &outer.shape) {
        (Shape::Range(a, b), Shape::Range(lo, hi)) => lo <= a && b <= hi,
        (a, b) => a == b,
    }
}

pub(super) fn is_int(ty: &Type) -> bool {
    matches!(ty.shape, Shape::Range(..))
}

impl Generator {
    /// The variables that can be named here, with their types.
    fn roots(&self, view: &View, constants: bool) -> Vec<(Base, Type)> {
        let is_free = |name: &str| view.bound.iter().all(|(n, _)| n != name);
        let mut list = Vec::new();
        let locals = match view.inside {
            Some(p) => self.m.processes[p].locals.as_slice(),
            None => &[],
        };
        let is_outer = |name: &str| is_free(name) && locals.iter().all(|v| v.name != name);
        if constants {
            let constants = self.m.constants.iter().enumerate();
            list.extend(constants.map(|(k, c)| (Base::Constant(k), c.ty.clone())));
        }
        if !view.state {
            return list;
        }
        for (k, v) in self.m.variables.iter().enumerate() {
            if is_outer(&v.name) {
                list.push((Base::Shared(k), v.ty.clone()));
            }
        }
        for (k, v) in locals.iter().enumerate() {
            if is_free(&v.name) {
                // Locals twice: they are what makes processes differ.
                list.push((Base::Local(k), v.ty.clone()));
                list.push((Base::Local(k), v.ty.clone()));
            }
        }
        for (name, ty) in &view.places {
            list.push((Base::Parameter(name.clone()), ty.clone()));
        }
        list
    }

    /// A place of a type that is wanted, among the variables or a cell or field of one.
    pub(super) fn place(
        &mut self,
        view: &View,
        constants: bool,
        wanted: impl Fn(&Type) -> bool,
    ) -> Option<(Place, Type)> {
        let roots = self.roots(view, constants);
        if roots.is_empty() {
            return None;
        }
        for _ in 0..6 {
            let (base, mut ty) = self.r.pick(&roots).clone();
            let mut path = Vec::new();
            loop {
                if wanted(&ty) && (ty.is_scalar() || self.r.one_in(2)) {
                    return Some((Place { base, path }, ty));
                }
                match ty.shape.clone() {
                    Shape::Array(index, cell) => {
                        let e = self.index(view, &index);
                        path.push(Key::Cell(e, *index));
                        ty = *cell;
                    }
                    // It may well not be there.
                    Shape::List(most, element) if self.risky || self.r.one_in(6) => {
                        let list = Place {
                            base: base.clone(),
                            path: path.clone(),
                        };
                        let Some(at) = self.element_index(view, &list, most) else {
                            break;
                        };
                        path.push(Key::Element(at, most));
                        ty = *element;
                    }
                    Shape::Record(fields) => {
                        let k = self.r.below(fields.len());
                        path.push(Key::Field(k, fields[k].0.clone()));
                        ty = fields[k].1.clone();
                    }
                    _ => break,
                }
            }
        }
        None
    }

    /// A place to assign to.
    pub fn target(&mut self, view: &View, wanted: impl Fn(&Type) -> bool) -> Option<(Place, Type)> {
        self.place(view, false, wanted)
    }

    pub(super) fn index(&mut self, view: &View, ty: &Type) -> Expr {
        if self.nesting > 1 {
            return self.literal(ty);
        }
        self.nesting += 1;
        let e = match is_int(ty) && self.risky && view.state && self.r.one_in(3) {
            true => self.integer(view, 1),
            false => self.inside(view, ty, 1),
        };
        self.nesting -= 1;
        e
    }

    pub fn literal(&mut self, ty: &Type) -> Expr {
        Expr::Literal(self.r.pick(&ty.values()).clone())
    }

    /// A value of any type.
    pub fn whole(&mut self, view: &View, ty: &Type, depth: usize) -> Expr {
        if ty.is_collection() {
            return self.collected(view, ty, depth);
        }
        if self.r.one_in(3)
            && let Some((place, _)) = self.place(view, false, |t| t.shape == ty.shape)
        {
            return place.read();
        }
        match &ty.shape {
            Shape::Array(index, cell) if self.r.one_in(2) => {
                let name = self.inner_name("y");
                let inner = view.with(&name, index);
                let e = self.whole(&inner, cell, depth);
                Expr::CellsOver(name, (**index).clone(), Box::new(e))
            }
            Shape::Array(index, cell) => {
                let cells = index
                    .values()
                    .iter()
                    .map(|_| self.whole(view, cell, depth))
                    .collect();
                Expr::Cells(cells)
            }
            Shape::Record(fields) => {
                if self.r.one_in(3)
                    && let Some((place, _)) = self.place(view, false, |t| t.shape == ty.shape)
                {
                    let first = self.r.below(fields.len());
                    let mut list = Vec::new();
                    for (k, (name, t)) in fields.iter().enumerate() {
                        if k == first || self.r.one_in(3) {
                            list.push((k, name.clone(), self.whole(view, t, depth)));
                        }
                    }
                    return Expr::With(Box::new(place.read()), list);
                }
                let mut list: Vec<_> = (fields.iter().enumerate())
                    .map(|(k, (n, t))| (k, n.clone(), self.whole(view, t, depth)))
                    .collect();
                if self.r.one_in(2) {
                    list.reverse();
                }
                Expr::Fields(list)
            }
            _ => self.inside(view, ty, depth),
        }
    }

    /// A scalar value of the type, inside it.
    pub fn inside(&mut self, view: &View, ty: &Type, depth: usize) -> Expr {
        for _ in 0..3 {
            match self.r.below(8) {
                0 | 1 => return self.literal(ty),
                2 | 3 => {
                    let list: Vec<_> = (view.bound.iter())
                        .filter(|(_, t)| within(t, ty))
                        .map(|(n, _)| n.clone())
                        .collect();
                    if !list.is_empty() {
                        return Expr::Bound(self.r.pick(&list).clone());
                    }
                }
                4 | 5 => {
                    if let Some((place, _)) = self.place(view, true, |t| within(t, ty)) {
                        return place.read();
                    }
                }
                6 if depth > 0 && view.state => {
                    let c = self.boolean(view, depth - 1);
                    let (a, b) = (self.inside(view, ty, 0), self.inside(view, ty, 0));
                    return Expr::If(Box::new(c), Box::new(a), Box::new(b));
                }
                7 if depth > 0 && view.state => match ty.shape {
                    Shape::Bool => return self.boolean(view, depth),
                    Shape::Range(lo, hi) => return self.folded(view, lo, hi),
                    _ => {}
                },
                _ => {}
            }
        }
        self.literal(ty)
    }

    /// Some number put between `lo` and `hi`.
    fn folded(&mut self, view: &View, lo: i64, hi: i64) -> Expr {
        let e = self.integer(view, 1);
        let one = || Box::new(Expr::int(1));
        match self.r.below(3) {
            0 => Expr::Greatest(vec![Expr::int(lo), Expr::Least(vec![e, Expr::int(hi)])]),
            1 => {
                let fits = Expr::binary(
                    Operator::And,
                    Expr::binary(Operator::AtLeast, e.clone(), Expr::int(lo)),
                    Expr::binary(Operator::Less, e.clone(), Expr::int(hi)),
                );
                let more = Expr::Binary(Operator::Plus, Box::new(e), one());
                Expr::If(Box::new(fits), Box::new(more), Box::new(Expr::int(lo)))
            }
            _ => {
                let n = Expr::int(hi - lo + 1);
                let square = Expr::binary(Operator::Times, e.clone(), e);
                let rest = Expr::binary(Operator::Modulo, square, n);
                Expr::binary(Operator::Plus, rest, Expr::int(lo))
            }
        }
    }

    /// Something that can change while the system runs, of type integer.
    fn changing_integer(&mut self, view: &View) -> Option<Expr> {
        if self.collects && view.state && self.r.one_in(5) {
            return self.number_of_elements(view);
        }
        match self.r.below(5) {
            0 if !self.m.channels.is_empty() && view.state => Some(self.of_channel(view, 0)),
            1 if view.state => self.local_of(view, is_int),
            2 => {
                let list: Vec<_> = view.bound.iter().filter(|(_, t)| is_int(t)).collect();
                (!list.is_empty()).then(|| Expr::Bound(self.r.pick(&list).0.clone()))
            }
            _ => self.place(view, false, is_int).map(|(p, _)| p.read()),
        }
    }

    /// `len`, `empty` or `full` of some channel.
    fn of_channel(&mut self, view: &View, which: usize) -> Expr {
        let c = self.r.below(self.m.channels.len());
        let index = self.m.channels[c].index.clone();
        let index = index.map(|ty| Box::new(self.index(view, &ty)));
        match which {
            0 => Expr::Length(c, index),
            1 => Expr::Empty(c, index),
            _ => Expr::Full(c, index),
        }
    }

    pub(super) fn instance_of(&mut self, view: &View, p: usize) -> Vec<Expr> {
        let types = self.m.processes[p].parameters.clone();
        types.iter().map(|(_, ty)| self.index(view, ty)).collect()
    }

    fn local_of(&mut self, view: &View, wanted: impl Fn(&Type) -> bool) -> Option<Expr> {
        let p = self.r.below(self.m.processes.len());
        let locals = self.m.processes[p].locals.clone();
        let k = (0..locals.len()).find(|k| wanted(&locals[*k].ty))?;
        // A parameter or variable of that name would be meant instead.
        let arguments = self.instance_of(view, p);
        Some(Expr::LocalOf(p, arguments, k, vec![]))
    }

    /// Any number, outside of what a variable could hold too.
    pub fn integer(&mut self, view: &View, depth: usize) -> Expr {
        let changing = self.changing_integer(view);
        if depth == 0 || self.r.one_in(3) {
            let literal = Expr::int(self.r.between(-1, 3));
            return changing.unwrap_or(literal);
        }
        let Some(a) = changing else {
            return Expr::int(self.r.between(0, 2));
        };
        let b = self.integer(view, depth - 1);
        let nonzero = Expr::int(*self.r.pick(&[-2, 1, 2, 3]));
        match self.r.below(12) {
            0 | 1 => Expr::binary(Operator::Plus, a, b),
            2 | 3 => Expr::binary(Operator::Minus, a, b),
            4 => Expr::binary(Operator::Times, a, b),
            5 if self.risky => Expr::binary(Operator::Over, a, b),
            5 => Expr::binary(Operator::Over, a, nonzero),
            6 if self.risky => Expr::binary(Operator::Modulo, a, b),
            6 => Expr::binary(Operator::Modulo, a, nonzero),
            7 => Expr::Minus(Box::new(a)),
            8 if self.r.one_in(2) => Expr::Least(vec![a, b]),
            8 => Expr::Greatest(vec![b, a]),
            9 => self.over_integers(view, depth),
            10 => self.bits(a, b),
            _ => {
                let c = self.boolean(view, depth - 1);
                Expr::If(Box::new(c), Box::new(a), Box::new(b))
            }
        }
    }

    fn bits(&mut self, a: Expr, b: Expr) -> Expr {
        let (a, b) = (Box::new(a), Box::new(b));
        let amount = Box::new(Expr::int(self.r.between(0, 2)));
        match self.r.below(6) {
            0 => Expr::Bits(BitOperator::And, a, b),
            1 => Expr::Bits(BitOperator::Or, a, b),
            2 => Expr::Bits(BitOperator::Xor, a, b),
            3 => Expr::BitNot(a),
            4 if self.risky => Expr::Bits(BitOperator::ShiftLeft, a, b),
            4 => Expr::Bits(BitOperator::ShiftLeft, a, amount),
            _ => Expr::Bits(BitOperator::ShiftRight, a, amount),
        }
    }

    fn over_integers(&mut self, view: &View, depth: usize) -> Expr {
        let ty = self.small_scalar();
        let name = self.inner_name("q");
        let inner = view.with(&name, &ty);
        let q = *self.r.pick(&[
            Quantifier::Count,
            Quantifier::Count,
            Quantifier::Sum,
            Quantifier::Min,
            Quantifier::Max,
        ]);
        let body = match q {
            Quantifier::Count => self.boolean(&inner, depth - 1),
            _ => self.integer(&inner, depth - 1),
        };
        Expr::Over(q, name, ty, Box::new(body))
    }

    /// A condition that looks at something that can change, or at what is bound.
    pub fn boolean(&mut self, view: &View, depth: usize) -> Expr {
        for _ in 0..8 {
            if let Some(e) = self.try_boolean(view, depth) {
                return e;
            }
        }
        let p = self.r.below(self.m.processes.len());
        let arguments = self.instance_of(view, p);
        let place = self.r.pick(&self.places[p]).clone();
        Expr::At(p, arguments, vec![place])
    }

    fn try_boolean(&mut self, view: &View, depth: usize) -> Option<Expr> {
        use Operator::*;
        let deep = depth > 0;
        if self.collects && view.state && self.r.one_in(2) {
            return self.about_collections(view, depth);
        }
        Some(match self.r.below(16) {
            0..=3 => {
                let ops = [Equal, Differ, Less, AtMost, Greater, AtLeast];
                let a = self.changing_integer(view)?;
                let b = self.integer(view, depth.saturating_sub(1));
                let op = *self.r.pick(&ops);
                if self.r.one_in(4) {
                    Expr::binary(op, b, a)
                } else {
                    Expr::binary(op, a, b)
                }
            }
            4 | 5 => {
                let is_enum = |t: &Type| matches!(t.shape, Shape::Enum(..));
                let (place, ty) = self.place(view, false, is_enum)?;
                let op = if self.r.one_in(2) { Equal } else { Differ };
                Expr::binary(op, place.read(), self.inside(view, &ty, 0))
            }
            6 => self
                .place(view, false, |t| t.shape == Shape::Bool)?
                .0
                .read(),
            7 if deep => Expr::Not(Box::new(self.boolean(view, depth - 1))),
            8 | 9 if deep => {
                let op = *self.r.pick(&[And, Or, Implies]);
                let (a, b) = (self.boolean(view, depth - 1), self.boolean(view, depth - 1));
                Expr::binary(op, a, b)
            }
            10 if deep => {
                let ty = self.small_scalar();
                let name = self.inner_name("q");
                let q = if self.r.one_in(2) {
                    Quantifier::Forall
                } else {
                    Quantifier::Exists
                };
                let body = self.boolean(&view.with(&name, &ty), depth - 1);
                Expr::Over(q, name, ty, Box::new(body))
            }
            11 | 12 if view.state => {
                let p = self.r.below(self.m.processes.len());
                let arguments = self.instance_of(view, p);
                let mut places = vec![self.r.pick(&self.places[p]).clone()];
                if self.r.one_in(3) {
                    let other = self.r.pick(&self.places[p]).clone();
                    if !places.contains(&other) {
                        places.push(other);
                    }
                }
                Expr::At(p, arguments, places)
            }
            13 if !self.m.channels.is_empty() && view.state => {
                let which = 1 + self.r.below(2);
                self.of_channel(view, which)
            }
            14 => {
                let (place, ty) = self.place(view, false, |t| t.is_scalar())?;
                let set = (0..1 + self.r.below(2))
                    .map(|_| self.literal(&ty))
                    .collect();
                Expr::OneOf(Box::new(place.read()), set)
            }
            15 if self.r.one_in(2) => {
                let (a, ty) = self.place(view, false, |t| !t.is_scalar())?;
                let (b, _) = self.place(view, false, |t| t.shape == ty.shape)?;
                Expr::binary(Equal, a.read(), b.read())
            }
            15 if view.state && self.m.definitions.len() > self.of_collections.len() => {
                let truths = self.m.definitions.len() - self.of_collections.len();
                let d = self.r.below(truths);
                let types = self.m.definitions[d].parameters.clone();
                // What the state decides is worked out once, before the body.
                let view = View {
                    state: self.r.one_in(2),
                    ..view.clone()
                };
                let arguments = types
                    .iter()
                    .map(|(_, t)| self.inside(&view, t, usize::from(view.state)))
                    .collect();
                Expr::Use(d, arguments)
            }
            _ => return None,
        })
    }
}
