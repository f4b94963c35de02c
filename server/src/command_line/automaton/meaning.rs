//! What a proposition stands for, as it would be written in a tester file of the model.
//!
//! The engine's expressions have no names, and the values of parameters and quantifiers are put into them. What is
//! written here is read again before it is shown, so that a form that comes out wrong is never given to anybody who
//! would paste it.

use stubborn_model::elaborate::Settings;
use stubborn_model::program::Program;
use stubborn_model::{Around, Model, read_expression};
use stubborn_report::expression::{Binding, Text, cell, field, variable};
use stubborn_system::dump::symbol;
use stubborn_system::source_map::{InstanceSource, Shape, SourceMap};
use stubborn_system::system::{
    Binary, ChannelRef, Expr, InstanceId, LocationId, Unary, VariableRef,
};
use stubborn_system::value::written;

/// The model in whose names expressions are written.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub program: &'a Program,
    pub settings: &'a Settings,
    pub model: &'a Model,
}

impl<'a> Names<'a> {
    /// A condition in the language; nothing where it cannot be said in it.
    pub fn condition(&self, expr: &Expr) -> Option<String> {
        let text = self
            .write(expr, &Shape::Bool, &[])?
            .within(Binding::Loosest);
        let around = Around::File;
        let read = read_expression(self.program, self.settings, around, &text, &|| false);
        let is_condition = matches!(read, Ok(Ok(read)) if read.is_condition);
        is_condition.then_some(text)
    }

