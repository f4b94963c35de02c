//! `stubborn automaton`: automata and testers shown and converted.

mod formula;
mod graph;
mod language;
mod source;
mod tester;

use std::path::Path;

use stubborn_automata::{Buchi, Insensitivity, Testing, TooLarge, buchi_of, hoa, testing_of};

use super::arguments::{Automaton, To};
use super::models::read_text;
use source::{Proposition, Refused, Source, What, one_line};

/// What is to be printed: the automata that the arguments name, one after the other.
pub fn automaton(arguments: &Automaton) -> Result<String, Refused> {
    let sources = match (&arguments.file, &arguments.ltl) {
        (_, Some(formula)) => vec![source::of_formula(formula)?],
        (Some(file), None) if is_hoa(file) => vec![of_hoa(file, arguments)?],
        (Some(file), None) => source::of_file(file, arguments)?,
        (None, None) => Vec::new(),
    };
    if sources.len() > 1 && arguments.to == Some(To::Hoa) {
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        return Err(Refused::because(format!(
            "a file in the HOA format that is read here has one automaton, and these are {}: `{}`; \
             choose one with `--property`",
            names.len(),
            names.join("`, `")
        )));
    }
    let mut shown = Vec::new();
    let mut wrong = Refused::default();
    for source in &sources {
        match shown_as(source, arguments.to) {
            Ok(text) => shown.push(text),
            Err(why) => wrong.problems.extend(Refused::because(why).problems),
        }
    }
    if wrong.problems.is_empty() {
        Ok(shown.join("\n"))
    } else {
        Err(wrong)
    }
}

fn is_hoa(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "hoa")
}

fn of_hoa(path: &Path, arguments: &Automaton) -> Result<Source, Refused> {
    let shown = path.display();
    if !arguments.property.is_empty() {
        return Err(Refused::because(format!(
            "`{shown}` is one automaton; `--property` names those of a tester file"
        )));
    }
    let text = read_text(path).map_err(Refused::because)?;
    let read = hoa::read(&text).map_err(|why| Refused::because(format!("{shown}:{why}")))?;
    let name = one_line(&read.name.unwrap_or_else(|| shown.to_string()));
    let mut taken: Vec<String> = read.propositions.clone();
    let propositions = read.propositions.into_iter().enumerate();
    let propositions = propositions.map(|(number, name)| {
        if is_name(&name) {
            return Proposition {
                name,
                meaning: None,
                text: None,
            };
        }
        // The format allows for any text as a name, the language does not.
        let mut invented = (number..).map(|number| format!("p{number}"));
        let invented = invented.find(|name| !taken.contains(name));
        let invented = invented.unwrap_or_default();
        taken.push(invented.clone());
        Proposition {
            name: invented,
            meaning: None,
            text: Some(name),
        }
    });
    Ok(Source {
        accepts: format!("accepts what {name} accepts"),
        name,
        base: "automaton".to_owned(),
        propositions: propositions.collect(),
        states: Vec::new(),
        is_insensitive: false,
        what: What::Buchi(read.buchi),
    })
}

/// Whether it can stand for a proposition in a file of the language.
fn is_name(text: &str) -> bool {
    formula::read(text).is_ok_and(|read| read.names == [text])
}

