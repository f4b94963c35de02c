//! Lines over a parameter: its other values can be checked without an edit, and what each gave stays in
//! sight.

use std::ops::Range;
use std::sync::Arc;

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_report::grouped;
use stubborn_report::list;

use super::lens::{Lens, Offer};
use super::state::Pending;
use crate::database::{Db, SourceFile, analyzed, fingerprint, whole, with_value};
use crate::jobs::Standing;
use crate::tried::{Looked, Setting, Tried};

/// So many values are offered at once.
const MOST_OFFERED: usize = 3;

/// A parameter that a root declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: Arc<str>,
    /// Where its name stands, in bytes.
    pub bytes: Range<usize>,
    /// The values that it may have.
    pub from: i64,
    pub to: i64,
    /// The one that it has.
    pub value: i64,
}

/// The parameters that a root declares itself, in the order of its text.
pub fn parameters(db: &dyn Db, root: SourceFile) -> Vec<Parameter> {
    let (Some(whole), Some(analysis)) = (whole(db, root), analyzed(db, root)) else {
        return Vec::new();
    };
    let own = root.path(db);
    let parameter = |symbol: &Symbol| {
        // A range is told by the values of its ends.
        let (from, to) = symbol.ty.split_once("..")?;
        Some(Parameter {
            name: Arc::clone(&symbol.name),
            bytes: symbol.span.start as usize..symbol.span.end as usize,
            from: from.parse().ok()?,
            to: to.parse().ok()?,
            value: symbol.value.as_ref()?.parse().ok()?,
        })
    };
    let declared = analysis.symbols.iter();
    let declared = declared.filter(|symbol| {
        symbol.kind == SymbolKind::Param && *whole.program.file(symbol.span.file).path == **own
    });
    declared.filter_map(parameter).collect()
}

/// The lines over the parameters of a root: a value that was tried has one, and what is offered.
pub fn lenses(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
    tried: &Tried,
    looked: &Looked,
) -> Vec<Lens> {
    let analysis = analyzed(db, root);
    let model = analysis.as_ref().and_then(|one| one.model.as_ref());
    // Nothing could be checked with another value.
    if model.is_some_and(|model| model.properties.is_empty()) {
        return Vec::new();
    }
    let now = fingerprint(db, root);
    let mut lenses = Vec::new();
    for parameter in parameters(db, root) {
        let of_parameter = |setting: &Setting| setting.parameter == parameter.name;
        let all = tried.of_root(root.path(db));
        let all = all.filter(|(setting, _)| of_parameter(setting));
        let mut known = Vec::new();
        for (setting, of) in all {
            known.push(setting.value);
            let is_current = of.is_none() || of == now;
            let standing = match is_current {
                true => standing(db, root, setting, pending),
                false => Of::Unknown("○ not checked as it is now".to_owned()),
            };
            lenses.push(lens(&parameter, setting, standing));
        }
        let of = (Arc::clone(root.path(db)), Arc::clone(&parameter.name));
        if let Some(at) = looked.get(&of) {
            lenses.push(Lens {
                bytes: parameter.bytes.clone(),
                title: format!(
                    "… looking for the smallest {} that violates a property, at {at} · stop",
                    parameter.name
                ),
                offers: Some(Offer::Stop(Arc::clone(&parameter.name))),
            });
            continue;
        }
        lenses.extend(offered(&parameter, &known));
    }
    lenses
}

/// What a value has given.
enum Of {
    /// The property that is violated, whose run can be shown.
    Violated(String, String),
    /// Whoever wants it can have it checked without limits.
    Undecided(String),
    /// Whoever wants it can have it checked.
    Unknown(String),
    Told(String),
}

fn lens(parameter: &Parameter, setting: &Setting, standing: Of) -> Lens {
    let setting = || setting.clone();
    let (told, offers) = match standing {
        Of::Violated(told, property) => (
            format!("{told} · show the run"),
            Some(Offer::RunWith(property, setting())),
        ),
        Of::Undecided(told) => (
            format!("{told} · check without limits"),
            Some(Offer::CheckWith(setting())),
        ),
        Of::Unknown(told) => (
            format!("{told} · check"),
            Some(Offer::Values(
                Arc::clone(&parameter.name),
                vec![setting().value],
            )),
        ),
        Of::Told(told) => (told, None),
    };
    Lens {
        bytes: parameter.bytes.clone(),
        title: format!("{} = {}: {told}", parameter.name, setting().value),
        offers,
    }
}

