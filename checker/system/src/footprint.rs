//! What expressions, effects and steps may read and write.
//!
//! A *footprint* is everything that something may touch in whatever state it is evaluated or taken:
//! more than it touches in any one of them, and never less. Two steps whose footprints have nothing
//! in common that one of them writes do the same in either order (they are *independent*); a
//! condition is what it was after steps that write nothing of its footprint.

use crate::system::{
    Access, Argument, ChannelId, ChannelIndex, ChannelRef, Communication, Effect, Expr, InstanceId,
    Place, Step, Target, Value, VariableRef,
};
use crate::walk::{for_children, for_indices, for_subexpressions};

/// Something that may be touched, as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    Variable(VariableRef),
    /// The content of a channel.
    Channel(ChannelId),
    /// Location of an instance.
    Instance(InstanceId),
}

/// From a variable to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Field(u32),
    /// The cell with this index; `None` where the index is not constant, and every cell may be meant.
    Cell(Option<i64>),
}

/// That something may be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    pub thing: Thing,
    /// From the outside in; where it ends the whole rest is meant.
    pub path: Vec<Part>,
    pub writes: bool,
}

impl Touch {
    fn read(thing: Thing) -> Touch {
        Touch {
            thing,
            path: Vec::new(),
            writes: false,
        }
    }

    fn write(thing: Thing) -> Touch {
        Touch {
            writes: true,
            ..Touch::read(thing)
        }
    }

    /// Whether both may touch the same scalar, channel or location.
    pub fn meets(&self, other: &Touch) -> bool {
        let parts = self.path.iter().zip(&other.path);
        let mut alike = parts.map(|parts| match parts {
            (Part::Field(one), Part::Field(two)) => one == two,
            (Part::Cell(Some(one)), Part::Cell(Some(two))) => one == two,
            _ => true,
        });
        self.thing == other.thing && alike.all(|alike| alike)
    }
}

/// Calls with all that evaluating the expression may read.
pub fn of_expression(expr: &Expr, found: &mut dyn FnMut(Touch)) {
    if let Some((variable, path)) = part_of_variable(expr, found) {
        found(Touch {
            path,
            ..Touch::read(Thing::Variable(variable))
        });
        return;
    }
    match expr {
        Expr::At(instance, _) => found(Touch::read(Thing::Instance(*instance))),
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            for_channels(channel, &mut |id| found(Touch::read(Thing::Channel(id))));
        }
        _ => {}
    }
    for_children(expr, &mut |child| of_expression(child, found));
}

/// The part of a variable that the expression is, after what its indices read.
fn part_of_variable(expr: &Expr, found: &mut dyn FnMut(Touch)) -> Option<(VariableRef, Vec<Part>)> {
    match expr {
        Expr::Variable(variable) => Some((*variable, Vec::new())),
        Expr::Cell { array, index, .. } => {
            let (variable, mut path) = part_of_variable(array, found)?;
            of_expression(index, found);
            path.push(Part::Cell(constant(index)));
            Some((variable, path))
        }
        Expr::Field { record, field } => {
            let (variable, mut path) = part_of_variable(record, found)?;
            path.push(Part::Field(*field));
            Some((variable, path))
        }
        _ => None,
    }
}

/// The things that evaluating the expression may read, each as a whole.
pub fn things_read(expr: &Expr, found: &mut dyn FnMut(Thing)) {
    read_by(expr, &mut |read| match read {
        Read::Thing(thing) => found(thing),
        // Whoever chooses from an array needs all of it side by side, whatever its indices are.
        Read::Channels(channel) => channel.array().for_each(|id| found(Thing::Channel(id))),
    });
}

/// Something that an expression may read, as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read<'e> {
    /// No channel.
    Thing(Thing),
    /// The channels that are meant: however many an array has, it is one of these.
    Channels(&'e ChannelRef),
}

/// Calls with all that evaluating the expression may read, as wholes.
pub fn read_by<'e>(expr: &'e Expr, found: &mut dyn FnMut(Read<'e>)) {
    for_subexpressions(expr, &mut |part| match part {
        Expr::Variable(variable) => found(Read::Thing(Thing::Variable(*variable))),
        Expr::At(instance, _) => found(Read::Thing(Thing::Instance(*instance))),
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            found(Read::Channels(channel));
        }
        _ => {}
    });
}

