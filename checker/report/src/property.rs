//! One property: its verdict, the sentence that explains it, its figures and its trace.

use std::borrow::Cow;
use std::sync::Arc;

use stubborn_engine::several::Sharing;
use stubborn_engine::{
    Finding, Outcome, Permuted, Reason, Round, RunsMade, Search, Trace, Verdict as Found, Violation,
};
use stubborn_model::NamedProperty;
use stubborn_system::property::Form;

use super::about::About;
use super::fairness::assumed;
use super::place::{Place, Texts};
use super::reason::{clear_depth, undecided};
use super::restless::restless;
use super::trace::{TraceReport, trace_report};
use super::vacuity::Vacuous;
use super::wait::{Wait, waits, waits_beside_tester};
use super::why::why;
use crate::defect::{DEFECT, caught};
use crate::plan::AttemptReport;

#[derive(Clone, Debug, PartialEq)]
pub struct PropertyReport {
    /// `access(2)`.
    pub name: String,
    /// Parameters of the model that it is checked with, if it is checked with several values.
    pub parameters: Arc<[(String, String)]>,
    /// The same without the values of parameters: `access`.
    pub base: String,
    pub form: Form,
    /// Where the property's name stands.
    pub place: Place,
    /// It speaks of runs, and so of those alone on which no step fails.
    pub is_of_runs: bool,
    pub verdict: Verdict,
    /// The text says that it is there to fail.
    pub expected_violated: bool,
    /// What the runs are assumed to be that it was asked of: `fair customer(0)`. None where it was asked of all.
    pub fairness: Arc<[String]>,
    /// What was found, or which limit was reached, in one sentence without a full stop; of what
    /// holds, to which runs that is confined.
    pub why: Option<String>,
    /// The option that sets the limit which was reached before it was decided.
    pub limit: Option<&'static str>,
    /// What never happens, so that it holds whatever else does.
    pub vacuous: Vec<Vacuous>,
    /// Which of its conditions is broken: `stable-failure` of a tester or a refinement, `livelock` of
    /// an automaton. `None` for the other forms, and where an expression has no value.
    pub violation: Option<&'static str>,
    /// What the search that decided it generated, which several properties may have shared.
    pub states: u64,
    pub edges: u64,
    /// Every step was taken in every generated state.
    pub full: bool,
    /// The reduction under which it was decided: `none`.
    pub reduction: &'static str,
    /// Which of several rounds decided it, where there were any.
    pub round: Option<Round>,
    /// Of how many permutations states were taken for one that these make of each other, if of any.
    pub symmetry: Permuted,
    /// The bounds within which it holds, or is true in no state.
    pub within: Vec<String>,
    /// Workers of a distributed search.
    pub sharing: Option<Arc<Sharing>>,
    /// Random runs that were made for it.
    pub runs: Option<RunsMade>,
    /// Where a limit has left it undecided: no run of up to this many steps violates it.
    pub depth: Option<u64>,
    /// The searches that were made for it, where they are to be shown.
    pub attempts: Vec<AttemptReport>,
    /// Like instances that no permutation swaps, each pair with the first obstacle, where they are
    /// to be shown.
    pub differences: Vec<String>,
    /// `bfs` or `dfs`.
    pub search: &'static str,
    pub seconds: f64,
    /// It was decided in an earlier session; the figures are those of then.
    pub found_before: bool,
    pub trace: Option<TraceReport>,
    /// In a run that ends where it should not: who is stuck, where, and what they wait for.
    pub waits: Vec<Wait>,
    /// Other places that the sentence speaks of, each with what is there.
    pub notes: Vec<(Place, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    Undecided,
}

/// Tells the outcome of one property of `system`.
///
/// To explain a verdict is not to decide it: where the explanation panics the verdict is told all
/// the same, with the panic's words in the place of what could not be told. `on_the_way` is called while
/// a run is gone through, and may unwind.
pub fn property(
    named: &NamedProperty,
    outcome: &Outcome,
    search: Search,
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> PropertyReport {
    let (verdict, explained) = match &outcome.verdict {
        Found::Violated { finding, trace } => {
            let mut explained = explain(named, finding, trace, about, on_the_way);
            if let (Some(sentence), Some(round)) = (&mut explained.sentence, outcome.round) {
                sentence.push_str(&found_in(round));
            }
            // Of what is to be reached the run is a witness.
            match finding {
                Finding::Reached => (Verdict::Holds, explained),
                _ => (Verdict::Violated, explained),
            }
        }
        Found::Holds if named.form == Form::Reachable => {
            let why = "it is true in no reachable state".to_owned();
            (Verdict::Violated, Explanation::sentence(why))
        }
        Found::Holds => (Verdict::Holds, Explanation::default()),
        Found::Undecided(why) => {
            let why = undecided(why, named.form, outcome);
            (Verdict::Undecided, Explanation::sentence(why))
        }
    };
    PropertyReport {
        verdict,
        why: explained.sentence,
        limit: match &outcome.verdict {
            Found::Undecided(Reason::Time) => Some("--timeout"),
            Found::Undecided(Reason::States(_)) => Some("--max-states"),
            Found::Undecided(Reason::Depth(_)) => Some("--depth"),
            Found::Undecided(Reason::Memory(_)) => Some("--max-memory"),
            _ => None,
        },
        violation: violation(named.form, &outcome.verdict),
        states: outcome.states,
        edges: outcome.edges,
        full: outcome.full,
        reduction: outcome.reduction.name(),
        round: outcome.round,
        symmetry: outcome.symmetry,
        within: within(outcome, about),
        sharing: outcome.sharing.clone(),
        runs: outcome.runs,
        depth: clear_depth(named.form, outcome),
        search: search.name(),
        seconds: outcome.seconds,
        trace: explained.trace,
        waits: explained.waits,
        notes: explained.notes,
        ..refused(named, "", about.texts)
    }
}

/// The bounds on which the verdict relies.
fn within(outcome: &Outcome, about: About<'_>) -> Vec<String> {
    let relies = match outcome.verdict {
        Found::Holds | Found::Undecided(Reason::CutOff) => outcome.within,
        _ => 0,
    };
    let names = about.map.bounds.iter().enumerate();
    let names = names.filter(|(number, _)| relies >> number & 1 == 1);
    names.map(|(_, bound)| bound.name.clone()).collect()
}

/// What a violation is, for people.
#[derive(Default)]
struct Explanation {
    sentence: Option<String>,
    trace: Option<TraceReport>,
    waits: Vec<Wait>,
    notes: Vec<(Place, String)>,
}

impl Explanation {
    fn sentence(sentence: String) -> Explanation {
        Explanation {
            sentence: Some(sentence),
            ..Explanation::default()
        }
    }
}

fn explain(
    named: &NamedProperty,
    finding: &Finding,
    found: &Arc<Trace>,
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> Explanation {
    let last = found.last();
    let waits = caught(|| match (ends(finding), named.form) {
        (false, _) => Vec::new(),
        (true, Form::Tester | Form::Refinement) => waits_beside_tester(about, last),
        (true, _) => waits(about, last),
    });
    let sentence = waits
        .as_ref()
        .map_err(String::clone)
        .and_then(|waits| caught(|| why(named, finding, found, waits, about, on_the_way)));
    let notes = caught(|| match finding {
        Finding::NoTerminalReachable => {
            let restless = restless(about, last).into_iter();
            restless.map(|one| (one.place, one.sentence)).collect()
        }
        _ => Vec::new(),
    });
    let trace = caught(|| trace_report(Some(named), about, found));
    let sentence = match (sentence, &trace) {
        (Ok(sentence), Ok(_)) => sentence,
        (Ok(sentence), Err(defect)) => without_run(&sentence, defect),
        (Err(defect), _) => {
            format!("a run violates it, which cannot be explained, for {DEFECT}: {defect}")
        }
    };
    Explanation {
        sentence: Some(sentence),
        trace: trace.ok(),
        waits: waits.unwrap_or_default(),
        notes: notes.unwrap_or_default(),
    }
}

/// The sentence where the run cannot be shown.
fn without_run(sentence: &str, defect: &str) -> String {
    format!("{sentence}; the run cannot be shown, for {DEFECT}: {defect}")
}

/// Which round has found a violation.
fn found_in(round: Round) -> String {
    let Round {
        number,
        sensitive,
        visible,
        ..
    } = round;
    let how = match (sensitive, visible) {
        (_, 0) => String::new(),
        (0, visible) => format!(", with none of its {visible} visible steps sensitive"),
        (some, visible) if some == visible => {
            ", with all of its visible steps sensitive".to_owned()
        }
        (some, visible) => format!(", with {some} of its {visible} visible steps sensitive"),
    };
    format!("; round {number} found it{how}")
}

/// Tells that a property cannot be checked at all, and why.
pub fn refused(named: &NamedProperty, why: &str, texts: &Texts) -> PropertyReport {
    PropertyReport {
        name: named.name.clone(),
        parameters: Arc::default(),
        base: named.base.clone(),
        form: named.form,
        place: texts.place(named.span),
        is_of_runs: named.property.is_of_runs(),
        verdict: Verdict::Undecided,
        expected_violated: named.expected_violated,
        fairness: Arc::clone(&named.fairness),
        why: Some(why.to_owned()),
        limit: None,
        vacuous: Vec::new(),
        violation: None,
        states: 0,
        edges: 0,
        full: false,
        reduction: "none",
        round: None,
        symmetry: Permuted::No,
        within: Vec::new(),
        sharing: None,
        runs: None,
        depth: None,
        attempts: Vec::new(),
        differences: Vec::new(),
        search: "bfs",
        seconds: 0.0,
        found_before: false,
        trace: None,
        waits: Vec::new(),
        notes: Vec::new(),
    }
}

impl PropertyReport {
    /// Its name, with the values of the parameters that it is checked with: `access(2) [N=3]`.
    pub fn label(&self) -> Cow<'_, str> {
        if self.parameters.is_empty() {
            return Cow::Borrowed(&self.name);
        }
        let values = self.parameters.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Cow::Owned(format!("{} [{}]", self.name, values.join(", ")))
    }

    /// Why it stands as it does, for who tells by itself, beside it, who waits for what: a deadlock's own sentence
    /// says that of the first who wait.
    pub fn why_without_waits(&self) -> Option<&str> {
        let why = self.why.as_deref()?;
        Some(match why.split_once(": ") {
            Some((why, _)) if self.form == Form::Deadlock && !self.waits.is_empty() => why,
            _ => why,
        })
    }

    /// Adds the premises that never occur to the report on a property that holds.
    pub fn add_vacuous(&mut self, all: Vec<Vacuous>) {
        let told = self.why.iter().cloned();
        let told: Vec<String> = told
            .chain(all.iter().map(|one| one.sentence.clone()))
            .collect();
        self.why = (!told.is_empty()).then(|| told.join("; "));
        self.vacuous = all;
    }

    /// What runs are assumed to be: "`fair customer(0)`, `strongly fair lucky` and 3 more".
    pub fn assumed(&self) -> Option<String> {
        assumed(&self.fairness)
    }

    /// Itself, for who tells every step of its run: what cannot be told of a long run shows only
    /// then. Where a step panics the run is left out, and the sentence says so, as that of a short one
    /// does. To know it before a word is written costs telling the steps once more.
    pub fn in_full(&self) -> Cow<'_, PropertyReport> {
        let told = self.trace.as_ref().map(|trace| {
            let steps = || trace.every_step(0).for_each(drop);
            caught(steps)
        });
        let Some(Err(defect)) = told else {
            return Cow::Borrowed(self);
        };
        let why = self.why.as_deref();
        Cow::Owned(PropertyReport {
            why: why.map(|sentence| without_run(sentence, &defect)),
            trace: None,
            ..self.clone()
        })
    }

    /// Places that the report is about: of the property, of the waits at the end of its run, and of
    /// the last step if it fails.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let last = self.trace.as_ref().and_then(TraceReport::last_step);
        let fails = last.filter(|step| step.fails.is_some()).into_iter();
        let waits = self.waits.iter().map(|wait| &wait.place);
        let places = [&self.place].into_iter().chain(waits);
        places.chain(fails.flat_map(|step| &step.places))
    }

