//! One step of a run: who takes it, what stands in the text, and what comes of it.

use stubborn_engine::interpreter::holds;
use stubborn_engine::{Change, State, TraceStep};
use stubborn_system::footprint::{Thing, things_read};
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::{
    Access, Effect, Expr, InstanceId, Place as Assigned, Step, System, Target, Value, VariableRef,
};
use stubborn_system::walk::for_subexpressions;

use super::about::About;
use super::actions::action;
use super::chosen::chosen;
use super::effects::{go_through, spot_of};
use super::failing::failing;
use super::place::{Place, cut};
use super::state::{NamedValues, Passed, Shown, changed_values, named_cell, passed};

/// A statement is kept up to so many characters.
pub(super) const STATEMENT: usize = 160;
/// Of a statement within a sentence, so many.
const IN_SENTENCE: usize = 48;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The instances that take it, in the order of the text and of their values; a monitor that takes
    /// part in it stands last, and alone in a step of its own.
    pub by: Vec<String>,
    /// `enter(1)`; where a step fails for an argument of it `enter(*)`, as far as no participant gives
    /// the value.
    pub action: Option<String>,
    /// The name of the first participant's step that has one, `ask`.
    pub name: Option<String>,
    /// The text of the step, of the first participant's if there are several.
    pub place: Place,
    /// The texts of the steps of all participants, in the order of `by`.
    pub places: Vec<Place>,
    /// The text of each of `places` on one line, without comments: within a macro the macro's own.
    pub statements: Vec<String>,
    /// Of each of `by` whose step is the test of an `if` or a `while`, whether it is true; nothing of the others,
    /// and of a test that fails.
    pub outcomes: Vec<Option<bool>>,
    /// Of each of `by` the values that the `for` of its step has taken, "k = 1"; empty where there is none, or that is not
    /// known.
    pub chosen: Vec<String>,
    /// The values that differ afterwards.
    pub changes: NamedValues,
    /// Of a step that assigns and changes no value at all: what it assigns to, with the values that were there
    /// before; as far as that is known without going through the effects.
    pub unchanged: NamedValues,
    /// It assigns, and changes no value at all.
    pub assigns_in_vain: bool,
    /// It would assign, and no branch of its `if`s that does is taken.
    pub takes_no_branch: bool,
    /// What goes into channels and what comes out of them.
    pub messages: Vec<Passed>,
    /// Where each of `by` was before.
    pub from: Vec<String>,
    /// Where each of `by` is then.
    pub to: Vec<String>,
    /// Why the step fails, where it does.
    pub fails: Option<String>,
    /// Where in the text it fails: the effect, or the whole step.
    pub fails_at: Option<Place>,
}

impl StepReport {
    /// What each participant does, "idle → test"; where a place has no name but its line the statement,
    /// "`x = x + 1`" or "`x = x + 1` → critical", with what came of a test, "`if x > 0`: no"; of who stays where
    /// it is, where that is.
    pub fn does(&self) -> impl Iterator<Item = String> {
        let all = self.from.iter().zip(&self.to).enumerate();
        all.map(|(at, (from, to))| {
            let statement = self.statements.get(at).filter(|text| !text.is_empty());
            let statement = statement.map(|text| cut(text, IN_SENTENCE));
            let came = self.came(at);
            match statement {
                Some(text)
                    if (is_line(from) || !came.is_empty())
                        && !is_line(to)
                        && self.fails.is_none() =>
                {
                    format!("`{text}`{came} → {to}")
                }
                Some(text) if is_line(from) || is_line(to) => format!("`{text}`{came}"),
                _ if from == to || self.fails.is_some() => from.clone(),
                _ => format!("{from} → {to}"),
            }
        })
    }

    /// "customer(0) on ask: idle → test, gate[0] = 1".
    pub fn sentence(&self) -> String {
        let mut text = self.by.join(", ");
        if let Some(action) = &self.action {
            text.push_str(&format!(" on {action}"));
        }
        let does = self.does().filter(|does| !self.from.contains(does));
        let changes = self.changes.iter();
        let changes = changes.map(|(name, value)| equation(name, value));
        let fails = self.fails.iter().map(|why| format!("fails: {why}"));
        let parts: Vec<String> = does.chain(changes).chain(fails).collect();
        if !parts.is_empty() {
            text.push_str(&format!(": {}", parts.join(", ")));
        }
        text
    }

    /// What stands in the text of a participant's step, but where it leads, "await free do free = false"; and
    /// behind it how a test has come out, ": no", or which values a `for` has taken, ": k = 1".
    pub fn statement(&self, at: usize) -> (String, String) {
        let text = self.statements.get(at).map_or("", String::as_str);
        // An arrow is nowhere else in a step.
        let text = text.split("->").next().unwrap_or("").trim_end();
        (text.to_owned(), self.came(at))
    }

