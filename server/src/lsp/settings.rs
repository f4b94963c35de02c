//! What a user may set.
//!
//! The section is `stubborn`, and a client sends it as it likes: with what starts the server, in a
//! notification, or when it is asked. What it sends and makes no sense is told, and changes nothing.

use std::time::Duration;

use serde_json::Value;
use stubborn_ide::features::hints::Hints;

/// The settings of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What has the properties of a file checked.
    pub when: When,
    /// How long a check on save or on open may take; `None` for as long as it takes.
    pub budget: Option<Duration>,
    /// How many bytes all searches may hold together; `None` for what the machine allows.
    pub memory: Option<u64>,
    /// How many searches run at once; `None` for what the machine allows.
    pub threads: Option<usize>,
    /// Look for a violation in a small round, too, where a full search took long.
    pub quick_rounds: bool,
    /// How every property stands is shown over it.
    pub shows_lenses: bool,
    /// Read files that are used also where they are neither in the workspace nor beside an open
    /// file. The settings of a workspace must not be able to say so: to what the client sends them
    /// as, its user alone has to have agreed.
    pub reads_outside_workspace: bool,
    /// Keep verdicts on the disk, for when the workspace is opened again.
    pub keeps_verdicts: bool,
    /// In bytes.
    pub most_kept: u64,
    /// Tell the client of every verdict with the notification `stubborn/verdicts`.
    pub tell_verdicts: bool,
    /// The client can step through runs with `stubborn dap`, and has the command `stubborn.debug` for it.
    pub has_debugger: bool,
    /// The client has the command `stubborn.showTrace`, which shows the run of a property in a panel.
    pub has_panel: bool,
    /// Tell the client how every property stands, with its place and in words, with the notification
    /// `stubborn/standing`, and how far the searches are with `stubborn/checking`.
    pub tell_standing: bool,
    /// What is shown between the words of a text.
    pub hints: Hints,
}

/// What has the properties of a file checked. A text that can be saved nowhere, or never was, is
/// checked as it is typed in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// That it is opened or saved.
    Saved,
    /// Each edit, too.
    Typed,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            when: When::Saved,
            budget: Some(Duration::from_secs(2)),
            memory: None,
            threads: None,
            quick_rounds: true,
            shows_lenses: true,
            reads_outside_workspace: false,
            keeps_verdicts: true,
            most_kept: 64 * MEGABYTE,
            tell_verdicts: false,
            has_debugger: false,
            has_panel: false,
            tell_standing: false,
            hints: Hints {
                values: true,
                ranges: true,
                instances: true,
                seen: true,
            },
        }
    }
}

/// More searches at once than this are of no use to anybody.
const MOST_THREADS: u64 = 256;
const MEGABYTE: u64 = 1 << 20;

impl Settings {
    /// Takes over what `given` has, which is the value of the section `stubborn` or an object with
    /// it: `{"check": {"when": "onSave", "budget": 2.0, "memory": 0, "threads": 0, "rounds": true}, "lenses":
    /// {"enabled": true}, "cache": {"enabled": true, "size": 64}, "files": {"outsideWorkspace":
    /// false}, "hints": {"values": true, "ranges": true, "instances": true, "seen": true}}`, the budget
    /// in seconds, memory and size in megabytes, `0` for no limit of the user's on a check. What is not
    /// there stays as it was; and so does what makes no sense, of each of which a sentence is returned.
    pub fn update(&mut self, given: &Value) -> Vec<String> {
        let given = given.get("stubborn").unwrap_or(given);
        let mut section = Section {
            given,
            problems: Vec::new(),
        };
        let whens = "\"onSave\" or \"onType\"";
        section.take("check.when", whens, &mut self.when, |value| {
            Some(match value.as_str()? {
                "onSave" => When::Saved,
                "onType" => When::Typed,
                _ => return None,
            })
        });
        let seconds = "a number of seconds, 0 for no limit";
        section.take("check.budget", seconds, &mut self.budget, |value| {
            let budget = Duration::try_from_secs_f64(value.as_f64()?).ok()?;
            Some((!budget.is_zero()).then_some(budget))
        });
        let megabytes = "a whole number of megabytes, 0 for what the machine allows";
        section.take("check.memory", megabytes, &mut self.memory, |value| {
            let bytes = value.as_u64()?.checked_mul(MEGABYTE)?;
            Some((bytes > 0).then_some(bytes))
        });
        let threads = "a whole number up to 256, 0 for what the machine allows";
        section.take("check.threads", threads, &mut self.threads, |value| {
            let count = value.as_u64().filter(|count| *count <= MOST_THREADS)?;
            Some((count > 0).then_some(count as usize))
        });
        let megabytes = "a whole number of megabytes, at least 1";
        section.take("cache.size", megabytes, &mut self.most_kept, |value| {
            let bytes = value.as_u64()?.checked_mul(MEGABYTE)?;
            (bytes > 0).then_some(bytes)
        });
        for (name, is_on) in [
            ("check.rounds", &mut self.quick_rounds),
            ("lenses.enabled", &mut self.shows_lenses),
            ("files.outsideWorkspace", &mut self.reads_outside_workspace),
            ("cache.enabled", &mut self.keeps_verdicts),
            ("panel", &mut self.has_panel),
            ("tellVerdicts", &mut self.tell_verdicts),
            ("debugger", &mut self.has_debugger),
            ("tellStanding", &mut self.tell_standing),
            ("hints.values", &mut self.hints.values),
            ("hints.ranges", &mut self.hints.ranges),
            ("hints.instances", &mut self.hints.instances),
            ("hints.seen", &mut self.hints.seen),
        ] {
            section.take(name, "true or false", is_on, Value::as_bool);
        }
        section.problems
    }
}

