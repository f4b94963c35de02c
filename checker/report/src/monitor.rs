//! What a tester, an automaton or a specification does beside a run: its state under the property's
//! name, as if it were one more instance, the last one.

use stubborn_engine::{MonitorMove, MonitorRun, MonitorState, Trace};
use stubborn_model::NamedProperty;
use stubborn_system::property::Form;
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;

use super::place::{Place, Texts};
use super::state::Shown;
use super::step::{STATEMENT, StepReport};

/// A monitor that runs beside a trace.
pub struct Beside<'a> {
    property: &'a NamedProperty,
    source: &'a MonitorSource,
    run: &'a MonitorRun,
}

impl<'a> Beside<'a> {
    /// The monitor of a property, where it has one that a person has written.
    pub fn new(property: &'a NamedProperty, trace: &'a Trace) -> Option<Beside<'a>> {
        Some(Beside {
            property,
            source: property.monitor.as_ref()?,
            run: trace.monitor()?,
        })
    }

    /// The property's name.
    pub fn name(&self) -> &str {
        &self.property.name
    }

    /// Its name with its first state.
    pub fn start(&self) -> (String, Shown) {
        let state = self.state(&self.run.start);
        (self.property.name.clone(), Shown::Name(state))
    }

    /// Lets it take part in the step with this number, from 0 and counted on through the cycle.
    pub fn join(&self, at: usize, texts: &Texts, step: &mut StepReport) {
        let Some(taken) = self.run.moves.get(at).filter(|one| one.takes_part) else {
            return;
        };
        let text = self.text(self.before(at), taken);
        let place = texts.place(text.unwrap_or(self.property.span));
        if step.by.is_empty() {
            step.place = place.clone();
        }
        step.by.push(self.property.name.clone());
        step.places.push(place);
        let statement = text.map_or_else(String::new, |text| texts.excerpt(text, STATEMENT));
        step.statements.push(statement);
        step.outcomes.push(None);
        step.chosen.push(String::new());
        step.from.push(self.state(self.before(at)));
        step.to.push(self.state(&taken.after));
    }

    /// Whether it takes part in the step with this number.
    pub fn takes_part(&self, at: usize) -> bool {
        self.run.moves.get(at).is_some_and(|one| one.takes_part)
    }

    /// The text of the step that it takes with the step of this number, where it takes part and a text says so.
    pub fn step_at(&self, at: usize) -> Option<Span> {
        let taken = self.run.moves.get(at).filter(|one| one.takes_part)?;
        self.text(self.before(at), taken)
    }

    /// Where its state after so many steps stands in the text; of a specification, which may be in several, its name.
    pub fn place_after(&self, steps: usize, texts: &Texts) -> Place {
        let span = match (self.property.form, &self.before(steps)[..]) {
            (Form::Refinement, _) => None,
            (_, [state]) => self.source.states.get(*state as usize).map(|one| one.span),
            _ => None,
        };
        texts.place(span.unwrap_or(self.property.span))
    }

    /// Its state after so many steps.
    pub fn after(&self, steps: usize) -> String {
        self.state(self.before(steps))
    }

    /// Its state before the step with this number.
    fn before(&self, at: usize) -> &MonitorState {
        let previous = at.checked_sub(1).and_then(|at| self.run.moves.get(at));
        previous.map_or(&self.run.start, |previous| &previous.after)
    }

    /// The text of the step that it takes.
    fn text(&self, before: &MonitorState, taken: &MonitorMove) -> Option<Span> {
        let steps = self.source.steps.get(*before.first()? as usize)?;
        steps.get(taken.step? as usize).copied()
    }

    /// `waiting`; of a refinement the set of where the specification may be, `{a, b}`.
    fn state(&self, state: &MonitorState) -> String {
        let name = |number: &u32| match self.source.states.get(*number as usize) {
            Some(source) => source.name.clone(),
            None => number.to_string(),
        };
        let mut names: Vec<String> = Vec::with_capacity(state.len());
        for name in state.iter().map(name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match (self.property.form, &names[..]) {
            (Form::Refinement, names) => format!("{{{}}}", names.join(", ")),
            (_, names) => names.join(", "),
        }
    }
}
