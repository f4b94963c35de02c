//! A system as text, for tests and for those who look into what a model means.

use std::fmt::Write as _;

use crate::property::{Property, StepPattern, StepSet};
use crate::source_map::{Shape, SourceMap};
use crate::system::{
    Access, ActionPattern, Argument, Binary, ChannelRef, Communication, Effect, Expr, InstanceId,
    LocationId, Onward, Order, Place, Step, System, Target, Type, Unary, Value, VariableRef,
};
use crate::value::written;

/// The system, one line for each variable, channel, action, location and step.
pub fn dump(system: &System, source_map: &SourceMap) -> String {
    let mut dump = Dump {
        system,
        names: source_map,
        text: String::new(),
    };
    dump.shared();
    for instance in 0..system.instances.len() {
        dump.instance(instance);
    }
    for (bound, source) in system.bounds.iter().zip(&source_map.bounds) {
        let line = format!("bound {}: {}", source.name, dump.expr(bound));
        dump.line(&line);
    }
    dump.text
}

/// An expression over the system, as [`dump`] writes it.
pub fn expression(system: &System, source_map: &SourceMap, expr: &Expr) -> String {
    let dump = Dump {
        system,
        names: source_map,
        text: String::new(),
    };
    dump.expr(expr)
}

/// What a property says, in one line that begins with its form.
pub fn property(system: &System, source_map: &SourceMap, property: &Property) -> String {
    let dump = Dump {
        system,
        names: source_map,
        text: String::new(),
    };
    match property {
        Property::Errors => String::from("errors"),
        Property::Deadlock { allowed: None } => String::from("deadlock"),
        Property::Deadlock { allowed: Some(e) } => {
            format!("deadlock allowed when {}", dump.expr(e))
        }
        Property::Termination => String::from("termination"),
        Property::Invariant(e) => format!("invariant {}", dump.expr(e)),
        Property::MayProgress(e) => format!("may {}", dump.expr(e)),
        Property::MustProgress(e) => format!("must {}", dump.expr(e)),
        Property::Reachable(e) => format!("reachable {}", dump.expr(e)),
        Property::Recurrence(infinitely, implies) => format!(
            "infinitely {} implies infinitely {}",
            dump.step_set(infinitely),
            dump.step_set(implies)
        ),
        Property::Ltl(ltl) => format!("ltl {:?}", ltl.formula),
        Property::Tester(tester) => format!("a tester of {} states", tester.states.len()),
        Property::Buchi(buchi) => format!("a Büchi automaton of {} states", buchi.states.len()),
        Property::Testing(testing) => {
            format!("a testing automaton of {} states", testing.states.len())
        }
        Property::Refinement(refinement) => format!("refinement in {:?}", refinement.semantics),
        Property::Fair(fair) => {
            let assumed = fair.assumptions.iter().map(|one| {
                let strongly = if one.is_strong { "strongly " } else { "" };
                format!(", {strongly}fair {}", dump.step_set(&one.steps))
            });
            let asked = self::property(system, source_map, &fair.property);
            format!("{asked}{}", assumed.collect::<String>())
        }
    }
}

struct Dump<'s> {
    system: &'s System,
    names: &'s SourceMap,
    text: String,
}

