//! A process that shares nothing with a model, and takes two steps, changes no verdict; and what
//! does not depend on it is searched without it.

use serde_json::Value as Json;

use super::space::Expected;
use stubborn_random::model::{Model, PropertyKind};

/// Stands after a model, whose names are others and whose positions stay.
const STRANGERS: &str = "\
\nvar strange: 0..2\nprocess stranger { strange = 1; strange = (strange + 1) % 3 }\n";

/// The text with a stranger in it.
pub fn with_strangers(text: &str) -> String {
    format!("{text}{STRANGERS}")
}

/// Whether a property does not depend on processes that it shares nothing with.
pub fn has_cone(model: &Model, expected: &Expected) -> bool {
    let stem = expected.name.split('(').next().unwrap_or("");
    let mut properties = model.properties.iter();
    expected.kind == "recurrence"
        || properties.any(|p| p.name == stem && p.kind != PropertyKind::Must)
}

/// What is said of the model with strangers is what is expected of the one without.
pub fn agree(model: &Model, expected: &[Expected], found: &Json) -> Result<(), String> {
    for expected in expected {
        let property = property(found, &expected.name)?;
        let verdict = match expected.is_violated() {
            true => "violated",
            false => "holds",
        };
        if property["verdict"] != verdict {
            return Err(format!("strangers: should be: {verdict}\n{property:#}"));
        }
        let steps = property["trace"]["steps"].as_array();
        let cycle = property["trace"]["cycle"].as_array();
        let by_stranger = |step: &Json| {
            let by = step["by"].as_array();
            by.is_some_and(|by| by.iter().any(|who| who == "stranger"))
        };
        let mut all = steps.into_iter().chain(cycle).flatten();
        if has_cone(model, expected) && all.any(by_stranger) {
            return Err(format!("strangers: one takes part\n{property:#}"));
        }
    }
    Ok(())
}

/// A property that holds is searched in the same states with strangers and without.
pub fn are_left_out(name: &str, without: &Json, with: &Json) -> Result<(), String> {
    let (without, with) = (property(without, name)?, property(with, name)?);
    match ["states", "edges"]
        .iter()
        .all(|key| without[key] == with[key])
    {
        true => Ok(()),
        false => Err(format!(
            "strangers: searched with them: {with:#}\nand without: {without:#}"
        )),
    }
}

fn property<'a>(found: &'a Json, name: &str) -> Result<&'a Json, String> {
    let mut listed = found["properties"].as_array().into_iter().flatten();
    let property = listed.find(|property| property["name"] == name);
    property.ok_or_else(|| format!("strangers: {name} is not listed\n{found:#}"))
}
