//! An expression of the language, evaluated along a run.

use std::sync::Arc;

use stubborn_engine::Trace;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::Program;
use stubborn_model::{Around, Model};
use stubborn_report::stepping::{Asking, Stepped};
use stubborn_report::{Texts, cut};
use stubborn_syntax::Interrupted;

/// What an expression is from some state of a run on, until the next that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFrom {
    /// After so many steps.
    pub state: usize,
    /// As it is written; or why there is none.
    pub value: Result<String, String>,
}

/// More characters of a value are of no use to a person.
const MOST_CHARACTERS: usize = 200;

/// The values of `expression` in the states of a run from `first` on, of as many as `most` steps: the first, and each
/// that differs from the one before. With an instance its own names may stand alone. Where the run is a cycle, the state
/// after its last step is the one in which it began, as far as the model goes.
///
/// Costs time for laying out the model's processes, and for each state that of the expression.
///
/// # Errors
/// What is wrong with the expression, as a sentence; or reading was ended.
pub fn along(
    program: &Program,
    settings: &Settings,
    model: &Model,
    run: &Trace,
    asked: (&str, Option<&str>),
    (first, most): (usize, usize),
    is_to_end: &dyn Fn() -> bool,
) -> Result<Result<Vec<ValueFrom>, String>, Interrupted> {
    let (text, instance) = asked;
    let around = match instance {
        None => Around::File,
        Some(name) => {
            let mut all = model.source_map.instances.iter();
            match all.position(|one| one.name == name) {
                Some(at) => Around::Instance(at as u32),
                None => return Ok(Err(format!("there is no process `{name}`"))),
            }
        }
    };
    let stepped = Stepped::new(
        program.clone(),
        settings.clone(),
        Texts::default(),
        model.clone(),
    );
    let mut asking = Asking::new(Arc::new(stepped));
    let wanted = match asking.find(around, text) {
        Ok(wanted) => wanted,
        Err(why) => return Ok(Err(why)),
    };
    let mut walk = run.walk();
    let mut values: Vec<ValueFrom> = Vec::new();
    // What is told last, of which nothing is written again where it stays.
    let mut last = None;
    for state in 0..=run.len().min(first.saturating_add(most)) {
        if state > 0 && walk.advance().is_none() {
            break;
        }
        if is_to_end() {
            return Err(Interrupted);
        }
        if state < first {
            continue;
        }
        let found = asking.look(&wanted, walk.state());
        if last.as_ref() == Some(&found) {
            continue;
        }
        let value = found.clone();
        let value = value.map(|found| cut(&asking.answer(&wanted, found).text, MOST_CHARACTERS));
        last = Some(found);
        if values.last().is_none_or(|last| last.value != value) {
            values.push(ValueFrom { state, value });
        }
    }
    Ok(Ok(values))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::checked;
    use super::super::trace::Asked;
    use super::*;
    use crate::database::whole;
    use crate::features::state::Pending;

    const TEXT: &str = "enum Colour { red, green }\n\
        var x: 0..9\nvar lamp: record { colour: Colour, lit: bool }\nvar a: array[0..1] of 0..3\n\
        process p(i in 0..1) { var j: 0..3 j = 2 x = x + 3 lamp.colour = green a[i] = i + 1 }\n\
        invariant low: x < 6\n";

    fn told(expression: &str, instance: Option<&str>, from: usize) -> Result<String, String> {
        let (db, root) = checked(TEXT);
        let asked = Asked { root, with: None };
        let found = asked.find(&db, "low", &Pending::new(), None)?;
        let (analysis, run) = asked.run(&db, found.at()).expect("a run");
        let model = analysis.model.as_ref().expect("a model");
        let program = &whole(&db, root).expect("a text").program;
        let settings = Settings::default();
        let asked = (expression, instance);
        let values = along(
            program,
            &settings,
            model,
            &run,
            asked,
            (from, 1000),
            &|| false,
        );
        let values = values.expect("nothing ends it")?;
        let told = values.iter().map(|one| match &one.value {
            Ok(value) => format!("{}: {value}", one.state),
            Err(why) => format!("{}: !{why}", one.state),
        });
        Ok(told.collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn the_value_is_told_where_it_changes() {
        let x = told("x", None, 0).expect("values");
        assert!(
            x.starts_with("0: 0; ") && x.contains(": 3; ") && x.ends_with(": 6"),
            "{x}"
        );
        assert_eq!(told("x < 9", None, 0).as_deref(), Ok("0: true"));
        let fails = told("10 / (x - 3)", None, 0).expect("values");
        assert!(
            fails.contains("!it has no value here: a division by zero"),
            "{fails}"
        );
        assert_eq!(told("a", None, 0).as_deref(), Ok("0: [0, 0]"));
        assert_eq!(
            told("lamp", None, 0).as_deref(),
            Ok("0: {colour: red, lit: false}")
        );
        // From a later state on, the first is told all the same.
        assert!(told("x", None, 2).expect("values").starts_with("2: "));
    }

    #[test]
    fn a_process_has_its_own_names() {
        assert_eq!(told("i + 1", Some("p(1)"), 0).as_deref(), Ok("0: 2"));
        assert!(told("j", Some("p(0)"), 0).is_ok_and(|told| told.starts_with("0: 0")));
        assert!(told("j", None, 0).is_err());
        assert_eq!(
            told("j", Some("p(7)"), 0),
            Err("there is no process `p(7)`".to_owned())
        );
    }

    #[test]
    fn what_is_no_expression_is_told() {
        for text in [
            "",
            "x +",
            "y",
            "x == 0\ninvariant other: true",
            "always x == 0",
        ] {
            assert!(told(text, None, 0).is_err(), "{text}");
        }
    }
}
