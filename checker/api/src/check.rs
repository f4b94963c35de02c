//! Checks of properties: verdicts, with what else the searches tell.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use parking_lot::Mutex;
use stubborn_engine::coverage::Coverage;
use stubborn_engine::{
    Caller, CheckError, Event, Observer, Options as Settings, Outcome, Phase, Reduction, Trace,
    Verdict, differences,
};
use stubborn_model::NamedProperty;
use stubborn_report::once_more::left_open;
use stubborn_report::{
    AttemptReport, PropertyReport, Report, Verdict as Told, difference, qualify, vacuous,
};
use stubborn_system::property::{Form, Property};
use stubborn_system::system::System;

use crate::probes::check_with_probes;
use crate::vacuity::idle_premises;
use crate::{Model, Options};

/// Property that a [`Check`] decides.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Model that the property is about.
    pub model: &'a Model,
    /// The property, one of the model's.
    pub named: &'a NamedProperty,
    /// Whether a violation is expected. A text may expect it of the model that it uses.
    pub expected_violated: bool,
}

/// Check of properties, which may be of several models: of a model and of its testers.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use stubborn_checker::{Asked, Caller, Check, Event, Model, Options, Verdict};
///
/// let model = Model::parse("var x: 0..3\nprocess p { x = 3; stop }\ninvariant small: x < 3")?;
/// let small = model.named_properties().iter().find(|one| one.name == "small").unwrap();
/// let decided = AtomicUsize::new(0);
/// let observer = |event: Event<'_>| {
///     if let Event::Decided(..) = event {
///         decided.fetch_add(1, Ordering::Relaxed);
///     }
/// };
/// let options = Options::default();
/// let check = Check::new(&options, Caller::observing(&observer));
/// let checked = check.check(&[Asked::new(&model, small)])?;
/// assert_eq!(checked.properties[0].verdict, Verdict::Violated);
/// assert!(decided.into_inner() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Check<'a> {
    /// Options of the searches.
    pub options: &'a Options,
    /// Observer, budget and resources of the searches.
    pub caller: Caller<'a>,
    /// Observer of the reports.
    pub live: Option<&'a dyn Live>,
    /// Parameters whose values differ between this check and others of the same properties.
    pub parameters: Arc<[(String, String)]>,
    /// Whether the first property that is not as expected ends the check.
    pub stops_at_first: bool,
    /// Whether reports have the attempts of the plan.
    pub explains: bool,
    /// Whether reports have what keeps like instances from being permuted.
    pub explains_symmetry: bool,
    /// Whether the states and steps that were reached are returned.
    pub coverage: bool,
    /// Whether properties that hold are checked for premises that never happen.
    pub vacuity: bool,
    has_ended: AtomicBool,
}

/// Observer of a check that is told each verdict with its explanation as soon as it is known.
pub trait Live: Sync {
    /// Whether it is to be told now: asked after each verdict and some ten times a second.
    fn is_due(&self) -> bool;
    /// Called with each verdict, and again with a shorter trace.
    fn tell(&self, report: &PropertyReport);
}

/// Results of a [`Check`].
#[derive(Debug, Default)]
pub struct Checked {
    /// Reports on the properties, in their order.
    pub properties: Vec<PropertyReport>,
    /// Counterexamples and witnesses, in the order of the properties.
    pub traces: Vec<Option<Arc<Trace>>>,
    /// Coverage by the searches, if the check asks for it: for each system once.
    pub coverage: Vec<SystemCoverage>,
}

/// States and steps of a system that searches have reached.
#[derive(Debug)]
pub struct SystemCoverage {
    /// The system.
    pub system: Arc<System>,
    /// Table of what was seen of it.
    pub coverage: Coverage,
    /// Whether a limit ended the search that takes every step.
    pub given_up: bool,
}

impl<'a> Asked<'a> {
    /// A property of a model, expected as its text says.
    pub fn new(model: &'a Model, named: &'a NamedProperty) -> Asked<'a> {
        Asked {
            model,
            named,
            expected_violated: named.expected_violated,
        }
    }

    fn is_of(&self, system: &Arc<System>) -> bool {
        self.model.system() == Some(system)
    }

    /// Whether an outcome is not what is expected; `false` of one that decides nothing.
    fn is_wrong(&self, outcome: &Outcome) -> bool {
        let run_is_expected = (self.named.form == Form::Reachable) != self.expected_violated;
        match outcome.verdict {
            Verdict::Violated { .. } => !run_is_expected,
            Verdict::Holds => run_is_expected,
            Verdict::Undecided(_) => false,
        }
    }
}

