//! What a step changes.

use stubborn_system::system::{
    ChannelId, InstanceId, LocationId, Value, VariableIndex, VariableRef,
};

use crate::state::State;

/// One part of a state that is other after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A scalar, with the cells and fields that lead to it, from the outside in.
    Scalar {
        variable: VariableRef,
        path: Box<[u32]>,
        value: i64,
    },
    /// What the channel holds.
    Channel {
        channel: ChannelId,
        messages: Vec<Vec<i64>>,
    },
    /// Where the instance is.
    Location {
        instance: InstanceId,
        location: LocationId,
    },
}

/// Returns the differences between two states of one system: shared variables, channels, then the
/// instances, each with its variables and its location last. Costs time for the
/// whole state.
pub fn changes(before: &State, after: &State) -> Vec<Change> {
    let mut found = Vec::new();
    let shared = before.shared.iter().zip(&after.shared);
    for ((old, new), variable) in shared.zip(0..) {
        scalars(old, new, VariableRef::Shared(variable), &mut found);
    }
    for ((old, new), channel) in before.channels.iter().zip(&after.channels).zip(0..) {
        if old != new {
            let messages = new.clone();
            found.push(Change::Channel { channel, messages });
        }
    }
    for ((old, new), instance) in before.instances.iter().zip(&after.instances).zip(0..) {
        for ((old, new), local) in old.locals.iter().zip(&new.locals).zip(0..) {
            let variable = VariableRef::Local(instance, local as VariableIndex);
            scalars(old, new, variable, &mut found);
        }
        if old.location != new.location {
            let location = new.location;
            found.push(Change::Location { instance, location });
        }
    }
    // Most steps change little, and a run keeps what all of them do.
    found.shrink_to_fit();
    found
}

fn scalars(old: &Value, new: &Value, variable: VariableRef, found: &mut Vec<Change>) {
    if old != new {
        let mut path = Vec::new();
        scalars_below(old, new, variable, &mut path, found);
    }
}

fn scalars_below(
    old: &Value,
    new: &Value,
    variable: VariableRef,
    path: &mut Vec<u32>,
    found: &mut Vec<Change>,
) {
    match (old, new) {
        (Value::Cells(old), Value::Cells(new)) => {
            debug_assert_eq!(old.len(), new.len(), "both are of one type");
            for ((old, new), at) in old.iter().zip(new).zip(0..) {
                if old != new {
                    path.push(at);
                    scalars_below(old, new, variable, path, found);
                    path.pop();
                }
            }
        }
        (_, Value::Int(value)) => found.push(Change::Scalar {
            variable,
            path: path.as_slice().into(),
            value: *value,
        }),
        (Value::Int(_), Value::Cells(_)) => debug_assert!(false, "both are of one type"),
    }
}

impl State {
    /// Makes the changes.
    pub fn apply(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Scalar {
                    variable,
                    path,
                    value,
                } => {
                    let place = self.part_mut(*variable, path);
                    *place.expect("a change leads to a scalar") = Value::Int(*value);
                }
                Change::Channel { channel, messages } => {
                    self.channels[*channel as usize].clone_from(messages);
                }
                Change::Location { instance, location } => {
                    self.instances[*instance as usize].location = *location;
                }
            }
        }
    }
}

impl Change {
    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let heap = match self {
            Change::Scalar { path, .. } => size_of_val(&**path),
            Change::Channel { messages, .. } => {
                let of = |message: &Vec<i64>| size_of::<Vec<i64>>() + message.len() * 8;
                messages.iter().map(of).sum()
            }
            Change::Location { .. } => 0,
        };
        size_of::<Change>() + heap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::InstanceState;

    fn state(cells: [i64; 3], messages: &[i64], local: i64, location: u32) -> State {
        let cells = cells.map(Value::Int).to_vec();
        State {
            shared: vec![Value::Int(7), Value::Cells(cells)],
            channels: vec![messages.iter().map(|m| vec![*m]).collect()],
            instances: vec![InstanceState {
                location,
                locals: vec![Value::Int(local)],
            }],
        }
    }

    #[test]
    fn the_changes_between_two_states_lead_from_the_one_to_the_other() {
        let states = [
            state([1, 2, 3], &[], 0, 0),
            state([1, 5, 3], &[4], 0, 1),
            state([0, 5, 0], &[4, 4], 1, 1),
        ];
        for before in &states {
            for after in &states {
                let mut now = before.clone();
                now.apply(&changes(before, after));
                assert_eq!(now, *after);
            }
        }
        assert_eq!(changes(&states[0], &states[0]), []);
        assert_eq!(changes(&states[0], &states[1]).len(), 3);
    }
}