/// That a place is assigned to; what its indices read is not in it.
pub fn of_place(place: &Place) -> Touch {
    let part = |access: &Access| match access {
        Access::Field(field) => Part::Field(*field),
        Access::Cell { index, .. } => Part::Cell(constant(index)),
    };
    Touch {
        path: place.path.iter().map(part).collect(),
        ..Touch::write(Thing::Variable(place.variable))
    }
}

/// Calls with all that effects may read and write, in the order in which they do.
pub fn of_effects(effects: &[Effect], found: &mut dyn FnMut(Touch)) {
    for effect in effects {
        match effect {
            Effect::Assign { place, value, .. } => {
                for_indices(place, &mut |index| of_expression(index, found));
                of_expression(value, found);
                found(of_place(place));
            }
            Effect::If(condition, then, otherwise) => {
                of_expression(condition, found);
                of_effects(then, found);
                of_effects(otherwise, found);
            }
            Effect::Assert(condition) => of_expression(condition, found),
        }
    }
}

/// Calls with all that a step of an instance may read and write: what decides whether it can be taken
/// and where it leads, and what it does. Of a joint step it is one participant's part.
pub fn of_step(instance: InstanceId, step: &Step, found: &mut dyn FnMut(Touch)) {
    found(Touch::read(Thing::Instance(instance)));
    match &step.communication {
        None => {}
        Some(Communication::On { arguments, .. }) => of_arguments(arguments, found),
        Some(Communication::Send { channel, values }) => {
            of_channel(channel, found);
            for value in values {
                of_expression(value, found);
            }
        }
        Some(Communication::Receive(channel, arguments, _)) => {
            of_channel(channel, found);
            of_arguments(arguments, found);
        }
    }
    if let Some(guard) = &step.guard {
        of_expression(guard, found);
    }
    if let Some(onward) = step.onward() {
        of_channel(&onward.channel, found);
        for value in &onward.values {
            of_expression(value, found);
        }
    }
    of_effects(&step.effects, found);
    match &step.target {
        Target::To(_) => {}
        Target::Test(condition, _, _) => of_expression(condition, found),
    }
    found(Touch::write(Thing::Instance(instance)));
}

fn of_arguments(arguments: &[Argument], found: &mut dyn FnMut(Touch)) {
    for argument in arguments {
        match argument {
            Argument::Match(expr) => of_expression(expr, found),
            Argument::Bind(place) => {
                for_indices(place, &mut |index| of_expression(index, found));
                found(of_place(place));
            }
            Argument::Skip => {}
        }
    }
}

/// Sending and receiving read how much a channel holds, and change it.
fn of_channel(channel: &ChannelRef, found: &mut dyn FnMut(Touch)) {
    for index in channel.index_expressions() {
        of_expression(index, found);
    }
    for_channels(channel, &mut |id| {
        found(Touch::read(Thing::Channel(id)));
        found(Touch::write(Thing::Channel(id)));
    });
}

/// Calls with the channels that the reference may mean: one, or all of the array with the indices that are
/// constant.
pub fn for_channels(channel: &ChannelRef, then: &mut dyn FnMut(ChannelId)) {
    for_chosen(channel.first(), channel.indices(), then);
}

fn for_chosen(first: ChannelId, indices: &[ChannelIndex], then: &mut dyn FnMut(ChannelId)) {
    let Some((index, others)) = indices.split_first() else {
        return then(first);
    };
    let known = constant(&index.index).and_then(|value| index.offset(value));
    let apart = ChannelIndex::channels(others);
    for at in known.map_or(0..index.len, |at| at..at + 1) {
        let first = first.saturating_add(at.saturating_mul(apart));
        for_chosen(first, others, then);
    }
}

fn constant(index: &Expr) -> Option<i64> {
    match index {
        Expr::Const(Value::Int(value)) => Some(*value),
        _ => None,
    }
}
