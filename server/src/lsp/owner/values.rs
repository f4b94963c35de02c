//! Other values of parameters, checked because a person wants to see what they give.

mod smallest;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use salsa::Database as _;
use stubborn_ide::jobs::{Purpose, Wanted};
use stubborn_ide::tried::Setting;

use super::state::Owner;
use super::wanted::{Of, Other, Values};
use crate::lsp::outbound::Message;
use crate::lsp::owner::Event;
use crate::lsp::progress::file_name;
use crate::lsp::workers::{Ended, caught};

/// Clients are told to look again no more often, while values are gone through.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

impl Owner {
    pub(super) fn take_values(&mut self, values: Values) {
        match values {
            Values::Check {
                settings,
                is_limited,
            } => {
                let budget = self.settings.budget.filter(|_| is_limited);
                for setting in settings {
                    self.try_value(setting, budget);
                }
            }
            Values::Smallest {
                root,
                parameter,
                of,
            } => {
                self.look_for_smallest(root, parameter, &of);
            }
            Values::Stop { root, parameter } => {
                let looking = self.values.looking.remove(&(root, parameter));
                self.refresh_lenses(looking.is_some(), false);
            }
        }
    }

    fn try_value(&mut self, setting: Setting, budget: Option<Duration>) {
        Arc::make_mut(&mut self.values.tried).ask(&setting);
        self.values.due.insert(setting, budget);
        self.changes.any = true;
    }

    /// Settles of which System each value was asked for.
    pub(super) fn settle_values(&mut self) {
        if self.values.tried.is_empty() {
            return;
        }
        let roots = &self.roots;
        let system_of = |path: &str| {
            let root = roots.iter().find(|root| *root.path == *path)?;
            Some(root.system.as_ref().map(|(system, _)| *system))
        };
        Arc::make_mut(&mut self.values.tried).settle(system_of);
        let tried = &self.values.tried;
        self.values.due.retain(|setting, _| tried.has(setting));
    }

    /// Has a reader work out what other values mean, where something waits for it and it is not known of
    /// the texts as they are. It may take longer than all else, so it comes once all else is told.
    pub(super) fn work_out_values(&mut self) {
        if !self.needs_values() {
            self.values.others.clear();
            self.values.worked_out = None;
            return;
        }
        let of = self.of_values();
        if self.values.working_out.is_some() || self.values.worked_out == Some(of) {
            return;
        }
        let view = self.view();
        self.values.working_out = Some((of, view.database.cancellation_token()));
        let events = self.events.clone();
        self.workers.give(Box::new(move || {
            let ended = caught(|| view.others());
            drop(view);
            events.send(Event::WorkedOut(ended));
        }));
    }

    /// Whether a search with another value is due, or under way: what was found stays in sight without.
    fn needs_values(&self) -> bool {
        let values = &self.values;
        let mut keys = values
            .others
            .iter()
            .flat_map(|other| &other.with.properties);
        !values.due.is_empty()
            || !values.looking.is_empty()
            || keys.any(|property| self.jobs.is_pending(property.key))
    }

    fn of_values(&self) -> Of {
        Of {
            texts: self.texts,
            asked: self.values.tried.count(),
        }
    }

    pub(super) fn take_worked_out(&mut self, ended: Ended<Vec<Other>>) {
        let Some((of, _)) = self.values.working_out.take() else {
            return;
        };
        match ended {
            Ended::Done(others) if of.texts == self.texts => self.accept_values(others, of),
            // Whoever waits for it is told that it comes to nothing.
            Ended::Failed if of.texts == self.texts => self.accept_values(Vec::new(), of),
            // It is about what was; it is worked out again if somebody still waits for it.
            Ended::Done(_) | Ended::Failed | Ended::Cancelled => {}
        }
    }

    fn accept_values(&mut self, others: Vec<Other>, of: Of) {
        self.values.others = others;
        self.values.worked_out = Some(of);
        // Until now the searches went on that were wanted of the texts before.
        self.give_up_stale();
        let has_begun = self.start_due_values();
        if of.asked == self.values.tried.count() {
            // The rest is of another text than this one by now, and is said to be.
            self.values.due.clear();
        }
        let is_over = self.look_further();
        self.refresh_lenses(is_over, has_begun);
    }

    /// Has what is due of other values checked. Whether anything was due.
    fn start_due_values(&mut self) -> bool {
        // What was asked for after these were worked out is due with the next ones.
        let others = &self.values.others;
        let is_here = |setting: &Setting| others.iter().any(|other| other.setting == *setting);
        let all = std::mem::take(&mut self.values.due).into_iter();
        let (due, later): (BTreeMap<_, _>, _) = all.partition(|(setting, _)| is_here(setting));
        self.values.due = later;
        let mut wanted = Vec::new();
        for other in &self.values.others {
            let Setting {
                root,
                parameter,
                value,
            } = &other.setting;
            if let Some(budget) = due.get(&other.setting)
                && let Some((fingerprint, system)) = &other.with.system
            {
                let one = Wanted {
                    name: format!("{} with {parameter} = {value}", file_name(root)).into(),
                    fingerprint: *fingerprint,
                    system: Arc::clone(system),
                    properties: other.with.properties.clone(),
                    likely: Default::default(),
                    slow: Default::default(),
                    purpose: Purpose::Verdicts,
                };
                wanted.push((one, *budget, Arc::clone(root)));
            }
        }
        let begun = self.search(wanted);
        self.values.jobs.extend(begun);
        !due.is_empty()
    }