fn standing(db: &dyn Db, root: SourceFile, setting: &Setting, pending: &Pending) -> Of {
    let parameter = &setting.parameter;
    let Some(with) = with_value(db, root, Arc::clone(parameter), setting.value) else {
        return Of::Told("○ there is no text".to_owned());
    };
    let partly = match (&with.error, &with.system) {
        (Some(error), None) => return Of::Told(format!("the text has no meaning: {error}")),
        (Some(error), Some(_)) => format!(", but not all of it has a meaning: {error}"),
        (None, _) => String::new(),
    };
    let stand = with.stand(db.verdict_input().table(db));
    if let [first, ..] = &stand.violated[..] {
        let names = list(&stand.violated);
        return Of::Violated(format!("✗ {names} violated"), (*first).to_owned());
    }
    let waits = with.properties.iter();
    let mut waits = waits.filter_map(|property| pending.get(&property.key));
    match waits.next() {
        Some(Standing::Running(0)) => return Of::Told("… is being checked".to_owned()),
        Some(Standing::Running(states)) => {
            let told = format!("… is being checked, {} states", grouped(*states));
            return Of::Told(told);
        }
        Some(Standing::Waiting(first) | Standing::Held(_, first)) => {
            return Of::Told(format!("… waits for {first}"));
        }
        None => {}
    }
    if !stand.undecided.is_empty() {
        return Of::Undecided(format!("? {} undecided", list(&stand.undecided)));
    }
    match (stand.unknown, with.names.len()) {
        (open, all) if open == all => Of::Unknown("○ not checked".to_owned()),
        (0, 1) => Of::Told(format!("✓ it holds{partly}")),
        (0, all) => Of::Told(format!("✓ all {all} hold{partly}")),
        (open, all) => Of::Unknown(format!("○ {open} of {all} properties not checked")),
    }
}