/// A source in the form that is asked for, or as it is.
fn shown_as(source: &Source, to: Option<To>) -> Result<String, String> {
    let name = &source.name;
    match (&source.what, to) {
        (What::Tester { text, .. }, None) => Ok(format!("// {}\n{text}", source.accepts)),
        (What::Tester { dot, .. }, Some(To::Dot)) => Ok(dot.clone()),
        (What::Tester { .. }, Some(to)) => Err(format!(
            "`{name}` cannot become {}: a tester sees actions, and an automaton sees what holds in \
             states; `--to dot` draws it, and without `--to` it is shown as text",
            told(to)
        )),
        (What::Buchi(buchi), None | Some(To::Buchi)) if buchi.ends_repeat => {
            // In the language an end is accepted in `deadlock` states alone.
            let buchi = buchi
                .with_deadlock_states()
                .map_err(|why| too_large(source, "the Büchi automaton", why))?;
            Ok(buchi_as_text(source, &buchi, &[]))
        }
        (What::Buchi(buchi), None | Some(To::Buchi)) => {
            Ok(buchi_as_text(source, buchi, &source.states))
        }
        (What::Testing(testing), None) => Ok(testing_as_text(source, testing, &source.states)),
        (What::Testing(testing), Some(To::Testing)) => {
            Ok(testing_as_text(source, testing, &source.states))
        }
        (What::Testing(testing), Some(To::Buchi)) => {
            Ok(buchi_as_text(source, &converted(source, testing)?, &[]))
        }
        (What::Buchi(buchi), Some(To::Testing)) => match insensitivity(source, buchi) {
            Insensitivity::Shown => {
                let (mentioned, kept) = buchi.without_unmentioned();
                let testing = testing_of(&mentioned)
                    .map_err(|why| too_large(source, "the testing automaton", why))?;
                let source = source.with_propositions(&kept);
                Ok(testing_as_text(&source, &testing.reduced(), &[]))
            }
            Insensitivity::NotShown(why) => Err(format!(
                "`{name}` cannot become a testing automaton, which sees only what changes: it is not \
                 shown to be insensitive to stuttering: {why}"
            )),
        },
        (What::Buchi(buchi), Some(To::Hoa)) => Ok(as_hoa(source, buchi)),
        (What::Testing(testing), Some(To::Hoa)) => Ok(as_hoa(source, &converted(source, testing)?)),
        (What::Buchi(buchi), Some(To::Dot)) => Ok(graph::buchi(source, buchi)),
        (What::Testing(testing), Some(To::Dot)) => Ok(graph::testing(source, testing)),
    }
}

fn told(to: To) -> &'static str {
    match to {
        To::Buchi => "a Büchi automaton",
        To::Testing => "a testing automaton",
        To::Hoa => "an automaton in the HOA format",
        To::Dot => "a graph",
    }
}

fn converted(source: &Source, testing: &Testing) -> Result<Buchi, String> {
    let buchi = buchi_of(testing).map_err(|why| too_large(source, "the Büchi automaton", why))?;
    Ok(buchi.reduced(true))
}

fn too_large(source: &Source, what: &str, why: TooLarge) -> String {
    format!("{what} of `{}` is too large: {why}", source.name)
}

fn insensitivity(source: &Source, buchi: &Buchi) -> Insensitivity {
    match &source.what {
        // A testing automaton sees what changes alone, and so does what it is turned into.
        What::Testing(_) => Insensitivity::Shown,
        _ if source.is_insensitive => Insensitivity::Shown,
        _ => buchi.insensitivity(),
    }
}

fn as_hoa(source: &Source, buchi: &Buchi) -> String {
    let named = |one: &Proposition| one.text.as_ref().unwrap_or(&one.name).clone();
    let names = source.propositions.iter().map(named);
    hoa::write(buchi, &names.collect::<Vec<_>>(), Some(&source.name))
}

/// With a line about what it accepts, and one about what is known of it.
fn buchi_as_text(source: &Source, buchi: &Buchi, names: &[String]) -> String {
    let insensitive = match insensitivity(source, buchi) {
        Insensitivity::Shown => "insensitive to stuttering".to_owned(),
        Insensitivity::NotShown(why) => {
            format!("not shown to be insensitive to stuttering: {why}")
        }
    };
    let transitions = buchi.states.iter().map(|state| state.next.len()).sum();
    let figures = figures(buchi.states.len(), transitions, buchi.has_single_runs());
    let text = language::buchi(source, buchi, names);
    format!("// {}\n// {figures}, {insensitive}\n{text}", source.accepts)
}

fn testing_as_text(source: &Source, testing: &Testing, names: &[String]) -> String {
    let transitions = testing.states.iter().map(|state| state.next.len()).sum();
    let figures = figures(
        testing.states.len(),
        transitions,
        testing.is_deterministic(),
    );
    let text = language::testing(source, testing, names);
    format!("// {}\n// {figures}\n{text}", source.accepts)
}

fn figures(states: usize, transitions: usize, is_deterministic: bool) -> String {
    let plural = |number: usize| if number == 1 { "" } else { "s" };
    let not = if is_deterministic { "" } else { "not " };
    format!(
        "{states} state{}, {transitions} transition{}, {not}deterministic",
        plural(states),
        plural(transitions)
    )
}
