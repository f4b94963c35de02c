//! `stubborn automaton`: automata and testers shown and converted.

mod formula;
mod limit;
mod meaning;
mod naming;
mod reading;
mod source;
mod states;

use std::path::Path;

use stubborn_automata::{
    Buchi, Insensitivity, NotMade, Stopped, Testing, Work, buchi_of, testing_of,
};
use stubborn_checker::Errors;
use stubborn_hoa as hoa;

use super::arguments::{Automaton, To};
use super::models::read_text;
use super::problems::refusal;
use limit::{MOST_WORK, told_of};
use source::{Proposition, Source, What, one_line};
use states::States;

/// What is to be printed: the automata that the arguments name, one after the other.
pub fn automaton(arguments: &Automaton) -> Result<String, Errors> {
    let work = &Work::of_most(MOST_WORK);
    let sources = match (&arguments.file, &arguments.ltl) {
        (_, Some(formula)) => vec![reading::of_formula(formula, work)?],
        (Some(file), None) if is_hoa(file) => vec![of_hoa(file, arguments, work)?],
        (Some(file), None) => reading::of_file(file, arguments, work)?,
        (None, None) => Vec::new(),
    };
    if sources.len() > 1 && arguments.to == Some(To::Hoa) {
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        return Err(refusal(format!(
            "a file in the HOA format that is read here has one automaton, and these are {}: `{}`; \
             choose one with `--property`",
            names.len(),
            names.join("`, `")
        )));
    }
    let mut shown = Vec::new();
    let mut wrong = Errors::default();
    for source in &sources {
        match shown_as(source, arguments.to, work) {
            Ok(text) => shown.push(text),
            Err(why) => wrong.problems.extend(refusal(why).problems),
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

fn of_hoa(path: &Path, arguments: &Automaton, work: &Work<'_>) -> Result<Source, Errors> {
    let shown = path.display();
    if !arguments.property.is_empty() {
        return Err(refusal(format!(
            "`{shown}` is one automaton; `--property` names those of a tester file"
        )));
    }
    let text = read_text(path).map_err(refusal)?;
    let read = hoa::read(&text, work).map_err(|why| refusal(format!("{shown}:{why}")))?;
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
        converted: "automaton".to_owned(),
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
fn shown_as(source: &Source, to: Option<To>, work: &Work<'_>) -> Result<String, String> {
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
                .with_deadlock_states(work)
                .map_err(|why| not_made(source, BUCHI, why))?;
            buchi_as_text(source, &buchi, &[], work)
        }
        (What::Buchi(buchi), None | Some(To::Buchi)) => {
            buchi_as_text(source, buchi, &source.states, work)
        }
        (What::Testing(testing), None) => Ok(testing_as_text(source, testing, &source.states)),
        (What::Testing(testing), Some(To::Testing)) => {
            Ok(testing_as_text(source, testing, &source.states))
        }
        (What::Testing(testing), Some(To::Buchi)) => {
            buchi_as_text(source, &converted(source, testing, work)?, &[], work)
        }
        (What::Buchi(buchi), Some(To::Testing)) => match insensitivity(source, buchi, work)? {
            Insensitivity::Shown => {
                let refused = |why: NotMade| not_made(source, TESTING, why);
                let mentioned = buchi.without_unmentioned(work);
                let (mentioned, kept) = mentioned.map_err(|why| refused(why.into()))?;
                let testing = testing_of(&mentioned, work).map_err(refused)?;
                let testing = testing.reduced(work).map_err(|why| refused(why.into()))?;
                let source = source.with_propositions(&kept);
                Ok(testing_as_text(&source, &testing, &[]))
            }
            Insensitivity::NotShown(why) => Err(format!(
                "`{name}` cannot become a testing automaton, which sees only what changes: it is not \
                 shown to be insensitive to stuttering: {why}"
            )),
        },
        (What::Buchi(buchi), Some(To::Hoa)) => Ok(as_hoa(source, buchi)),
        (What::Testing(testing), Some(To::Hoa)) => {
            Ok(as_hoa(source, &converted(source, testing, work)?))
        }
        (What::Buchi(buchi), Some(To::Dot)) => {
            Ok(States::of_buchi(source, buchi, &source.states).dot(name))
        }
        (What::Testing(testing), Some(To::Dot)) => {
            Ok(States::of_testing(source, testing, &source.states).dot(name))
        }
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

fn converted(source: &Source, testing: &Testing, work: &Work<'_>) -> Result<Buchi, String> {
    let refused = |why: NotMade| not_made(source, BUCHI, why);
    let buchi = buchi_of(testing, work).map_err(refused)?;
    buchi.reduced(true, work).map_err(|why| refused(why.into()))
}

const BUCHI: &str = "the Büchi automaton";
const TESTING: &str = "the testing automaton";

fn not_made(source: &Source, what: &str, why: NotMade) -> String {
    format!(
        "{what} of `{}` is too large: {}",
        source.name,
        told_of(&why)
    )
}

fn insensitivity(source: &Source, buchi: &Buchi, work: &Work<'_>) -> Result<Insensitivity, String> {
    match &source.what {
        // A testing automaton sees what changes alone, and so does what it is turned into.
        What::Testing(_) => Ok(Insensitivity::Shown),
        _ if source.is_insensitive => Ok(Insensitivity::Shown),
        _ => buchi.insensitivity(work).map_err(|Stopped| {
            format!(
                "`{}` is too large: it takes more than {MOST_WORK} steps to find out whether it is \
                 insensitive to stuttering",
                source.name
            )
        }),
    }
}

fn as_hoa(source: &Source, buchi: &Buchi) -> String {
    let named = |one: &Proposition| one.text.as_ref().unwrap_or(&one.name).clone();
    let names = source.propositions.iter().map(named);
    hoa::write(buchi, &names.collect::<Vec<_>>(), Some(&source.name))
}

/// With a line about what it accepts, and one about what is known of it.
fn buchi_as_text(
    source: &Source,
    buchi: &Buchi,
    names: &[String],
    work: &Work<'_>,
) -> Result<String, String> {
    let insensitive = match insensitivity(source, buchi, work)? {
        Insensitivity::Shown => "insensitive to stuttering".to_owned(),
        Insensitivity::NotShown(why) => {
            format!("not shown to be insensitive to stuttering: {why}")
        }
    };
    let transitions = buchi.states.iter().map(|state| state.next.len()).sum();
    let is_deterministic = buchi.has_single_runs(work).map_err(|Stopped| {
        format!(
            "`{}` is too large: it takes more than {MOST_WORK} steps to find out whether it is \
             deterministic",
            source.name
        )
    })?;
    let figures = figures(buchi.states.len(), transitions, is_deterministic);
    let text = States::of_buchi(source, buchi, names).text(source.called("buchi"));
    Ok(format!(
        "// {}\n// {figures}, {insensitive}\n{text}",
        source.accepts
    ))
}

fn testing_as_text(source: &Source, testing: &Testing, names: &[String]) -> String {
    let transitions = testing.states.iter().map(|state| state.next.len()).sum();
    let figures = figures(
        testing.states.len(),
        transitions,
        testing.is_deterministic(),
    );
    let text = States::of_testing(source, testing, names).text(source.called("testing"));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(to: To, most: u64) -> Result<String, String> {
        let formula = "eventually p and eventually q and eventually r";
        let source = reading::of_formula(formula, &Work::unlimited()).expect("a formula");
        shown_as(&source, Some(to), &Work::of_most(most))
    }

    #[test]
    fn a_conversion_that_would_take_too_long_is_refused_with_the_limit() {
        for (to, what) in [(To::Buchi, BUCHI), (To::Testing, TESTING)] {
            assert!(shown(to, MOST_WORK).is_ok());
            let formula = "eventually p and eventually q and eventually r";
            let refused = shown(to, 100).expect_err("it takes more");
            assert_eq!(
                refused,
                format!(
                    "{what} of `{formula}` is too large: it takes more than 4000000000 steps to \
                     make it"
                )
            );
        }
    }

    #[test]
    fn whether_an_automaton_is_deterministic_is_asked_within_the_limit() {
        let mut source = reading::of_formula("always p", &Work::unlimited()).expect("a formula");
        source.is_insensitive = true;
        let What::Buchi(buchi) = &source.what else {
            panic!("a formula becomes a Büchi automaton");
        };
        assert!(buchi_as_text(&source, buchi, &[], &Work::unlimited()).is_ok());
        let refused = buchi_as_text(&source, buchi, &[], &Work::of_most(0));
        assert_eq!(
            refused.expect_err("it takes more"),
            "`always p` is too large: it takes more than 4000000000 steps to find out whether it \
             is deterministic"
        );
    }
}