    /// Writes an expression whose value has this shape, where constants are read as what they stand beside has it.
    /// `bound` has what the lets around it are of, the innermost last.
    fn write(&self, expr: &Expr, shape: &Shape, bound: &[&Expr]) -> Option<Text> {
        let atom = |text: String| Some(Text(text, Binding::Atom));
        let of = |expr: &Expr, shape: &Shape| self.write(expr, shape, bound);
        let truth = |expr: &Expr| of(expr, &Shape::Bool);
        let number = |expr: &Expr| of(expr, &Shape::Int);
        let alone = |expr: &Expr, shape: &Shape| Some(of(expr, shape)?.within(Binding::Loosest));
        let joined = |parts: &[Expr], shape: &Shape, with: &str, tight: Binding| match parts {
            [one] => of(one, shape),
            parts => {
                let parts = parts.iter().map(|one| Some(of(one, shape)?.within(tight)));
                let parts: Option<Vec<String>> = parts.collect();
                Some(Text(parts?.join(with), tight))
            }
        };
        match expr {
            Expr::Const(value) => atom(written(value, shape)),
            Expr::Variable(_) | Expr::Cell { .. } | Expr::Field { .. } => {
                atom(self.place(expr, bound)?.0)
            }
            Expr::Cells(cells) => match shape {
                Shape::Record(fields) => {
                    let fields = cells.iter().zip(fields.iter());
                    let fields = fields.map(|(cell, (name, shape))| {
                        Some(format!("{name}: {}", alone(cell, shape)?))
                    });
                    let fields: Option<Vec<String>> = fields.collect();
                    atom(format!("{{{}}}", fields?.join(", ")))
                }
                Shape::Array(_, cell) => {
                    let cells = cells.iter().map(|one| alone(one, cell));
                    let cells: Option<Vec<String>> = cells.collect();
                    atom(format!("[{}]", cells?.join(", ")))
                }
                Shape::Bool
                | Shape::Int
                | Shape::Enumeration(_)
                | Shape::Set { .. }
                | Shape::List(_) => None,
            },
            Expr::Unary(Unary::Not, operand) => {
                let operand = truth(operand)?.within(Binding::Not);
                Some(Text(format!("not {operand}"), Binding::Not))
            }
            Expr::Unary(Unary::Negate, operand) => {
                let operand = number(operand)?.within(Binding::Atom);
                Some(Text(format!("-{operand}"), Binding::Minus))
            }
            Expr::Unary(Unary::BitNot, operand) => {
                atom(format!("bit_not({})", alone(operand, &Shape::Int)?))
            }
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right, bound),
            Expr::All(parts) if parts.is_empty() => atom("true".to_owned()),
            Expr::Any(parts) if parts.is_empty() => atom("false".to_owned()),
            Expr::All(parts) => joined(parts, &Shape::Bool, " and ", Binding::And),
            Expr::Any(parts) => joined(parts, &Shape::Bool, " or ", Binding::Or),
            Expr::If(condition, then, otherwise) => {
                let condition = truth(condition)?.within(Binding::Loosest);
                let (then, otherwise) = (alone(then, shape)?, alone(otherwise, shape)?);
                let text = format!("if {condition} then {then} else {otherwise}");
                Some(Text(text, Binding::Loosest))
            }
            Expr::Count(parts) | Expr::Sum(parts) if parts.is_empty() => atom("0".to_owned()),
            // A quantifier's values are put in, and there is no list of conditions to count.
            Expr::Count(parts) => {
                let parts = parts
                    .iter()
                    .map(|one| Some(format!("(if {} then 1 else 0)", alone(one, &Shape::Bool)?)));
                let parts: Option<Vec<String>> = parts.collect();
                Some(Text(parts?.join(" + "), Binding::Sum))
            }
            Expr::Sum(parts) => joined(parts, &Shape::Int, " + ", Binding::Sum),
            Expr::Min(parts) | Expr::Max(parts) => {
                let parts = match &parts[..] {
                    [one] => return number(one),
                    parts => parts.iter().map(|one| alone(one, &Shape::Int)),
                };
                let parts: Option<Vec<String>> = parts.collect();
                let name = match expr {
                    Expr::Min(_) => "min",
                    _ => "max",
                };
                atom(format!("{name}({})", parts?.join(", ")))
            }
            Expr::OneOf(one, of_these) => {
                let all = std::iter::once(&**one).chain(of_these);
                let shape = self.shape_of_any(all, bound);
                let one = of(one, shape)?.within(Binding::Sum);
                let of_these = of_these.iter().map(|each| alone(each, shape));
                let of_these: Option<Vec<String>> = of_these.collect();
                let text = format!("{one} in {{{}}}", of_these?.join(", "));
                Some(Text(text, Binding::Comparison))
            }
            Expr::At(instance, locations) => {
                let names = self.names_of(*instance, locations)?;
                atom(format!("{}@{names}", self.map().instance(*instance)))
            }
            Expr::Select { .. } => {
                let (process, values, leaves) = self.selected(expr, bound)?;
                let values = values.join(", ");
                atom(match leaves[..] {
                    [Expr::Variable(VariableRef::Local(instance, local)), ..] => {
                        let owner = &self.map().instances[*instance as usize];
                        format!("{process}({values}).{}", owner.locals[*local as usize].name)
                    }
                    [Expr::At(instance, locations), ..] => {
                        let names = self.names_of(*instance, locations)?;
                        format!("{process}({values})@{names}")
                    }
                    _ => return None,
                })
            }
            Expr::Let { value, body, .. } => {
                let bound: Vec<&Expr> = bound.iter().copied().chain([&**value]).collect();
                self.write(body, shape, &bound)
            }
            Expr::Bound(level) => {
                let (value, around) = outer(bound, *level)?;
                self.write(value, shape, around)
            }
            Expr::Length(channel) => atom(format!("len({})", self.channel(channel, bound)?)),
            Expr::IsEmpty(channel) => atom(format!("empty({})", self.channel(channel, bound)?)),
            Expr::IsFull(channel) => atom(format!("full({})", self.channel(channel, bound)?)),
            Expr::Choice(_) | Expr::Fail(_) => None,
        }
    }

    fn binary(&self, operator: Binary, left: &Expr, right: &Expr, bound: &[&Expr]) -> Option<Text> {
        let Some((binding, before, after)) = Binding::of(operator) else {
            let name = match operator {
                Binary::BitAnd => "bit_and",
                Binary::BitOr => "bit_or",
                Binary::BitXor => "bit_xor",
                Binary::ShiftLeft => "shift_left",
                Binary::ShiftRight => "shift_right",
                // It stands in what is made of a list, and the text has no word for it.
                _ => return None,
            };
            let operand = |one| self.write(one, &Shape::Int, bound);
            let left = operand(left)?.within(Binding::Loosest);
            let right = operand(right)?.within(Binding::Loosest);
            return Some(Text(format!("{name}({left}, {right})"), Binding::Atom));
        };
        let shape = match binding {
            Binding::Comparison => self.shape_of_any([left, right].into_iter(), bound),
            _ => &Shape::Int,
        };
        let left = self.write(left, shape, bound)?.within(before);
        let right = self.write(right, shape, bound)?.within(after);
        let text = format!("{left} {} {right}", symbol(operator));
        Some(Text(text, binding))
    }

    /// A variable, or a part of one, with the shape of its values.
    fn place(&self, expr: &Expr, bound: &[&Expr]) -> Option<(String, &'a Shape)> {
        match expr {
            Expr::Variable(of) => Some(variable(self.map(), *of)),
            Expr::Cell { array, index, .. } => {
                let whole = self.place(array, bound)?;
                let is_set = matches!(whole.1, Shape::Set { .. });
                let (text, shape) = cell(whole, |key| {
                    Some(self.write(index, key, bound)?.within(Binding::Loosest))
                })?;
                let text = if is_set { format!("({text})") } else { text };
                Some((text, shape))
            }
            Expr::Field { record, field: at } => field(self.place(record, bound)?, *at),
            Expr::Select { .. } => {
                let text = self.write(expr, &Shape::Int, bound)?.0;
                Some((text, self.shape(expr, bound)?))
            }
            Expr::Bound(level) => {
                let (value, around) = outer(bound, *level)?;
                self.place(value, around)
            }
            _ => None,
        }
    }

    /// What the values of an expression look like, where that is known of it by itself.
    fn shape(&self, expr: &Expr, bound: &[&Expr]) -> Option<&'a Shape> {
        match expr {
            Expr::Variable(_) | Expr::Cell { .. } | Expr::Field { .. } => {
                self.place(expr, bound).map(|(_, shape)| shape)
            }
            Expr::Select { cases, .. } => self.shape(cases.first()?, bound),
            Expr::If(_, then, otherwise) => {
                let then = self.shape(then, bound);
                then.or_else(|| self.shape(otherwise, bound))
            }
            Expr::Bound(level) => {
                let (value, around) = outer(bound, *level)?;
                self.shape(value, around)
            }
            Expr::All(_) | Expr::Any(_) | Expr::At(..) | Expr::OneOf(..) => Some(&Shape::Bool),
            Expr::Unary(Unary::Not, _) => Some(&Shape::Bool),
            Expr::Binary(operator, ..) => Some(match Binding::of(*operator) {
                Some((Binding::Comparison, ..)) => &Shape::Bool,
                _ => &Shape::Int,
            }),
            _ => None,
        }
    }

    fn shape_of_any<'e>(&self, all: impl Iterator<Item = &'e Expr>, bound: &[&Expr]) -> &'a Shape {
        let mut known = all.filter_map(|one| self.shape(one, bound));
        known.next().unwrap_or(&Shape::Int)
    }

    /// The process whose instance the values of other expressions choose, these expressions, and what is asked of each
    /// instance, which has to be the same of all.
    fn selected<'e>(
        &self,
        expr: &'e Expr,
        bound: &[&Expr],
    ) -> Option<(String, Vec<String>, Vec<&'e Expr>)> {
        let mut values = Vec::new();
        let mut leaves = vec![expr];
        while let Some(Expr::Select { index, .. }) = leaves.first() {
            let shape = self.shape(index, bound).unwrap_or(&Shape::Int);
            let index = self.write(index, shape, bound)?;
            values.push(index.within(Binding::Loosest));
            let cases = leaves.iter().map(|one| match one {
                Expr::Select { cases, .. } => Some(cases),
                _ => None,
            });
            let cases: Option<Vec<&Vec<Expr>>> = cases.collect();
            leaves = cases?.into_iter().flatten().collect();
            // Those that `where` leaves out.
            leaves.retain(|one| !matches!(one, Expr::Fail(_)));
        }
        let asked = |leaf: &Expr| match leaf {
            Expr::At(instance, locations) => self.names_of(*instance, locations),
            Expr::Variable(VariableRef::Local(instance, local)) => {
                let owner = &self.map().instances[*instance as usize];
                Some(owner.locals[*local as usize].name.clone())
            }
            _ => None,
        };
        let instance = match leaves.first()? {
            Expr::At(instance, _) | Expr::Variable(VariableRef::Local(instance, _)) => *instance,
            _ => return None,
        };
        let first = asked(leaves.first()?)?;
        if !leaves
            .iter()
            .all(|leaf| asked(leaf).as_ref() == Some(&first))
        {
            return None;
        }
        let process = self.map().instance(instance).split('(').next()?;
        Some((process.to_owned(), values, leaves))
    }

    /// The names that hold at exactly these locations: `critical`, `{s, t}`. A place may have others than the one that
    /// it is shown by.
    fn names_of(&self, instance: InstanceId, locations: &[LocationId]) -> Option<String> {
        let source = &self.map().instances[instance as usize];
        let candidates = self.candidates(source);
        if let Some((name, _)) = candidates.iter().find(|(_, at)| *at == locations) {
            return Some(name.clone());
        }
        let mut names = Vec::new();
        let mut left: Vec<LocationId> = locations.to_vec();
        for (name, at) in &candidates {
            let is_within = at.iter().all(|one| locations.contains(one));
            if is_within && at.iter().any(|one| left.contains(one)) {
                left.retain(|one| !at.contains(one));
                names.push(name.clone());
            }
        }
        left.is_empty().then(|| format!("{{{}}}", names.join(", ")))
    }

    /// All names of an instance's states and labels, with where they hold, ascending.
    fn candidates(&self, source: &InstanceSource) -> Vec<(String, Vec<LocationId>)> {
        let named = source.named.iter().map(|(span, at)| {
            let text = &self.program.file(span.file).text;
            let name = text.get(span.start as usize..span.end as usize);
            let mut at = at.clone();
            at.sort_unstable();
            (name.unwrap_or_default().to_owned(), at)
        });
        let mut all: Vec<(String, Vec<LocationId>)> = named.collect();
        // Nothing in the text has this name.
        let ends = source.locations.iter().zip(0..);
        let ends = ends.filter(|(location, _)| location.name == "end");
        let ends: Vec<LocationId> = ends.map(|(_, at)| at).collect();
        if !all.iter().any(|(name, _)| name == "end") && !ends.is_empty() {
            all.push(("end".to_owned(), ends));
        }
        all
    }

    fn channel(&self, channel: &ChannelRef, bound: &[&Expr]) -> Option<String> {
        match channel {
            ChannelRef::One(channel) => Some(self.map().channel(*channel).to_owned()),
            ChannelRef::Indexed { first, .. } => {
                let name = self.map().channel(*first).split('[').next()?;
                let indices = channel.index_expressions().map(|index| {
                    let shape = self.shape(index, bound).unwrap_or(&Shape::Int);
                    let index = self.write(index, shape, bound)?;
                    Some(index.within(Binding::Loosest).to_string())
                });
                let indices: Vec<String> = indices.collect::<Option<_>>()?;
                Some(format!("{name}[{}]", indices.join(", ")))
            }
        }
    }

    fn map(&self) -> &'a SourceMap {
        &self.model.source_map
    }
}