    /// Whether its verdict is the one that the text expects; `None` where it is undecided.
    pub fn is_as_expected(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Holds => Some(!self.expected_violated),
            Verdict::Violated => Some(self.expected_violated),
            Verdict::Undecided => None,
        }
    }

    /// How it stands, in words: "holds", "holds within small", "violated, as expected".
    pub fn standing(&self) -> String {
        if self.verdict == Verdict::Holds && !self.within.is_empty() {
            let expected = match self.expected_violated {
                true => ", though it is expected to be violated",
                false => "",
            };
            return format!("holds within {}{expected}", self.within.join(" and "));
        }
        let standing = match (self.verdict, self.expected_violated) {
            (Verdict::Holds, false) => "holds",
            (Verdict::Holds, true) => "holds, though it is expected to be violated",
            (Verdict::Violated, false) => "violated",
            (Verdict::Violated, true) => "violated, as expected",
            (Verdict::Undecided, _) => "undecided",
        };
        standing.to_owned()
    }

    /// Whether its verdict is not the one that the text expects.
    pub fn is_wrong(&self) -> bool {
        self.is_as_expected() == Some(false)
    }

    /// `invariant`, `tester: stable-failure`.
    pub fn kind_and_violation(&self) -> String {
        let kind = kind(self.form);
        match self.violation {
            Some(violation) => format!("{kind}: {violation}"),
            None => kind.to_owned(),
        }
    }
}