/// What is given for the section, and what is wrong with it.
struct Section<'v> {
    given: &'v Value,
    problems: Vec<String>,
}

impl Section<'_> {
    /// Takes over the setting of this name, if it is given and `read` makes something of it. Null is
    /// not given.
    fn take<T>(
        &mut self,
        name: &str,
        wanted: &str,
        to: &mut T,
        read: impl Fn(&Value) -> Option<T>,
    ) {
        let mut value = Some(self.given);
        for part in name.split('.') {
            value = value.and_then(|value| value.get(part));
        }
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return;
        };
        match read(value) {
            Some(value) => *to = value,
            None => {
                let mut given = value.to_string();
                if given.chars().count() > 40 {
                    given = given.chars().take(40).chain("…".chars()).collect();
                }
                self.problems.push(format!(
                    "The setting stubborn.{name} is {given} and should be {wanted}; it stays as it was."
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_budget_is_given_in_seconds_and_none_is_no_limit() {
        let mut settings = Settings::default();
        settings.update(&json!({"stubborn": {"check": {"budget": 0.5}}}));
        assert_eq!(settings.budget, Some(Duration::from_millis(500)));
        settings.update(&json!({"check": {"budget": 0}}));
        assert_eq!(settings.budget, None);
    }

    #[test]
    fn everything_can_be_set_at_once_and_what_is_not_named_stays() {
        let mut settings = Settings::default();
        let problems = settings.update(&json!({
            "check": {"when": "onType", "memory": 512, "threads": 3, "rounds": false},
            "lenses": {"enabled": false},
            "cache": {"enabled": false, "size": 8},
            "files": {"outsideWorkspace": true},
            "server": {"path": "for the client alone"},
        }));
        assert_eq!(problems, [""; 0]);
        let expected = Settings {
            when: When::Typed,
            memory: Some(512 << 20),
            threads: Some(3),
            quick_rounds: false,
            shows_lenses: false,
            keeps_verdicts: false,
            most_kept: 8 << 20,
            reads_outside_workspace: true,
            ..Settings::default()
        };
        assert_eq!(settings, expected);
        settings.update(&json!({"check": {"memory": 0, "threads": null}}));
        assert_eq!((settings.memory, settings.threads), (None, Some(3)));
    }

    #[test]
    fn each_kind_of_hint_can_be_left_out() {
        let mut settings = Settings::default();
        settings.update(&json!({"stubborn": {"hints": {"ranges": false}}}));
        assert!(settings.hints.values && settings.hints.instances);
        assert!(!settings.hints.ranges);
    }

    #[test]
    fn what_makes_no_sense_is_told_and_changes_nothing() {
        let mut settings = Settings::default();
        for (given, told) in [
            (json!(null), None),
            (json!({"check": 7}), None),
            (
                json!({"check": {"budget": -1}}),
                Some(
                    "The setting stubborn.check.budget is -1 and should be a number of seconds, 0 \
                     for no limit; it stays as it was.",
                ),
            ),
            (
                json!({"check": {"when": "never"}}),
                Some(
                    "The setting stubborn.check.when is \"never\" and should be \"onSave\" or \
                     \"onType\"; it stays as it was.",
                ),
            ),
            (
                json!({"check": {"threads": 1.5}}),
                Some(
                    "The setting stubborn.check.threads is 1.5 and should be a whole number up to \
                     256, 0 for what the machine allows; it stays as it was.",
                ),
            ),
            (
                json!({"cache": {"size": 0}}),
                Some(
                    "The setting stubborn.cache.size is 0 and should be a whole number of \
                     megabytes, at least 1; it stays as it was.",
                ),
            ),
            (
                json!({"hints": {"values": 1}}),
                Some(
                    "The setting stubborn.hints.values is 1 and should be true or false; it stays \
                     as it was.",
                ),
            ),
        ] {
            let problems = settings.update(&given);
            assert_eq!(problems.iter().map(String::as_str).next(), told);
            assert!(problems.len() <= 1);
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn there_are_as_many_threads_as_are_allowed() {
        let threads = |count: u64| {
            let mut settings = Settings::default();
            let problems = settings.update(&json!({"check": {"threads": count}}));
            (settings.threads, problems.len())
        };
        let found = [MOST_THREADS - 1, MOST_THREADS, MOST_THREADS + 1].map(threads);
        assert_eq!(found, [(Some(255), 0), (Some(256), 0), (None, 1)]);
    }

    #[test]
    fn what_is_very_wrong_is_not_told_at_length() {
        let long = "x".repeat(100_000);
        let problems = Settings::default().update(&json!({"check": {"when": long}}));
        assert!(problems[0].len() < 300, "{}", problems[0]);
    }
}