impl Dump<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn shared(&mut self) {
        for (variable, source) in self.system.variables.iter().zip(&self.names.variables) {
            let line = format!(
                "var {}: {} = {}",
                source.name,
                ty(&variable.ty),
                written(&variable.initial, &source.shape)
            );
            self.line(&line);
        }
        for (channel, source) in self.system.channels.iter().zip(&self.names.channels) {
            let kind = match channel.order {
                Order::Queue => "queue",
                Order::Bag => "bag",
            };
            let parts: Vec<String> = channel
                .message
                .iter()
                .map(|range| format!("{}..{}", range.lo, range.hi))
                .collect();
            let mut line = format!(
                "channel {}: {kind}[{}] of {}",
                source.name,
                channel.capacity,
                parts.join(", ")
            );
            if !channel.initial.is_empty() {
                let _ = write!(line, " = {:?}", channel.initial);
            }
            self.line(&line);
        }
        for (action, source) in self.system.actions.iter().zip(&self.names.actions) {
            let arguments: Vec<String> = action
                .arguments
                .iter()
                .map(|range| format!("{}..{}", range.lo, range.hi))
                .collect();
            let line = format!("action {}({})", source.name, arguments.join(", "));
            self.line(&line);
        }
    }

    fn instance(&mut self, id: usize) {
        let (instance, source) = (&self.system.instances[id], &self.names.instances[id]);
        let alphabet = instance
            .alphabet
            .iter()
            .map(|pattern| self.pattern(pattern));
        let alphabet: Vec<String> = alphabet.collect();
        let alphabet = if alphabet.is_empty() {
            String::new()
        } else {
            format!(" alphabet {}", alphabet.join(" "))
        };
        self.line(&format!("{}:{alphabet}", source.name));
        for (local, source) in instance.locals.iter().zip(&source.locals) {
            let line = format!(
                "  var {}: {} = {}",
                source.name,
                ty(&local.ty),
                written(&local.initial, &source.shape)
            );
            self.line(&line);
        }
        for (number, (location, at)) in instance.locations.iter().zip(&source.locations).enumerate()
        {
            let initial = if instance.initial as usize == number {
                "initial "
            } else {
                ""
            };
            let is_final = if location.is_final { "final " } else { "" };
            self.line(&format!("  {initial}{is_final}{}:", at.name));
            for step in &location.steps {
                let line = self.step(id, &instance.steps[*step as usize]);
                self.line(&format!("    {line}"));
            }
        }
    }

    fn sent(&self, channel: &ChannelRef, values: &[Expr]) -> String {
        let values: Vec<String> = values.iter().map(|value| self.expr(value)).collect();
        format!("send {}({})", self.channel(channel), values.join(", "))
    }

    fn step(&self, instance: usize, step: &Step) -> String {
        let mut parts: Vec<String> = Vec::new();
        match &step.communication {
            None => {}
            Some(Communication::On { action, arguments }) => {
                let name = &self.names.actions[*action as usize].name;
                parts.push(format!("on {name}{}", self.arguments(arguments)));
            }
            Some(Communication::Send { channel, values }) => {
                parts.push(self.sent(channel, values));
            }
            Some(Communication::Receive(channel, arguments, onward)) => {
                let channel = self.channel(channel);
                parts.push(format!("receive {channel}{}", self.arguments(arguments)));
                if let Some(Onward { channel, values }) = onward {
                    parts.push(self.sent(channel, values));
                }
            }
        }
        if let Some(guard) = &step.guard {
            parts.push(format!("when {}", self.expr(guard)));
        }
        for (number, range) in step.choices.iter().enumerate() {
            parts.push(format!("choose #{number} in {}..{}", range.lo, range.hi));
        }
        if !step.effects.is_empty() {
            parts.push(format!("do {}", self.effects(&step.effects)));
        }
        let name = |location: u32| {
            let locations = &self.names.instances[instance].locations;
            locations
                .get(location as usize)
                .map_or("?", |at| at.name.as_str())
        };
        parts.push(match &step.target {
            Target::To(location) => format!("-> {}", name(*location)),
            Target::Test(condition, then, otherwise) => format!(
                "if {} -> {} else -> {}",
                self.expr(condition),
                name(*then),
                name(*otherwise)
            ),
        });
        parts.join(" ")
    }

    fn pattern(&self, pattern: &ActionPattern) -> String {
        let action = &self.names.actions[pattern.action as usize];
        let values: Vec<String> = pattern
            .arguments
            .iter()
            .zip(&action.arguments)
            .map(|(value, shape)| value.map_or("*".into(), |v| shape.scalar(v)))
            .collect();
        format!("{}({})", action.name, values.join(","))
    }

    fn step_set(&self, set: &StepSet) -> String {
        let patterns = set.patterns.iter().map(|pattern| match pattern {
            StepPattern::Action(pattern) => self.pattern(pattern),
            StepPattern::At(instance, locations) => self.at(*instance, locations),
            StepPattern::Taken(instance, steps) => {
                let names = steps.iter();
                let names = names.filter_map(|step| self.names.step_name(*instance, *step));
                let names: std::collections::BTreeSet<&str> = names.collect();
                let names: Vec<&str> = names.into_iter().collect();
                format!("{}@{}", self.names.instance(*instance), names.join(","))
            }
        });
        format!("{{{}}}", patterns.collect::<Vec<_>>().join(", "))
    }

    fn at(&self, instance: InstanceId, locations: &[LocationId]) -> String {
        let source = &self.names.instances[instance as usize];
        let names: Vec<&str> = locations
            .iter()
            .map(|location| source.locations[*location as usize].name.as_str())
            .collect();
        format!("{}@{{{}}}", source.name, names.join(", "))
    }

    fn arguments(&self, arguments: &[Argument]) -> String {
        if arguments.is_empty() {
            return String::new();
        }
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Match(value) => self.expr(value),
                Argument::Bind(place) => format!("?{}", self.place(place)),
                Argument::Skip => String::from("*"),
            })
            .collect();
        format!("({})", arguments.join(", "))
    }

    fn effects(&self, effects: &[Effect]) -> String {
        let effects: Vec<String> = effects
            .iter()
            .map(|effect| match effect {
                Effect::Assign { place, value, .. } => {
                    format!("{} = {}", self.place(place), self.expr(value))
                }
                Effect::If(condition, then, otherwise) => format!(
                    "if {} {{ {} }} else {{ {} }}",
                    self.expr(condition),
                    self.effects(then),
                    self.effects(otherwise)
                ),
                Effect::Assert(condition) => format!("assert {}", self.expr(condition)),
            })
            .collect();
        effects.join(", ")
    }

    fn channel(&self, channel: &ChannelRef) -> String {
        match channel {
            ChannelRef::One(id) => self.names.channels[*id as usize].name.clone(),
            ChannelRef::Indexed { first, .. } => {
                let name = &self.names.channels[*first as usize].name;
                let base = name.split('[').next().unwrap_or(name);
                let indices = channel.index_expressions();
                let indices: Vec<String> = indices.map(|index| self.expr(index)).collect();
                format!("{base}[{}]", indices.join(", "))
            }
        }
    }

    fn variable(&self, variable: VariableRef) -> (String, Option<&Shape>) {
        match variable {
            VariableRef::Shared(index) => {
                let source = &self.names.variables[index as usize];
                (source.name.clone(), Some(&source.shape))
            }
            VariableRef::Local(instance, index) => {
                let source = &self.names.instances[instance as usize];
                let local = &source.locals[index as usize];
                (
                    format!("{}.{}", source.name, local.name),
                    Some(&local.shape),
                )
            }
        }
    }

    fn place(&self, place: &Place) -> String {
        let (mut text, mut shape) = self.variable(place.variable);
        for access in &place.path {
            match access {
                Access::Field(field) => {
                    let (name, inner) = field_of(shape, *field);
                    let _ = write!(text, ".{name}");
                    shape = inner;
                }
                Access::Cell { index, .. } => {
                    let _ = write!(text, "[{}]", self.expr(index));
                    shape = match shape {
                        Some(Shape::Array(_, cell)) => Some(cell),
                        _ => None,
                    };
                }
            }
        }
        text
    }

    fn list(&self, operands: &[Expr]) -> String {
        let operands: Vec<String> = operands.iter().map(|operand| self.expr(operand)).collect();
        operands.join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(Value::Int(value)) => value.to_string(),
            Expr::Const(value) => value_text(value),
            Expr::Variable(variable) => self.variable(*variable).0,
            Expr::Cell { array, index, .. } => {
                format!("{}[{}]", self.expr(array), self.expr(index))
            }
            Expr::Field { record, field } => format!("{}.{field}", self.expr(record)),
            Expr::Cells(cells) => format!("[{}]", self.list(cells)),
            Expr::Choice(number) => format!("#{number}"),
            Expr::Unary(operator, operand) => {
                let word = match operator {
                    Unary::Not => "not ",
                    Unary::Negate => "-",
                    Unary::BitNot => "bit_not ",
                };
                format!("{word}{}", self.expr(operand))
            }
            Expr::Binary(operator, a, b) => {
                format!("({} {} {})", self.expr(a), symbol(*operator), self.expr(b))
            }
            Expr::All(operands) => format!("all({})", self.list(operands)),
            Expr::Any(operands) => format!("any({})", self.list(operands)),
            Expr::If(a, b, c) => format!(
                "if {} then {} else {}",
                self.expr(a),
                self.expr(b),
                self.expr(c)
            ),
            Expr::Count(operands) => format!("count({})", self.list(operands)),
            Expr::Sum(operands) => format!("sum({})", self.list(operands)),
            Expr::Min(operands) => format!("min({})", self.list(operands)),
            Expr::Max(operands) => format!("max({})", self.list(operands)),
            Expr::OneOf(element, members) => {
                format!("{} in {{{}}}", self.expr(element), self.list(members))
            }
            Expr::At(instance, locations) => self.at(*instance, locations),
            Expr::Select { index, cases, lo } => {
                format!(
                    "select({} from {lo}: {})",
                    self.expr(index),
                    self.list(cases)
                )
            }
            Expr::Let { value, body, .. } => {
                format!("let {} in {}", self.expr(value), self.expr(body))
            }
            Expr::Bound(level) => format!("^{level}"),
            Expr::Length(channel) => format!("len({})", self.channel(channel)),
            Expr::IsEmpty(channel) => format!("empty({})", self.channel(channel)),
            Expr::IsFull(channel) => format!("full({})", self.channel(channel)),
            Expr::Fail(failure) => format!("fail({failure:?})"),
        }
    }
}

fn field_of(shape: Option<&Shape>, field: u32) -> (String, Option<&Shape>) {
    match shape {
        Some(Shape::Record(fields)) => match fields.get(field as usize) {
            Some((name, shape)) => (name.clone(), Some(shape)),
            None => (field.to_string(), None),
        },
        _ => (field.to_string(), None),
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Cells(cells) => {
            let cells: Vec<String> = cells.iter().map(value_text).collect();
            format!("[{}]", cells.join(", "))
        }
    }
}

fn ty(of: &Type) -> String {
    match of {
        Type::Scalar { lo, hi } => format!("{lo}..{hi}"),
        Type::Array { lo, len, cell } => {
            let hi = lo.saturating_add(i64::from(*len) - 1);
            format!("array[{lo}..{hi}] of {}", ty(cell))
        }
        Type::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(ty).collect();
            format!("record {{ {} }}", fields.join(", "))
        }
    }
}

/// Symbol of an operator.
pub fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessOrEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterOrEqual => ">=",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Within => "within",
    }
}
