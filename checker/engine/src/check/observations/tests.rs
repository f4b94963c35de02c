use stubborn_system::property::Property;
use stubborn_system::system::{Instance, Location, Step, System, Target};

use super::*;
use crate::budget::Budget;
use crate::caller::Caller;
use crate::options::{Options, Order};
use crate::packed::Packed;
use crate::search::{Alone, Meter, Monitored, Run, depth_first};

/// One instance with steps from some locations to others.
fn system(lists: &[&[u32]]) -> System {
    let mut instance = Instance {
        process: 0,
        locals: Vec::new(),
        steps: Vec::new(),
        locations: Vec::new(),
        initial: 0,
        alphabet: Vec::new(),
    };
    for targets in lists {
        let first = instance.steps.len() as u32;
        instance.steps.extend(targets.iter().map(|target| Step {
            communication: None,
            guard: None,
            choices: Vec::new(),
            effects: Vec::new(),
            target: Target::To(*target),
        }));
        instance.locations.push(Location {
            steps: (first..instance.steps.len() as u32).collect(),
            is_final: true,
        });
    }
    System {
        instances: vec![instance],
        ..System::default()
    }
}

#[test]
fn termination_is_found_out_where_no_property_asks_for_it() {
    let is_terminating = |lists: &[&[u32]]| {
        let system = system(lists);
        let packed = Packed::new(&system).expect("its states are small");
        let mut meter = Meter::quiet(Budget::default());
        let mode = Mode {
            search: Search::Depth,
            reduced: true,
            numbered: true,
            round: None,
        };
        let options = Options::default();
        let mut verdicts = Verdicts::new(
            &packed,
            &[Property::Errors],
            (&options, None),
            (Caller::default(), meter.begun()),
        );
        let observations = Observations::new(&mut verdicts, mode);
        assert_eq!(observations.is_terminating(), None);
        let model = Alone::new(&packed);
        let space = Space::new(model.words(), model.initials());
        let mut run = Run::new(&model, Order::Forward, &mut meter, space, observations);
        let flow = depth_first::search(&mut run);
        assert_eq!(flow, ControlFlow::Continue(()));
        run.listener.is_terminating()
    };
    assert_eq!(is_terminating(&[&[1, 0], &[2, 1], &[]]), Some(true));
    assert_eq!(is_terminating(&[&[1, 2], &[1], &[]]), Some(false));
}