impl Model {
    /// Checks every property.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options, Verdict};
    /// let model = Model::parse("var x: 0..3\nprocess p { x = 3; stop }\ninvariant small: x < 3")?;
    /// let report = model.check(&Options::default())?;
    /// assert_eq!(report.property("deadlock").unwrap().verdict, Verdict::Holds);
    /// assert_eq!(report.property("small").unwrap().verdict, Verdict::Violated);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn check(&self, options: &Options) -> Result<Report, CheckError> {
        let asked = self.named_properties().iter();
        let asked: Vec<Asked<'_>> = asked.map(|named| Asked::new(self, named)).collect();
        let checked = Check::new(options, Caller::default()).check(&asked)?;
        Ok(Report {
            files: vec![self.program().files[0].path.clone()],
            parameters: self.parameters(),
            problems: self.problems(),
            properties: checked.properties,
            coverage: None,
            seconds: Vec::new(),
            next: Vec::new(),
        })
    }
}

impl<'a> Check<'a> {
    /// A check that decides every property.
    pub fn new(options: &'a Options, caller: Caller<'a>) -> Check<'a> {
        Check {
            options,
            caller,
            live: None,
            parameters: Arc::default(),
            stops_at_first: false,
            explains: false,
            explains_symmetry: false,
            coverage: false,
            vacuity: true,
            has_ended: AtomicBool::new(false),
        }
    }

    /// Decides properties, those of equal systems in one search.
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn check(&self, asked: &[Asked<'_>]) -> Result<Checked, CheckError> {
        let mut checked = Checked::default();
        let mut reports: Vec<Option<PropertyReport>> = vec![None; asked.len()];
        let mut traces: Vec<Option<Arc<Trace>>> = vec![None; asked.len()];
        let mut systems: Vec<&Arc<System>> = Vec::new();
        for system in asked.iter().filter_map(|one| one.model.system()) {
            if !systems.contains(&system) {
                systems.push(system);
            }
        }
        let is_over = || self.is_over();
        let caller = self.caller.until(&is_over);
        for system in systems {
            let here: Vec<usize> = (0..asked.len())
                .filter(|at| asked[*at].is_of(system))
                .collect();
            let asked: Vec<Asked<'_>> = here.iter().map(|at| asked[*at]).collect();
            let observer = SystemCheck::new(self, caller, system, &asked);
            let outcomes = observer.outcomes()?;
            let given_up = self.coverage.then(|| observer.take_every_step());
            for (at, report) in here.iter().zip(observer.reports(&outcomes)) {
                reports[*at] = Some(report);
            }
            for (at, outcome) in here.into_iter().zip(outcomes) {
                if let Verdict::Violated { trace, .. } = outcome.verdict {
                    traces[at] = Some(trace);
                }
            }
            let coverage = observer.collected.into_inner().coverage;
            checked
                .coverage
                .extend(given_up.map(|given_up| SystemCoverage {
                    system: Arc::clone(system),
                    coverage,
                    given_up,
                }));
        }
        let reports = reports.into_iter().zip(traces);
        let reports = reports.filter_map(|(report, trace)| Some((report?, trace)));
        (checked.properties, checked.traces) = reports.unzip();
        if self.has_ended.load(Relaxed) && !self.caller.budget.is_cancelled() {
            let reports = checked.properties.iter_mut();
            for report in reports.filter(|one| one.verdict == Told::Undecided) {
                report.why = Some(
                    "`--stop-at-first` has ended the check before: another property is not as \
                     expected"
                        .to_owned(),
                );
            }
        }
        qualify(&mut checked.properties);
        Ok(checked)
    }

    fn report(&self, asked: &Asked<'_>, outcome: &Outcome) -> Option<PropertyReport> {
        let about = asked.model.about()?;
        let search = self.options.search;
        Some(PropertyReport {
            parameters: Arc::clone(&self.parameters),
            expected_violated: asked.expected_violated,
            ..stubborn_report::property(asked.named, outcome, search, about, &|| {})
        })
    }

    fn is_over(&self) -> bool {
        self.has_ended.load(Relaxed) || self.caller.budget.is_cancelled()
    }
}

/// Check of the properties of one system, which observes its searches.
struct SystemCheck<'a> {
    check: &'a Check<'a>,
    caller: Caller<'a>,
    settings: Settings,
    system: &'a System,
    asked: &'a [Asked<'a>],
    collected: Mutex<Collected>,
}

/// What the searches have told.
struct Collected {
    coverage: Coverage,
    /// Attempts, with the properties that they were for.
    attempts: Vec<(Vec<usize>, AttemptReport)>,
    /// Properties that are decided.
    known: HashSet<usize>,
    /// Verdicts that no [`Live`] was told of yet.
    waiting: Vec<(usize, Outcome)>,
}

