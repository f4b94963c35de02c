//! The sentence that says what a violation is.

use std::ops::ControlFlow;

use stubborn_automata::{Valuation, Word, Work, ltl};
use stubborn_engine::interpreter::holds;
use stubborn_engine::{Finding, State, Trace, TraceStep};
use stubborn_model::{FormulaPart, NamedProperty};
use stubborn_system::property::Property;
use stubborn_system::system::{Binary, Expr, InstanceId, LocationId};

use super::about::About;
use super::actions::action;
use super::deadlock::deadlock;
use super::failing::{failing, failure};
use super::fairness;
use super::phrases::{after, any_more, from, list, plural, round};
use super::reading::readings;
use super::restless::restless;
use super::wait::Wait;
use super::watched::watched;

/// How many values an invariant that is false is explained by.
const VALUES_SHOWN: usize = 5;
/// And from among how many these are taken.
const VALUES_READ: usize = 200;

/// What was found, in one sentence without a full stop. `on_the_way` is called in each state of a
/// run that is gone through; it may unwind.
pub(super) fn why(
    named: &NamedProperty,
    finding: &Finding,
    trace: &Trace,
    waits: &[Wait],
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> String {
    let told = found(named, finding, trace, waits, about, on_the_way);
    match fairness::of_run(named, trace, about, on_the_way) {
        Some(more) => format!("{told}; {more}"),
        None => told,
    }
}

fn found(
    named: &NamedProperty,
    finding: &Finding,
    trace: &Trace,
    waits: &[Wait],
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> String {
    let name = &named.name;
    let steps = trace.steps().len();
    let seen = Seen {
        about,
        state: trace.last(),
        trace,
        on_the_way,
    };
    match finding {
        Finding::StepFails(why) => {
            let step = trace.steps().last();
            let told = match step {
                Some(step) => seen.failing_step(step),
                None => "a step".to_owned(),
            };
            // It changes nothing: where the run ends is where the step was taken.
            let fails = step.and_then(|step| failing(about, seen.state, step));
            let fails = fails.map_or_else(|| failure(why), |fails| fails.why);
            let before = after(steps.saturating_sub(1));
            format!("{told} fails {before}: {fails}")
        }
        Finding::Deadlock => deadlock(waits, steps),
        Finding::NoTerminalReachable => {
            let (from, any_more) = (from(steps), any_more(steps));
            let told = format!("{from} no terminal state can be reached{any_more}");
            let since = match restless(about, seen.state) {
                Some(restless) => format!(", since {}", restless.sentence),
                None => String::new(),
            };
            format!(
                "{told}{since}; if the model is meant to go on for ever, write `termination not required`"
            )
        }
        Finding::InvariantFalse => {
            let Property::Invariant(expr) = &named.property else {
                return format!("`{name}` is false {}", after(steps));
            };
            if let Some(told) = seen.too_many(expr) {
                return format!("{told}, {}", after(steps));
            }
            let (part, values) = match seen.false_part(&named.parts) {
                Some(part) => (
                    format!(", since {}", is_false(&part.text)),
                    seen.values(&Expr::All(part.ltl.propositions.clone())),
                ),
                None => (String::new(), seen.values(expr)),
            };
            let values = match values.is_empty() {
                true => values,
                false => format!(": {values}"),
            };
            format!("`{name}` is false {}{part}{values}", after(steps))
        }
        Finding::Reached => match steps {
            0 => "it is true in the initial state".to_owned(),
            steps => format!("it is true {}", after(steps)),
        },
        Finding::GoalOutOfReach => match goal(&named.property).and_then(|goal| seen.place(goal)) {
            Some(place) if steps == 0 => format!("{} can never be {}", place.who, place.at),
            Some(place) => {
                format!(
                    "{} {} can never be {} any more",
                    after(steps),
                    place.who,
                    place.at
                )
            }
            None => {
                let goal = state_asked_for(named);
                format!(
                    "{} {goal} cannot be reached{}",
                    from(steps),
                    any_more(steps)
                )
            }
        },
        Finding::GoalAvoidedByEnd => {
            format!("a run ends {}, and {}", after(steps), seen.missing(named))
        }
        Finding::GoalAvoidedByCycle => {
            let goal = seen.avoided(named);
            format!("{}, and {goal}", round(trace))
        }
        Finding::RecurrenceViolated => {
            format!("{}, {}", round(trace), recurring(named))
        }
        Finding::ExpressionFails(why) => {
            format!("`{name}` has no value {}: {}", after(steps), failure(why))
        }
        Finding::Watched(violation) => watched(named, *violation, trace, about, on_the_way),
    }
}

/// "with a step of `pass(*)` and none of `{pass(1), p@{s, t}}`", of both sides of a recurrence.
fn recurring(named: &NamedProperty) -> String {
    let has_conclusion = match named.property.asked() {
        Property::Recurrence(_, implies) => !implies.patterns.is_empty(),
        _ => false,
    };
    match &named.words[..] {
        [infinitely, implies] if has_conclusion => {
            format!("with a step of {infinitely} and none of {implies}")
        }
        [infinitely, ..] => format!("with a step of {infinitely}"),
        [] => format!("which `{}` excludes", named.name),
    }
}

/// What a property asks to be reached.
fn goal(property: &Property) -> Option<&Expr> {
    match property.asked() {
        Property::MayProgress(goal) | Property::MustProgress(goal) => Some(goal),
        _ => None,
    }
}

/// "a state with `turn == 1`".
fn state_asked_for(named: &NamedProperty) -> String {
    match &named.words[..] {
        [words] => format!("a state with {words}"),
        _ => format!("what `{}` asks for", named.name),
    }
}

/// "customer(0)", "at critical or end".
struct AtPlace {
    who: String,
    at: String,
}

/// A state in which something is explained.
struct Seen<'a> {
    about: About<'a>,
    /// The last one of the run before its cycle.
    state: &'a State,
    trace: &'a Trace,
    on_the_way: &'a dyn Fn(),
}

impl Seen<'_> {
    /// "2 customers are in critical at once: customer(0) and customer(1)", where a bound on a
    /// `count` of instances at a location is broken.
    fn too_many(&self, expr: &Expr) -> Option<String> {
        let Expr::Binary(comparison, left, right) = expr else {
            return None;
        };
        let counted = match (comparison, &**left, &**right) {
            (Binary::LessOrEqual | Binary::Less, Expr::Count(counted), Expr::Const(_)) => counted,
            (Binary::GreaterOrEqual | Binary::Greater, Expr::Const(_), Expr::Count(counted)) => {
                counted
            }
            _ => return None,
        };
        let mut there: Vec<InstanceId> = Vec::new();
        for one in counted {
            let Expr::At(instance, locations) = one else {
                return None;
            };
            if self.is_at(*instance, locations) {
                there.push(*instance);
            }
        }
        let first = *there.first()?;
        let process = self.about.system.instances[first as usize].process;
        let of_one_process = there
            .iter()
            .all(|instance| self.about.system.instances[*instance as usize].process == process);
        let mut locations: Vec<&str> = there.iter().map(|one| self.location(*one)).collect();
        locations.dedup();
        let [location] = locations[..] else {
            return None;
        };
        let names: Vec<&str> = there
            .iter()
            .map(|one| self.about.map.instance(*one))
            .collect();
        Some(match (there.len(), of_one_process) {
            (1, _) => format!("{} is in {location}", names[0]),
            (many, true) => {
                let process = names[0].split('(').next().unwrap_or(names[0]);
                format!("{many} {} are in {location} at once", plural(process))
            }
            (many, false) => format!("{} are in {location} at once, {many} in all", list(&names)),
        })
    }

    /// The first part that is false here, unless some part has no value.
    fn false_part<'p>(&self, parts: &'p [FormulaPart]) -> Option<&'p FormulaPart> {
        let holds_here = |part: &FormulaPart| {
            let mut read: Valuation = 0;
            for (bit, condition) in part.ltl.propositions.iter().enumerate() {
                let is_true = holds(self.about.system, self.state, condition).ok()?;
                read |= Valuation::from(is_true).checked_shl(bit as u32)?;
            }
            let goes_on = |_| ControlFlow::Continue(());
            ltl::holds(
                &part.ltl.formula,
                &Word::Ends(vec![read]),
                &Work::asking(&goes_on),
            )
            .ok()
        };
        for part in parts {
            if !holds_here(part)? {
                return Some(part);
            }
        }
        None
    }

    /// Where the instances are that an expression asks for, and the values that it reads.
    fn values(&self, expr: &Expr) -> String {
        let read =
            |state: &State| readings(self.about.system, self.about.map, state, expr, VALUES_READ);
        let mut told = read(self.state);
        if told.len() > VALUES_SHOWN {
            // What the last step has changed says most, and what was so from the start least.
            let mut walk = self.trace.walk();
            for _ in 1..self.trace.steps().len() {
                (self.on_the_way)();
                walk.advance();
            }
            let (before, start) = (read(walk.state()), read(self.trace.start()));
            told.sort_by_key(|one| match (before.contains(one), start.contains(one)) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            });
            told.truncate(VALUES_SHOWN);
            told.push("…".to_owned());
        }
        told.join(", ")
    }

    /// "`x = x + 1` of counter", "`meet(1)` of a and b".
    fn failing_step(&self, step: &TraceStep) -> String {
        let by: Vec<&str> = step
            .participants
            .iter()
            .map(|(instance, _)| self.about.map.instance(*instance))
            .collect();
        let text = match (
            action(self.about.system, self.about.map, self.state, step),
            step.participants.first(),
        ) {
            (Some(action), _) => action,
            (None, Some((instance, step))) => self
                .about
                .texts
                .excerpt(self.about.map.step(*instance, *step), 60),
            (None, None) => String::new(),
        };
        format!("`{text}` of {}", list(&by))
    }

    /// A goal that is no more than that an instance is somewhere.
    fn place(&self, goal: &Expr) -> Option<AtPlace> {
        let Expr::At(instance, locations) = goal else {
            return None;
        };
        let mut names: Vec<&str> = locations
            .iter()
            .map(|location| self.about.map.location(*instance, *location))
            .collect();
        names.dedup();
        if names.is_empty() || names.len() > 3 {
            return None;
        }
        let who = self.about.map.instance(*instance).to_owned();
        Some(AtPlace {
            who,
            at: format!("at {}", names.join(" or ")),
        })
    }

    /// Of the last state of a run that ends. What it has been through is not said of it: the goal has to be met again
    /// from each state on.
    fn missing(&self, named: &NamedProperty) -> String {
        match goal(&named.property).and_then(|goal| self.place(goal)) {
            Some(place) => format!("{} is not {} then", place.who, place.at),
            None => {
                let told = format!("its last state is not {}", state_asked_for(named));
                match self.false_part(&named.parts) {
                    Some(part) => {
                        let read = self.values(&Expr::All(part.ltl.propositions.clone()));
                        let read = match read.is_empty() {
                            true => read,
                            false => format!(": {read}"),
                        };
                        format!("{told}, since {}{read}", is_false(&part.text))
                    }
                    None => told,
                }
            }
        }
    }

    fn avoided(&self, named: &NamedProperty) -> String {
        match goal(&named.property).and_then(|goal| self.place(goal)) {
            Some(place) => format!("{} is never {} in it", place.who, place.at),
            None => format!("{} is never met in it", state_asked_for(named)),
        }
    }

    fn is_at(&self, instance: InstanceId, locations: &[LocationId]) -> bool {
        locations.contains(&self.state.instances[instance as usize].location)
    }

    fn location(&self, instance: InstanceId) -> &str {
        self.about
            .map
            .location(instance, self.state.instances[instance as usize].location)
    }
}

/// "`a[i] < 3` is false for i = 0", of "`a[i] < 3` for i = 0".
fn is_false(part: &str) -> String {
    match part.split_once("` for ") {
        Some((words, values)) => format!("{words}` is false for {values}"),
        None => format!("{part} is false"),
    }
}