/// Whether the run ends where it should not.
fn ends(finding: &Finding) -> bool {
    matches!(
        finding,
        Finding::Deadlock | Finding::GoalAvoidedByEnd | Finding::Watched(Violation::Deadlock)
    )
}

/// The condition of a tester or an automaton that is broken, as it is named in the output.
fn violation(form: Form, verdict: &Found) -> Option<&'static str> {
    let Found::Violated {
        finding: Finding::Watched(violation),
        ..
    } = verdict
    else {
        return None;
    };
    match form {
        Form::Tester | Form::Refinement => Some(match violation {
            Violation::Reject => "trace",
            Violation::Deadlock => "stable-failure",
            Violation::Livelock => "divergence",
            Violation::Infinite => "infinite-trace",
        }),
        Form::Buchi | Form::Testing => Some(match violation {
            Violation::Reject => "reject",
            Violation::Deadlock => "deadlock",
            Violation::Livelock => "livelock",
            Violation::Infinite => "infinite",
        }),
        _ => None,
    }
}

/// The form of a property as it is named in the output.
pub fn kind(form: Form) -> &'static str {
    match form {
        Form::Errors => "errors",
        Form::Deadlock => "deadlock",
        Form::Termination => "termination",
        Form::Invariant => "invariant",
        Form::Progress => "progress",
        Form::Reachable => "reachable",
        Form::Ltl => "ltl",
        Form::Recurrence => "recurrence",
        Form::Tester => "tester",
        Form::Buchi => "buchi",
        Form::Testing => "testing",
        Form::Refinement => "refinement",
    }
}

