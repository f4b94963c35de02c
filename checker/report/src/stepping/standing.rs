//! Where everybody is, on a run.

use stubborn_system::system::InstanceId;

use super::run::Run;
use crate::Place;

/// Where an instance, or what watches the run, is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// `customer(1)`; of a tester its property's name.
    pub who: String,
    /// The name of the location.
    pub at: String,
    /// The state's name, or the statement that is next; where the run has it take the next step that step.
    pub place: Place,
    /// It takes part in the next step of a run that is given.
    pub is_next: bool,
}

/// Where an instance is.
pub fn standing(run: &Run, instance: InstanceId) -> Option<Standing> {
    let model = run.model();
    let source = model.map.instances.get(instance as usize)?;
    let location = run.state().instances.get(instance as usize)?.location;
    let location = source.locations.get(location as usize)?;
    let next = run.next_given().and_then(|step| {
        let mut participants = step.participants.iter();
        participants.find(|(who, _)| *who == instance)
    });
    let span = next.map_or(location.span, |(_, step)| model.map.step(instance, *step));
    Some(Standing {
        who: source.name.clone(),
        at: location.name.clone(),
        place: model.texts.place(span),
        is_next: next.is_some(),
    })
}

/// Where the tester, the automaton or the specification is that watches a given run, if one does.
pub fn standing_of_monitor(run: &Run) -> Option<Standing> {
    let monitor = run.given()?.monitor()?;
    let taken = run.number(run.len());
    // Where the cycle begins again it is where it was at its end, which confirming the run has seen to.
    Some(Standing {
        who: monitor.name().to_owned(),
        at: monitor.after(taken),
        place: monitor.place_after(taken, &run.model().texts),
        is_next: run.next_given().is_some() && monitor.takes_part(taken),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::fixture::stepped;
    use super::*;

    #[test]
    fn an_instance_stands_at_its_state_or_its_next_statement() {
        let model = Arc::new(stepped(
            "var x: 0..3\nprocess p(i in 1..2) {\n    x = 1\n    on_its_way: x = 2\n}\n\
             process q {\n    initial state idle { -> idle }\n}\n",
        ));
        let mut run = Run::new(model);
        let told = |run: &Run, instance| {
            let Standing { who, at, place, .. } = standing(run, instance)?;
            Some(format!(
                "{who} at {at}, {}:{}",
                place.range.start.line, place.range.start.column
            ))
        };
        assert_eq!(told(&run, 0).as_deref(), Some("p(1) at line 3, 3:5"));
        assert_eq!(told(&run, 2).as_deref(), Some("q at idle, 7:19"));
        assert_eq!(told(&run, 3), None);
        let step = run.enabled(1).steps.remove(0);
        run.take(step);
        assert_eq!(told(&run, 0).as_deref(), Some("p(1) at on_its_way, 4:17"));
        assert_eq!(standing_of_monitor(&run), None);
    }
}