    /// Where a participant is then, unless it stays, or the place has no name but its line.
    pub fn named_target(&self, at: usize) -> Option<&str> {
        let (from, to) = (self.from.get(at)?, self.to.get(at)?);
        (from != to && !is_line(to) && self.fails.is_none()).then_some(to)
    }

    /// How a participant's test has come out, or which values its `for` has taken.
    fn came(&self, at: usize) -> String {
        let chosen = self.chosen.get(at).filter(|chosen| !chosen.is_empty());
        match (self.outcomes.get(at), chosen) {
            (Some(Some(true)), _) => ": yes".to_owned(),
            (Some(Some(false)), _) => ": no".to_owned(),
            (_, Some(chosen)) => format!(": {chosen}"),
            _ => String::new(),
        }
    }

    /// What the step comes to, one thing after the other: "gate[1] = 1", and what there is [besides](Self::besides).
    pub fn results(&self) -> Vec<String> {
        let changes = self.changes.iter();
        let mut told: Vec<String> = changes.map(|(name, value)| equation(name, value)).collect();
        told.extend(self.besides());
        told
    }

    /// Where the step only assigns what was there before "x = 0, as before"; why it fails.
    pub fn besides(&self) -> Vec<String> {
        let same = self.unchanged.iter();
        let mut told: Vec<String> = same.map(|(name, value)| as_before(name, value)).collect();
        told.extend(self.outcome_of_all());
        told
    }

    /// That all that it assigns was there before, where it is not known what that is; why it fails.
    pub fn outcome_of_all(&self) -> Vec<String> {
        let in_vain = match self.unchanged.is_empty() {
            true if self.takes_no_branch => Some("no branch is taken".to_owned()),
            true if self.assigns_in_vain => Some("nothing, though it assigns".to_owned()),
            _ => None,
        };
        let fails = self.fails.iter().map(|why| format!("fails: {why}"));
        in_vain.into_iter().chain(fails).collect()
    }
}

/// "x = 0".
pub(super) fn equation(name: &str, value: &Shown) -> String {
    format!("{name} = {value}")
}

/// Of what was assigned and is what it was.
pub(super) fn as_before(name: &str, value: &Shown) -> String {
    format!("{name} = {value}, as before")
}

/// Whether a place has no name but its line.
fn is_line(location: &str) -> bool {
    location
        .strip_prefix("line ")
        .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
}

/// Tells a step of a run that is taken in `before`. Costs time for what it tests and changes, and for a copy of the state.
pub fn told_step(about: About<'_>, before: &State, taken: &TraceStep) -> StepReport {
    let mut after = before.clone();
    after.apply(&taken.changes);
    Before::new(about, before, taken).then(&after)
}

/// Step that is about to be taken.
pub(super) struct Before<'a> {
    about: About<'a>,
    taken: &'a TraceStep,
    /// Report without what the state after the step tells.
    report: StepReport,
}