    /// Has the client look again at the lines over properties and parameters: where what they say has
    /// changed, and while values are gone through not each time that it may have.
    pub(super) fn refresh_lenses(&mut self, has_changed: bool, may_have_changed: bool) {
        let has_just_said = |at: Instant| at.elapsed() < BETWEEN_LOOKS;
        let is_soon =
            !self.values.looking.is_empty() && self.values.refreshed.is_some_and(has_just_said);
        let of_values = may_have_changed && !self.values.tried.is_empty() && !is_soon;
        if self.client.refreshes_lenses && (has_changed || of_values) {
            self.values.refreshed = Some(Instant::now());
            self.outbound.say(Message::RefreshLenses);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::desk::{Desk, ROOT};
    use super::*;

    /// It has one state; with the value 0 it has soon failed, and with 2 it has too many states to be
    /// searched in a day.
    const MODEL: &str = "param N: 0..3 = 1\nvar a, b, c, d: 0..999999\nprocess p { loop { either { a = a + N - 1 }\n\
                         or { b = b + N - 1 } or { c = c + N - 1 } or { d = d + N - 1 } } }\ninvariant low: a < 1000000\n\
                         termination not required\n";

    /// The model is open and checked.
    fn checked() -> Desk {
        let mut desk = Desk::with(MODEL);
        desk.until(is_idle);
        desk
    }

    fn is_idle(desk: &mut Desk) -> bool {
        desk.is_idle() && desk.owner.values.working_out.is_none()
    }

    fn check(desk: &mut Desk, value: i64) {
        desk.owner.take(Event::Values(Values::Check {
            settings: vec![Setting {
                root: ROOT.into(),
                parameter: "N".into(),
                value,
            }],
            is_limited: true,
        }));
    }

    #[test]
    fn what_is_to_be_told_does_not_wait_for_what_other_values_mean() {
        let mut desk = checked();
        check(&mut desk, 3);
        desk.open("/nowhere/other.stb", "var x: = 3\n");
        let is_told = |desk: &mut Desk| !desk.told_of("/nowhere/other.stb").is_empty();
        desk.until(is_told);
        assert!(desk.owner.values.worked_out.is_none());
        desk.until(|desk| !desk.owner.values.jobs.is_empty());
        assert_eq!(desk.owner.values.others[0].setting.value, 3);
        desk.owner.jobs.stop_all();
    }

    #[test]
    fn what_was_found_of_other_values_is_not_worked_out_again_as_the_text_is_edited() {
        let mut desk = checked();
        check(&mut desk, 0);
        desk.until(is_idle);
        assert_eq!(desk.owner.statistics().searches, 2);
        desk.change(format!("{MODEL}// a comment\n"));
        desk.until(is_idle);
        assert!(desk.owner.values.others.is_empty());
        assert!(!desk.owner.values.tried.is_empty());
    }

    #[test]
    fn an_edit_that_changes_nothing_lets_the_searches_with_other_values_go_on() {
        let mut desk = checked();
        check(&mut desk, 2);
        desk.until(|desk| !desk.owner.values.jobs.is_empty());
        let before = desk.owner.values.worked_out;
        desk.change(format!("{MODEL}// a comment\n"));
        let is_again = |desk: &mut Desk| {
            desk.owner.values.worked_out != before && desk.owner.values.working_out.is_none()
        };
        desk.until(is_again);
        assert_eq!(desk.owner.statistics().cancelled, 0);
        assert!(!desk.owner.jobs.standing().is_empty());
        // Another System is another search.
        desk.change(MODEL.replace("0..999999", "0..999998"));
        desk.until(|desk| desk.owner.statistics().cancelled == 1);
        assert!(desk.owner.values.others.is_empty());
        desk.owner.jobs.stop_all();
    }

    #[test]
    fn once_a_value_was_tried_clients_still_look_again_once_for_what_has_happened() {
        let mut desk = checked();
        check(&mut desk, 0);
        desk.until(is_idle);
        desk.told();
        desk.change(MODEL.replace("N: 0..3 = 1", "N: 0..3 = 2"));
        let mut looks = 0;
        while looks < 5 {
            desk.owner.settle();
            desk.take_next();
            let told = desk.told().into_iter();
            let of_event = told.filter(|message| matches!(message, Message::RefreshLenses));
            let of_event = of_event.count();
            assert!(of_event <= 1, "{of_event}");
            looks += of_event;
        }
        desk.owner.jobs.stop_all();
    }

    #[test]
    fn the_end_of_the_search_for_the_smallest_value_is_told_over_the_parameter_too() {
        let mut desk = checked();
        desk.owner.take(Event::Values(Values::Smallest {
            root: ROOT.into(),
            parameter: "N".into(),
            of: 2..=3,
        }));
        desk.until(|desk| !desk.owner.values.jobs.is_empty());
        assert_eq!(desk.owner.values.looked().len(), 1);
        desk.told();
        desk.change(MODEL.replace("0..999999", "0..999998"));
        desk.until(|desk| desk.owner.values.looked().is_empty());
        let told = desk.told();
        let mut later = told
            .iter()
            .skip_while(|message| !matches!(message, Message::Tell(_)));
        assert!(
            matches!(later.next(), Some(Message::Tell(told)) if told.contains("has ended at 2"))
        );
        assert!(later.any(|message| matches!(message, Message::RefreshLenses)));
        desk.owner.jobs.stop_all();
    }
}