impl Verdict {
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_engine::{Caller, Options, check};
    use stubborn_model::analyze;
    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};

    use stubborn_system::source_map::SourceMap;

    use super::*;

    #[test]
    fn a_violation_that_cannot_be_explained_is_told_all_the_same() {
        let text = "var x: 0..1\nprocess p { x = 1 }\ninvariant low: x == 0\n";
        let file = Arc::new(ParsedFile::new("m.stb", text.to_owned()));
        let analysis = analyze(
            &Program::assemble(file, &mut |_| None),
            &Settings::default(),
        );
        let model = analysis.model.expect("a model");
        let low = model.properties.iter().find(|one| one.name == "low");
        let named = low.expect("the invariant");
        let asked = [named.property.clone()];
        let outcomes = check(
            &model.system,
            &asked,
            &Options::default(),
            Caller::default(),
        );
        let outcome = &outcomes.expect("a small system")[0];
        let told = |map: &Arc<SourceMap>| {
            let texts = Texts::default();
            let about = About {
                map,
                ..About::new(&model, &texts)
            };
            property(named, outcome, Search::Breadth, about, &|| {})
        };

        let explained = told(&model.source_map);
        assert_eq!(
            explained.why.as_deref(),
            Some("`low` is false after 1 step: x = 1")
        );
        assert_eq!(explained.trace.expect("a trace").steps, 1);

        // Nothing has a name in this map, so that whoever looks one up panics.
        let unexplained = told(&Arc::default());
        assert_eq!(unexplained.verdict, Verdict::Violated);
        assert_eq!(unexplained.trace, None);
        let why = unexplained.why.expect("a sentence");
        assert!(
            why.contains(DEFECT) && why.contains("index out of bounds"),
            "{why}"
        );
    }
}
