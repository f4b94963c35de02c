//! Whose steps can change whether a step is enabled, as far as the text alone tells.

use std::collections::BTreeSet;

use stubborn_system::footprint::{self, Thing};
use stubborn_system::system::{ActionId, ActionPattern, Communication, InstanceId, Step, System};

/// The instances, `of` itself among them perhaps, whose steps can enable the step: they write what
/// its guard reads, use its channel, or take part in its action.
pub(super) fn influences(system: &System, of: InstanceId, step: &Step) -> BTreeSet<InstanceId> {
    let mut read: BTreeSet<Thing> = BTreeSet::new();
    if let Some(guard) = &step.guard {
        footprint::things_read(guard, &mut |thing| {
            read.insert(thing);
        });
    }
    let mut action = None;
    match &step.communication {
        Some(Communication::On { action: on, .. }) => action = Some(*on),
        Some(Communication::Send { .. } | Communication::Receive { .. }) | None => {}
    }
    for channel in step.channels() {
        footprint::for_channels(channel, &mut |channel| {
            read.insert(Thing::Channel(channel));
        });
    }
    let changes = |instance: InstanceId| {
        let mut any = false;
        for step in &system.instances[instance as usize].steps {
            footprint::of_step(instance, step, &mut |touch| {
                any |= touch.writes && read.contains(&touch.thing);
            });
        }
        any
    };
    (0..system.instances.len() as InstanceId)
        .filter(|other| {
            let alphabet = &system.instances[*other as usize].alphabet;
            let takes_part = |action| alphabet.iter().any(|pattern| pattern.action == action);
            *other != of && (action.is_some_and(takes_part) || changes(*other))
        })
        .collect()
}

/// Whether an alphabet has an action with these values, `None` standing for one that is not known.
pub(super) fn matches(
    alphabet: &[ActionPattern],
    action: ActionId,
    values: &[Option<i64>],
) -> bool {
    alphabet.iter().any(|pattern| {
        let agree = |(a, b): (&Option<i64>, &Option<i64>)| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        pattern.action == action && pattern.arguments.iter().zip(values).all(agree)
    })
}