/// The next values above the one that the parameter has, else those below it; and the smallest that
/// violates a property.
fn offered(parameter: &Parameter, known: &[i64]) -> Vec<Lens> {
    let Parameter {
        name,
        bytes,
        from,
        to,
        value,
    } = parameter;
    let is_new = |other: &i64| *other != *value && !known.contains(other);
    let above: Vec<i64> = (*value..=*to).filter(is_new).take(MOST_OFFERED).collect();
    let values = match above.is_empty() {
        false => above,
        true => {
            let below = (*from..=*value).rev().filter(is_new);
            below.take(MOST_OFFERED).collect()
        }
    };
    let mut lenses = Vec::new();
    if !values.is_empty() {
        let told: Vec<String> = values.iter().map(i64::to_string).collect();
        lenses.push(Lens {
            bytes: bytes.clone(),
            title: format!("check with {name} = {}", told.join(", ")),
            offers: Some(Offer::Values(Arc::clone(name), values)),
        });
    }
    if from < to {
        lenses.push(Lens {
            bytes: bytes.clone(),
            title: format!("find the smallest {name} that violates a property"),
            offers: Some(Offer::Smallest(Arc::clone(name))),
        });
    }
    lenses
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, file};
    use super::*;
    use crate::database::Database;
    use crate::jobs::{Answer, Known, Verdicts};

    const MODEL: &str = "param N: 1..6 = 2\nvar x: 0..9\nprocess p { x = N }\n\
                         invariant low: x < 4\ninvariant there: x >= 0\n";

    fn setting(value: i64) -> Setting {
        Setting {
            root: "/model.stb".into(),
            parameter: "N".into(),
            value,
        }
    }

    fn shown((db, file): &(Database, SourceFile), tried: &Tried, expected: Expect) {
        let all = lenses(db, *file, &Pending::new(), tried, &Looked::new());
        let all = all.iter().map(|lens| {
            let offers = match &lens.offers {
                None => String::new(),
                Some(offer) => format!(" -> {offer:?}"),
            };
            format!("{}{offers}\n", lens.title)
        });
        expected.assert_eq(&all.collect::<String>());
    }

    /// Checks the properties with these values too.
    fn check(db: &mut Database, root: SourceFile, values: &[i64]) {
        let mut verdicts = Verdicts::clone(db.verdict_input().table(db));
        for value in values {
            let with = with_value(db, root, "N".into(), *value).expect("a text");
            let Some((_, system)) = &with.system else {
                continue;
            };
            let all: Vec<_> = with
                .properties
                .iter()
                .map(|one| one.property.clone())
                .collect();
            let options = stubborn_engine::Options::default();
            let outcomes =
                stubborn_engine::check(system, &all, &options, stubborn_engine::Caller::default());
            for (property, outcome) in with.properties.iter().zip(outcomes.expect("a search")) {
                let kept = property.kept(system, &outcome);
                let known = Known {
                    answer: Answer::Outcome(Box::new(kept)),
                    budget: None,
                    found_before: false,
                };
                verdicts.insert(property.key, known);
            }
        }
        db.set_verdicts(Arc::new(verdicts));
    }

    #[test]
    fn the_next_values_of_a_parameter_are_offered() {
        shown(
            &checked(MODEL),
            &Tried::default(),
            expect![[r#"
            check with N = 3, 4, 5 -> Values("N", [3, 4, 5])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
        let last = MODEL.replace("= 2", "= 6");
        shown(
            &checked(&last),
            &Tried::default(),
            expect![[r#"
            check with N = 5, 4, 3 -> Values("N", [5, 4, 3])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
        // Nobody else's values, and none where nothing could be checked.
        shown(
            &file("param N: 3..3 = 3\nvar x: 0..N\n"),
            &Tried::default(),
            expect![[""]],
        );
    }

    #[test]
    fn what_each_value_gave_stays_in_sight() {
        let mut both = checked(MODEL);
        let mut tried = Tried::default();
        for value in [1, 3, 4] {
            tried.ask(&setting(value));
        }
        let (db, file) = &mut both;
        check(db, *file, &[3, 4]);
        shown(
            &both,
            &tried,
            expect![[r#"
            N = 1: ○ 2 of 5 properties not checked · check -> Values("N", [1])
            N = 3: ✓ all 5 hold
            N = 4: ✗ low violated · show the run -> RunWith("low", Setting { root: "/model.stb", parameter: "N", value: 4 })
            check with N = 5, 6 -> Values("N", [5, 6])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
    }

    #[test]
    fn what_was_found_of_another_text_is_not_shown_as_of_this_one() {
        let mut both = checked(MODEL);
        let mut tried = Tried::default();
        tried.ask(&setting(4));
        let (db, file) = &mut both;
        check(db, *file, &[4]);
        let now = fingerprint(db, *file);
        tried.settle(|_| Some(now));
        let other = MODEL.replace("x = N", "x = N + 1");
        db.set_contents(
            "/model.stb",
            crate::database::Contents::Text(other.as_str().into()),
        );
        shown(
            &both,
            &tried,
            expect![[r#"
            N = 4: ○ not checked as it is now · check -> Values("N", [4])
            check with N = 3, 5, 6 -> Values("N", [3, 5, 6])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
    }

    #[test]
    fn a_property_that_has_no_meaning_with_a_value_is_not_counted_among_those_that_hold() {
        let text = "param N: 1..6 = 2\nvar a: array[0..3] of 0..9\nvar x: 0..9\n\
                    process p { x = N; a[2] = 1 }\ninvariant low: x < 8\ninvariant there: a[N] >= 0\n";
        let mut both = checked(text);
        let mut tried = Tried::default();
        tried.ask(&setting(4));
        let (db, file) = &mut both;
        check(db, *file, &[4]);
        shown(
            &both,
            &tried,
            expect![[r#"
            N = 4: ✓ all 4 hold, but not all of it has a meaning: `N` is 4, which is outside 0..3, the indices of `a`
            check with N = 3, 5, 6 -> Values("N", [3, 5, 6])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
    }

    #[test]
    fn a_value_that_leaves_the_text_no_meaning_is_told_with_the_reason() {
        let text =
            "param N: 0..3 = 2\nvar x: 0..9\nprocess p { x = 6 / N }\ninvariant low: x < 4\n";
        let mut tried = Tried::default();
        tried.ask(&setting(0));
        shown(
            &checked(text),
            &tried,
            expect![[r#"
            N = 0: the text has no meaning: `6 / N` divides by zero, which fails
            check with N = 3 -> Values("N", [3])
            find the smallest N that violates a property -> Smallest("N")
        "#]],
        );
    }
}