impl<'a> SystemCheck<'a> {
    fn new(
        check: &'a Check<'a>,
        caller: Caller<'a>,
        system: &'a System,
        asked: &'a [Asked<'a>],
    ) -> SystemCheck<'a> {
        SystemCheck {
            check,
            caller,
            settings: Settings {
                tells_seen: check.coverage,
                ..check.options.for_engine()
            },
            system,
            asked,
            collected: Mutex::new(Collected {
                coverage: Coverage::default(),
                attempts: Vec::new(),
                known: HashSet::new(),
                waiting: Vec::new(),
            }),
        }
    }

    /// Decides the properties.
    fn outcomes(&self) -> Result<Vec<Outcome>, CheckError> {
        let properties = self.asked.iter().map(|one| one.named.property.clone());
        let properties: Vec<Property> = properties.collect();
        let (options, caller) = (&self.settings, self.caller.observed_by(self));
        match self.check.live {
            Some(_) => {
                let is_decided = |at: usize| self.collected.lock().known.contains(&at);
                check_with_probes(self.system, &properties, options, caller, &is_decided)
            }
            None => stubborn_engine::check(self.system, &properties, options, caller),
        }
    }

    /// Takes every step once more where that may show what the check has left open. Whether a
    /// limit has ended that.
    fn take_every_step(&self) -> bool {
        let options = &self.settings;
        if options.reduction == Reduction::None || self.caller.budget.is_cancelled() {
            return false;
        }
        let open = left_open(self.system, &self.collected.lock().coverage);
        let Some((every_step, asked)) = open else {
            return false;
        };
        let _phase = Phase::Coverage.begin(self.caller.observer);
        // Its verdicts are of no interest.
        let observer = |event: Event<'_>| match event {
            Event::Progress(_) => self.caller.observer.event(event),
            Event::Saw(..) => self.collect(event),
            _ => {}
        };
        let caller = self.caller.quiet().observed_by(&observer);
        let options = every_step.options(options);
        let outcomes = stubborn_engine::check(self.system, &asked, &options, caller);
        // A system that is too large was refused before.
        let mut outcomes = outcomes.into_iter().flatten();
        outcomes.any(|outcome| matches!(outcome.verdict, Verdict::Undecided(_)))
    }

    /// Reports on the properties, with the plan and the premises that never happen.
    fn reports(&self, outcomes: &[Outcome]) -> Vec<PropertyReport> {
        let named = self.asked.iter().map(|one| one.named).zip(outcomes);
        let named: Vec<_> = named.collect();
        let check = self.check;
        let _phase = Phase::Reports.begin(self.caller.observer);
        let idle = match check.vacuity {
            true => idle_premises(self.system, &named, &self.settings, self.caller),
            false => vec![Vec::new(); named.len()],
        };
        let each = self.asked.iter().zip(outcomes).zip(idle).enumerate();
        let reports = each.filter_map(|(at, ((asked, outcome), idle))| {
            let mut report = check.report(asked, outcome)?;
            let model = asked.model;
            let idle = idle.into_iter().map(|premise| {
                let text = &model.program().file(premise.span.file).text;
                vacuous(premise, text, model.texts())
            });
            report.add_vacuous(idle.collect());
            if check.explains {
                let collected = self.collected.lock();
                let its = collected.attempts.iter().filter(|(of, _)| of.contains(&at));
                report.attempts = its.map(|(_, attempt)| attempt.clone()).collect();
            }
            if check.explains_symmetry {
                report.differences = self.differences(asked);
            }
            Some(report)
        });
        reports.collect()
    }

    /// Like instances that no permutation swaps which preserves a property.
    fn differences(&self, asked: &Asked<'_>) -> Vec<String> {
        let Some(about) = asked.model.about() else {
            return Vec::new();
        };
        let goes_on = &mut || !self.caller.budget.is_cancelled();
        let property = &asked.named.property;
        let found = differences(self.system, property, &self.settings, goes_on);
        let found = found.iter();
        found
            .map(|one| difference(one, asked.named, about))
            .collect()
    }

    fn tell_waiting(&self) {
        let Some(live) = self.check.live.filter(|live| live.is_due()) else {
            return;
        };
        let waiting = std::mem::take(&mut self.collected.lock().waiting);
        for (property, outcome) in waiting {
            if let Some(report) = self.check.report(&self.asked[property], &outcome) {
                live.tell(&report);
            }
        }
    }

    fn collect(&self, event: Event<'_>) {
        let mut collected = self.collected.lock();
        match event {
            Event::Decided(property, outcome) => {
                let is_decided = !matches!(outcome.verdict, Verdict::Undecided(_));
                if self.check.live.is_some() && is_decided && collected.known.insert(property) {
                    collected.waiting.push((property, outcome.clone()));
                }
            }
            Event::Saw(_, coverage) => collected.coverage.merge(coverage),
            Event::Attempted(properties, finished) => {
                let attempt = AttemptReport::new(finished);
                collected.attempts.push((properties.to_vec(), attempt));
            }
            Event::Progress(_) | Event::Searched(_) | Event::Begins(_) | Event::Ends(_) => {}
        }
    }
}

impl Observer for SystemCheck<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Decided(property, outcome) = event
            && self.check.stops_at_first
            && self.asked[property].is_wrong(outcome)
        {
            self.check.has_ended.store(true, Relaxed);
        }
        self.caller.observer.event(event);
        self.collect(event);
        if let Event::Progress(_) | Event::Decided(..) = event {
            self.tell_waiting();
        }
    }
}
