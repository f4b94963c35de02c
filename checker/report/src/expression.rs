//! Expressions of the engine as text: how tight operators bind, names of variables and of their
//! parts, and conditions as they would be written for one instance: `fork[1]` for the
//! `fork[(i + 1) % N]` of `philosopher(0)`.

use stubborn_engine::State;
use stubborn_engine::interpreter::evaluate_within;
use stubborn_system::dump::symbol;
use stubborn_system::source_map::{Shape, SourceMap};
use stubborn_system::system::{Binary, ChannelRef, Expr, System, Type, Unary, Value, VariableRef};

/// What is longer is no help to anybody.
const LONGEST: usize = 60;

/// How tight an expression binds, from the loosest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    Loosest,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Minus,
    Atom,
}

impl Binding {
    /// Bindings of an operator and of its operands; `None` of one that is written as a function.
    pub fn of(operator: Binary) -> Option<(Binding, Binding, Binding)> {
        Some(match operator {
            Binary::Add | Binary::Subtract => (Binding::Sum, Binding::Sum, Binding::Product),
            Binary::Multiply | Binary::Divide | Binary::Remainder => {
                (Binding::Product, Binding::Product, Binding::Minus)
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual => (Binding::Comparison, Binding::Sum, Binding::Sum),
            Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::Within => return None,
        })
    }
}

/// Text of an expression, and how tight it binds.
#[derive(Clone, Debug)]
pub struct Text(pub String, pub Binding);

impl Text {
    /// The text as an operand that has to bind at least as tight as `least`.
    pub fn within(self, least: Binding) -> String {
        match self {
            Text(text, binding) if binding < least => format!("({text})"),
            Text(text, _) => text,
        }
    }
}

/// Name of a variable, with the shape of its values.
pub fn variable(map: &SourceMap, variable: VariableRef) -> (String, &Shape) {
    match variable {
        VariableRef::Shared(at) => {
            let source = &map.variables[at as usize];
            (source.name.clone(), &source.shape)
        }
        VariableRef::Local(instance, at) => {
            let owner = &map.instances[instance as usize];
            let source = &owner.locals[at as usize];
            (format!("{}.{}", owner.name, source.name), &source.shape)
        }
    }
}

/// Type of a variable.
pub fn variable_type(system: &System, variable: VariableRef) -> &Type {
    let declared = match variable {
        VariableRef::Shared(at) => &system.variables[at as usize],
        VariableRef::Local(instance, at) => {
            &system.instances[instance as usize].locals[at as usize]
        }
    };
    &declared.ty
}

/// Text of a cell of an array or a list, or of whether an element is in a set, with the shape of its
/// values. `index` writes the index or the element.
pub fn cell(
    (name, whole): (String, &Shape),
    index: impl FnOnce(&Shape) -> Option<String>,
) -> Option<(String, &Shape)> {
    Some(match whole {
        Shape::Array(key, cell) => (format!("{name}[{}]", index(key)?), cell),
        Shape::List(element) => (format!("{name}[{}]", index(&Shape::Int)?), element),
        Shape::Set { element, .. } => (format!("{} in {name}", index(element)?), &Shape::Bool),
        _ => return None,
    })
}

/// Text of a field of a record, or of the length or the cells of a list, with the shape of its values.
pub fn field((name, whole): (String, &Shape), field: u32) -> Option<(String, &Shape)> {
    match (whole, field) {
        (Shape::Record(fields), field) => {
            let (field, shape) = fields.get(field as usize)?;
            Some((format!("{name}.{field}"), shape))
        }
        (Shape::List(_), 0) => Some((format!("len({name})"), &Shape::Int)),
        (Shape::List(_), _) => Some((name, whole)),
        _ => None,
    }
}

/// Writes expressions with the names of a model. The index of an array or a channel that a state
/// decides is shown as the value that it has there.
pub(super) struct Written<'a> {
    pub system: &'a System,
    pub map: &'a SourceMap,
    pub state: &'a State,
    /// The values of the lets around what is written, the innermost last.
    pub bound: &'a [Value],
}