/// The value of a let, of which 0 is the innermost, and the lets around that.
fn outer<'b, 'e>(bound: &'b [&'e Expr], level: u32) -> Option<(&'e Expr, &'b [&'e Expr])> {
    let at = bound.len().checked_sub(level as usize + 1)?;
    Some((bound[at], &bound[..at]))
}

/// Whether one condition is true exactly where the other is false, which an automaton needs no name for.
pub fn is_negation(one: &Expr, of: &Expr) -> bool {
    let is_not =
        |one: &Expr, of: &Expr| matches!(one, Expr::Unary(Unary::Not, inner) if **inner == *of);
    if is_not(one, of) || is_not(of, one) {
        return true;
    }
    let opposite = |operator: Binary| match operator {
        Binary::Equal => Some(Binary::NotEqual),
        Binary::NotEqual => Some(Binary::Equal),
        Binary::Less => Some(Binary::GreaterOrEqual),
        Binary::GreaterOrEqual => Some(Binary::Less),
        Binary::Greater => Some(Binary::LessOrEqual),
        Binary::LessOrEqual => Some(Binary::Greater),
        _ => None,
    };
    match (one, of) {
        (Expr::Binary(first, a, b), Expr::Binary(second, c, d)) => {
            opposite(*first) == Some(*second) && a == c && b == d
        }
        _ => false,
    }
}