impl<'a> Before<'a> {
    /// Costs time for what the step tests and changes, not for the state.
    pub fn new(about: About<'a>, before: &State, taken: &'a TraceStep) -> Before<'a> {
        let About { system, map, texts } = about;
        let by = || taken.participants.iter();
        let outcome = |(instance, step): &(InstanceId, u32)| match &step_of(
            system, *instance, *step,
        )
        .target
        {
            Target::Test(condition, _, _) => holds(system, before, condition).ok(),
            Target::To(_) => None,
        };
        let values = |(instance, step): &(InstanceId, u32)| {
            let at = before.instances[*instance as usize].location;
            chosen(about, *instance, at, *step).unwrap_or_default()
        };
        let mut messages = Vec::new();
        for change in &taken.changes {
            if let Change::Channel {
                channel,
                messages: after,
            } = change
            {
                messages.extend(passed(
                    map,
                    *channel,
                    &before.channels[*channel as usize],
                    after,
                ));
            }
        }
        // What comes out of one channel in a step goes into the other after it.
        messages.sort_by_key(|passed| passed.is_sent);
        let is_in_vain = taken.failure.is_none()
            && taken
                .changes
                .iter()
                .all(|change| matches!(change, Change::Location { .. }))
            && by().any(|(instance, step)| assigns(step_of(system, *instance, *step)));
        let mut unchanged = Vec::new();
        // What was assigned in the branches of an `if` is known by going through them, which takes a copy of the state.
        let has_branches = by().any(|(instance, step)| {
            let effects = &step_of(system, *instance, *step).effects;
            effects.iter().any(|one| matches!(one, Effect::If(..)))
        });
        let gone = (is_in_vain && has_branches).then(|| go_through(system, before, taken));
        let gone = gone.filter(|gone| gone.is_known);
        if let Some(gone) = &gone {
            for (variable, path) in &gone.assigned {
                let named = named_cell(system, map, before, *variable, path);
                unchanged.extend(named.filter(|named| !unchanged.contains(named)));
            }
        } else if is_in_vain {
            for (instance, step) in by() {
                // Values are the same before and after; where everybody is, effects see as it was before.
                assigned(
                    system,
                    map,
                    before,
                    step_of(system, *instance, *step),
                    &mut unchanged,
                );
            }
        }
        let failing = failing(about, before, taken);
        let spans = || by().map(|(instance, step)| map.step(*instance, *step));
        let places: Vec<Place> = spans().map(|span| texts.place(span)).collect();
        let report = StepReport {
            by: by()
                .map(|(instance, _)| map.instance(*instance).to_owned())
                .collect(),
            action: action(system, map, before, taken),
            name: by()
                .find_map(|(instance, step)| map.step_name(*instance, *step))
                .map(str::to_owned),
            place: places.first().cloned().unwrap_or_else(Place::nowhere),
            statements: spans().map(|span| texts.excerpt(span, STATEMENT)).collect(),
            places,
            outcomes: by().map(outcome).collect(),
            chosen: by().map(values).collect(),
            changes: Vec::new(),
            unchanged,
            assigns_in_vain: is_in_vain
                && gone.as_ref().is_none_or(|gone| !gone.assigned.is_empty()),
            takes_no_branch: gone.is_some_and(|gone| gone.assigned.is_empty()),
            messages,
            from: locations(map, before, taken),
            to: Vec::new(),
            fails: failing.as_ref().map(|failing| failing.why.clone()),
            fails_at: failing.map(|failing| failing.place),
        };
        Before {
            about,
            taken,
            report,
        }
    }

    /// The step, with the state after it.
    pub fn then(self, after: &State) -> StepReport {
        let About { system, map, .. } = self.about;
        StepReport {
            changes: changed_values(system, map, &self.taken.changes, after),
            to: locations(map, after, self.taken),
            ..self.report
        }
    }
}

fn step_of(system: &System, instance: InstanceId, step: u32) -> &Step {
    &system.instances[instance as usize].steps[step as usize]
}

/// Locations of the participants of a step.
fn locations(map: &SourceMap, state: &State, taken: &TraceStep) -> Vec<String> {
    let by = taken.participants.iter();
    let locations = by.map(|(instance, _)| {
        let at = state.instances[*instance as usize].location;
        map.location(*instance, at).to_owned()
    });
    locations.collect()
}

fn assigns(step: &Step) -> bool {
    fn is_assigned(effects: &[Effect]) -> bool {
        effects.iter().any(|effect| match effect {
            Effect::Assign { .. } => true,
            Effect::If(_, then, otherwise) => is_assigned(then) || is_assigned(otherwise),
            Effect::Assert(_) => false,
        })
    }
    step.bound().next().is_some() || is_assigned(&step.effects)
}

/// The scalars that a step which changes nothing assigns to whatever is tested on the way, each once; but none of
/// which an index depends on what the step assigns, since it may have been another one in its midst.
fn assigned(system: &System, map: &SourceMap, state: &State, step: &Step, found: &mut NamedValues) {
    let effects = step.effects.iter();
    let places = step
        .bound()
        .chain(effects.filter_map(|effect| match effect {
            Effect::Assign { place, .. } => Some(place),
            Effect::If(..) | Effect::Assert(_) => None,
        }));
    let places: Vec<&Assigned> = places.collect();
    let written: Vec<VariableRef> = places.iter().map(|place| place.variable).collect();
    for place in places {
        let Some(path) = cell(system, state, place, &written) else {
            continue;
        };
        let named = named_cell(system, map, state, place.variable, &path);
        found.extend(named.filter(|named| !found.contains(named)));
    }
}

/// Path to the scalar at a place whose indices depend on nothing that is written.
fn cell(
    system: &System,
    state: &State,
    place: &Assigned,
    written: &[VariableRef],
) -> Option<Vec<u32>> {
    let is_settled = |access: &Access| {
        let mut is_settled = true;
        if let Access::Cell { index, .. } = access {
            things_read(index, &mut |thing| {
                is_settled &= !matches!(thing, Thing::Variable(read) if written.contains(&read));
            });
            for_subexpressions(index, &mut |part| {
                is_settled &= !matches!(part, Expr::Choice(_));
            });
        }
        is_settled
    };
    let is_settled = place.path.iter().all(is_settled);
    let (variable, path) = is_settled.then(|| spot_of(system, state, place).ok())??;
    matches!(state.part(variable, &path)?, Value::Int(_)).then_some(path)
}