impl Written<'_> {
    /// A condition, or `None` where it is long or has no short form.
    pub fn condition(&self, expr: &Expr) -> Option<String> {
        let text = self.write(expr, Some(&Shape::Bool), Binding::Or)?;
        (text.chars().count() <= LONGEST).then_some(text)
    }

    /// The same of one that has this text, which `{k} <= s` and `k in s` do not have in common, though they come to the
    /// same expression.
    pub fn condition_of_text(&self, expr: &Expr, text: &str) -> Option<String> {
        let written = self.condition(expr)?;
        if !written.contains(" in ") || text.contains(" in ") {
            return Some(written);
        }
        let (elements, whole) = self.elements_asked_for(expr)?;
        let is_one = |of: &str| !of.contains([' ', '{', '}']);
        let between = |of: &str| !of.contains(['{', '}']);
        if let Some((part, of)) = text.split_once("} <= ") {
            let is_set = part.strip_prefix('{').is_some_and(between) && is_one(of);
            return is_set.then(|| format!("{{{elements}}} <= {whole}"));
        }
        let (of, part) = text.split_once(" >= {")?;
        let is_set = part.strip_suffix('}').is_some_and(between) && is_one(of);
        is_set.then(|| format!("{whole} >= {{{elements}}}"))
    }

    /// The elements that are all asked for to be in one set, and the set.
    fn elements_asked_for(&self, expr: &Expr) -> Option<(String, String)> {
        let parts = match expr {
            Expr::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut elements = Vec::new();
        let mut set = None;
        for part in parts {
            let Expr::Cell { array, index, .. } = part else {
                return None;
            };
            let (name, Shape::Set { element, .. }) = self.place(array)? else {
                return None;
            };
            let Some(Value::Int(index)) = self.value(index) else {
                return None;
            };
            if *set.get_or_insert_with(|| name.clone()) != name {
                return None;
            }
            elements.push(element.scalar(index));
        }
        Some((elements.join(", "), set?))
    }

    /// Writes an expression as an operand that has to bind at least as tight as `within`.
    fn write(&self, expr: &Expr, shape: Option<&Shape>, within: Binding) -> Option<String> {
        Some(self.unwrapped(expr, shape)?.within(within))
    }

    fn unwrapped(&self, expr: &Expr, shape: Option<&Shape>) -> Option<Text> {
        let number = |expr: &Expr, within| self.write(expr, Some(&Shape::Int), within);
        let truth = |expr: &Expr, within| self.write(expr, Some(&Shape::Bool), within);
        // What constants have decided says nothing, unless it is all there is.
        let without = |parts: &[Expr], value: i64| -> Vec<Expr> {
            let is_other = |one: &&Expr| **one != Expr::Const(Value::Int(value));
            let others: Vec<Expr> = parts.iter().filter(is_other).cloned().collect();
            match others.is_empty() {
                true => parts.to_vec(),
                false => others,
            }
        };
        let joined = |parts: &[Expr], with: &str, binding: Binding| match parts {
            [] => None,
            [one] => self.unwrapped(one, Some(&Shape::Bool)),
            parts => {
                let parts: Option<Vec<String>> = parts
                    .iter()
                    // Operands of the same binding need no parentheses.
                    .map(|part| truth(part, binding))
                    .collect();
                Some(Text(parts?.join(with), binding))
            }
        };
        let atom = |text: String| Some(Text(text, Binding::Atom));
        match expr {
            Expr::Const(Value::Int(value)) => {
                atom(shape.map_or_else(|| value.to_string(), |shape| shape.scalar(*value)))
            }
            Expr::Variable(_) | Expr::Cell { .. } | Expr::Field { .. } => atom(self.place(expr)?.0),
            Expr::At(instance, locations) => {
                let mut names: Vec<&str> = locations
                    .iter()
                    .map(|at| self.map.location(*instance, *at))
                    .collect();
                names.dedup();
                let instance = self.map.instance(*instance);
                match &names[..] {
                    [] => None,
                    [one] => atom(format!("{instance}@{one}")),
                    several => atom(format!("{instance}@{{{}}}", several.join(", "))),
                }
            }
            Expr::All(parts) => {
                let parts = self.without_bounds(parts);
                joined(&without(&parts, 1), " and ", Binding::And)
            }
            Expr::Any(parts) => joined(&without(parts, 0), " or ", Binding::Or),
            Expr::Unary(Unary::Not, operand) => Some(Text(
                format!("not {}", truth(operand, Binding::Not)?),
                Binding::Not,
            )),
            Expr::Unary(Unary::Negate, operand) => Some(Text(
                format!("-{}", number(operand, Binding::Minus)?),
                Binding::Minus,
            )),
            Expr::Unary(Unary::BitNot, operand) => {
                atom(format!("bit_not({})", number(operand, Binding::Or)?))
            }
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::OneOf(one, of) => {
                let shape = self.place(one).map(|(_, shape)| shape.clone());
                let one = self.write(one, shape.as_ref(), Binding::Sum)?;
                let of: Option<Vec<String>> = of
                    .iter()
                    .map(|each| self.write(each, shape.as_ref(), Binding::Or))
                    .collect();
                let text = format!("{one} in {{{}}}", of?.join(", "));
                Some(Text(text, Binding::Comparison))
            }
            Expr::Length(channel) => atom(format!("len({})", self.channel(channel)?)),
            Expr::IsEmpty(channel) => atom(format!("empty({})", self.channel(channel)?)),
            Expr::IsFull(channel) => atom(format!("full({})", self.channel(channel)?)),
            _ => None,
        }
    }

    /// The parts of a conjunction without what only keeps an element from being looked for outside of its set, which is no
    /// part of the text: `0 <= e`, `e <= 3` before `e in s`.
    fn without_bounds(&self, parts: &[Expr]) -> Vec<Expr> {
        let mut left = Vec::with_capacity(parts.len());
        let mut rest = parts;
        while let [first, others @ ..] = rest {
            let asked = match rest {
                [
                    Expr::Binary(Binary::GreaterOrEqual, least, _),
                    Expr::Binary(Binary::LessOrEqual, most, _),
                    asked @ Expr::Cell { array, index, .. },
                    ..,
                ] if least == index && most == index => {
                    let whole = self.place(array);
                    whole
                        .is_some_and(|(_, shape)| matches!(shape, Shape::Set { .. }))
                        .then_some(asked)
                }
                _ => None,
            };
            match asked {
                Some(asked) => {
                    left.push(asked.clone());
                    rest = &rest[3..];
                }
                None => {
                    left.push(first.clone());
                    rest = others;
                }
            }
        }
        left
    }

    fn binary(&self, operator: Binary, left: &Expr, right: &Expr) -> Option<Text> {
        let (binding, before, after) = Binding::of(operator)?;
        // A constant is written as what it is compared with has its values.
        let shape = [left, right].into_iter().find_map(|side| self.place(side));
        let shape = shape.map_or(&Shape::Int, |(_, shape)| shape);
        let left = self.write(left, Some(shape), before)?;
        let right = self.write(right, Some(shape), after)?;
        let text = format!("{left} {} {right}", symbol(operator));
        Some(Text(text, binding))
    }

    /// A variable, or a part of one, with the shape of its values.
    pub fn place(&self, expr: &Expr) -> Option<(String, &Shape)> {
        match expr {
            Expr::Variable(of) => Some(variable(self.map, *of)),
            Expr::Cell { array, index, .. } => cell(self.place(array)?, |key| {
                let Some(Value::Int(index)) = self.value(index) else {
                    return None;
                };
                Some(key.scalar(index))
            }),
            Expr::Field { record, field: at } => field(self.place(record)?, *at),
            _ => None,
        }
    }

    /// What an expression comes to in this state; `None` where it fails.
    pub fn value(&self, expr: &Expr) -> Option<Value> {
        evaluate_within(self.system, self.state, self.bound, expr).ok()
    }

    /// The channel that a reference means in this state.
    pub fn channel_id(&self, channel: &ChannelRef) -> Option<u32> {
        match channel {
            ChannelRef::One(channel) => Some(*channel),
            ChannelRef::Indexed { first, indices } => {
                let at = indices.iter().try_fold(0, |at, one| {
                    let Some(Value::Int(index)) = self.value(&one.index) else {
                        return None;
                    };
                    Some(at * one.len + one.offset(index)?)
                });
                Some(first + at?)
            }
        }
    }

    fn channel(&self, channel: &ChannelRef) -> Option<&str> {
        self.channel_id(channel).map(|id| self.map.channel(id))
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::source::{FileId, Span};
    use stubborn_system::source_map::VariableSource;
    use stubborn_system::system::Variable;

    use super::*;

    fn read(expr: Expr) -> Option<String> {
        let span = Span {
            file: FileId(0),
            start: 0,
            end: 0,
        };
        let colours = Shape::Enumeration(["red".to_owned(), "green".to_owned()].into());
        let map = SourceMap {
            variables: vec![
                VariableSource {
                    name: "lamp".to_owned(),
                    span,
                    shape: colours,
                },
                VariableSource {
                    name: "x".to_owned(),
                    span,
                    shape: Shape::Int,
                },
            ],
            ..SourceMap::default()
        };
        let variable = |hi| Variable {
            ty: Type::Scalar { lo: 0, hi },
            initial: Value::Int(0),
        };
        let system = System {
            variables: vec![variable(1), variable(9)],
            ..System::default()
        };
        let state = State::initial(&system);
        Written {
            system: &system,
            map: &map,
            state: &state,
            bound: &[],
        }
        .condition(&expr)
    }

    fn variable(at: u32) -> Expr {
        Expr::Variable(VariableRef::Shared(at))
    }

    fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    fn number(value: i64) -> Expr {
        Expr::Const(Value::Int(value))
    }

    #[test]
    fn a_constant_is_written_as_what_it_is_compared_with() {
        let is_green = binary(Binary::Equal, variable(0), number(1));
        assert_eq!(read(is_green).as_deref(), Some("lamp == green"));
    }

    #[test]
    fn parentheses_stand_only_where_they_are_needed() {
        let sum = binary(Binary::Add, variable(1), number(1));
        let product = binary(Binary::Multiply, sum.clone(), number(2));
        let small = binary(Binary::Less, product, number(5));
        let large = binary(Binary::Greater, sum, number(3));
        let either = Expr::Any(vec![small, large.clone()]);
        let both = Expr::All(vec![either, Expr::Unary(Unary::Not, Box::new(large))]);
        let text = "((x + 1) * 2 < 5 or x + 1 > 3) and not x + 1 > 3";
        assert_eq!(read(both).as_deref(), Some(text));
    }

    #[test]
    fn what_has_no_short_form_is_not_written() {
        assert_eq!(read(Expr::All(vec![variable(1); 30])), None);
        assert_eq!(read(Expr::Bound(0)), None);
    }
}
