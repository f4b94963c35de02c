//! What a user may set.

use std::time::Duration;

use serde_json::Value;

/// The settings of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a check on save or on open may take; `None` for as long as it takes.
    pub budget: Option<Duration>,
    /// Read files that are used also where they are neither in the workspace nor beside an open
    /// file. The settings of a workspace must not be able to say so: to what the client sends them
    /// as, its user alone has to have agreed.
    pub reads_outside_workspace: bool,
    /// Tell the client of every verdict with the notification `stubborn/verdicts`.
    pub tell_verdicts: bool,
    /// What is shown between the words of a text.
    pub hints: Hints,
}

/// What is shown between the words of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// The values of constants.
    pub values: bool,
    /// The ranges of types.
    pub ranges: bool,
    /// How many instances a process has.
    pub instances: bool,
}

impl Hints {
    pub const NONE: Hints = Hints {
        values: false,
        ranges: false,
        instances: false,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            budget: Some(Duration::from_secs(2)),
            reads_outside_workspace: false,
            tell_verdicts: false,
            hints: Hints {
                values: true,
                ranges: true,
                instances: true,
            },
        }
    }
}

impl Settings {
    /// Takes over what `given` has, which is the value of the section `stubborn` or an object with
    /// it: `{"check": {"budget": 2.0}, "files": {"outsideWorkspace": false}, "hints": {"values": true,
    /// "ranges": true, "instances": true}}`, the budget in seconds, `0` for none. What is not there
    /// or makes no sense stays as it was.
    pub fn update(&mut self, given: &Value) {
        let given = given.get("stubborn").unwrap_or(given);
        let budget = given.pointer("/check/budget").and_then(Value::as_f64);
        if let Some(seconds) = budget
            && let Ok(budget) = Duration::try_from_secs_f64(seconds)
        {
            self.budget = (!budget.is_zero()).then_some(budget);
        }
        let outside = given.pointer("/files/outsideWorkspace");
        if let Some(outside) = outside.and_then(Value::as_bool) {
            self.reads_outside_workspace = outside;
        }
        if let Some(tell) = given.get("tellVerdicts").and_then(Value::as_bool) {
            self.tell_verdicts = tell;
        }
        for (name, hint) in [
            ("/hints/values", &mut self.hints.values),
            ("/hints/ranges", &mut self.hints.ranges),
            ("/hints/instances", &mut self.hints.instances),
        ] {
            if let Some(shown) = given.pointer(name).and_then(Value::as_bool) {
                *hint = shown;
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
    fn each_kind_of_hint_can_be_left_out() {
        let mut settings = Settings::default();
        settings.update(&json!({"stubborn": {"hints": {"ranges": false}}}));
        assert!(settings.hints.values && settings.hints.instances);
        assert!(!settings.hints.ranges);
    }

    #[test]
    fn what_makes_no_sense_changes_nothing() {
        let mut settings = Settings::default();
        for given in [
            json!(null),
            json!({"check": {"budget": -1}}),
            json!({"check": 7}),
            json!({"hints": {"values": 1}}),
        ] {
            settings.update(&given);
        }
        assert_eq!(settings, Settings::default());
    }
}
