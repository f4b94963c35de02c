//! Selection of automata to show: those and the testers of a file, or the automaton of a formula.

use std::fmt::Display;
use std::path::Path;

use stubborn_automata::{Buchi, NotMade, Testing, Work, ltl};
use stubborn_checker::{Errors, Selection};
use stubborn_model::NamedProperty;
use stubborn_model::program::Program;
use stubborn_report::{ProblemReport, kind};
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_system::dump;
use stubborn_system::property::{Formula, Ltl, Property};
use stubborn_system::system::Expr;

use super::formula;
use super::limit::told_of;
use super::meaning::{Names, is_negation};
use super::naming::Words;
use super::source::{Proposition, Source, What, one_line};
use super::states::States;
use crate::command_line::arguments::Automaton;
use crate::command_line::models::read_model;
use crate::command_line::problems::{command_line_problem, refusal, syntax_errors};

/// The automaton of a formula, whose names are its propositions: it accepts the runs that satisfy it.
pub fn of_formula(text: &str, work: &Work<'_>) -> Result<Source, Errors> {
    let read = formula::read(text).map_err(|mistakes| syntax_errors("--ltl", text, &mistakes))?;
    let propositions = u32::try_from(read.names.len()).unwrap_or(u32::MAX);
    let buchi =
        ltl::buchi_of(&read.formula, propositions, work).map_err(|why| refusal(told_of(&why)))?;
    let named = |name: String| Proposition {
        name,
        meaning: None,
        text: None,
    };
    Ok(Source {
        name: one_line(text),
        base: "formula".to_owned(),
        converted: "formula".to_owned(),
        accepts: format!("accepts the runs that satisfy {}", one_line(text)),
        propositions: read.names.into_iter().map(named).collect(),
        states: Vec::new(),
        is_insensitive: true,
        what: What::Buchi(buchi),
    })
}

/// The automata and testers of a model's or a tester file: all of them, or those that are named.
pub fn of_file(path: &Path, arguments: &Automaton, work: &Work<'_>) -> Result<Vec<Source>, Errors> {
    let model = read_model(path, &arguments.definitions, &|| false).map_err(Errors::from)?;
    let program = model.program();
    let selection = Selection::new(&arguments.property);
    let unknown = selection.unknown(&[&model]).into_iter();
    let mut problems: Vec<ProblemReport> = unknown.map(command_line_problem).collect();
    let mut sources = Vec::new();
    let words = Words::of(program);
    let properties = model.meaning().into_iter().flat_map(|meaning| {
        let all = meaning.properties.iter();
        all.map(move |named| (meaning, named))
    });
    for (meaning, named) in properties.filter(|(_, named)| selection.has(named)) {
        let names = Names {
            program,
            settings: model.settings(),
            model: meaning,
        };
        match source(names, &words, named, work) {
            Ok(Some(source)) => sources.push(source),
            Ok(None) if arguments.property.is_empty() => {}
            Ok(None) => problems.push(command_line_problem(format!(
                "`{}` is no automaton and no tester: a property of the form `{}` is checked without \
                 one that could be shown",
                named.name,
                kind(named.form)
            ))),
            Err(why) => problems.push(command_line_problem(why)),
        }
    }
    if sources.is_empty() || model.meaning().is_none() {
        problems.extend(model.problems());
    }
    if problems.is_empty() && sources.is_empty() {
        problems.push(command_line_problem(format!(
            "`{}` has no testers, automata or formulas",
            path.display()
        )));
    }
    if problems.is_empty() {
        Ok(sources)
    } else {
        let texts = model.texts().clone();
        Err(Errors { problems, texts })
    }
}

/// `None` where there is nothing to show.
fn source(
    names: Names<'_>,
    words: &Words,
    listed: &NamedProperty,
    work: &Work<'_>,
) -> Result<Option<Source>, String> {
    let states = listed.monitor.iter().flat_map(|source| &source.states);
    let states: Vec<String> = states.map(|state| state.name.clone()).collect();
    let model = names.model;
    let observed = |propositions: &[Expr]| observed(names, words, listed, propositions);
    let name = &listed.name;
    // One of several values has a body of its own, and a formula stands in its file already.
    let own = match listed.property.asked() {
        Property::Tester(_) => "tester",
        Property::Testing(_) => "testing",
        _ => "buchi",
    };
    let is_as_written =
        *name == listed.base && !matches!(listed.property.asked(), Property::Ltl(_));
    let base = match is_as_written {
        true => listed.base.clone(),
        false => words.free(name, own),
    };
    let other = if own == "buchi" { "testing" } else { "buchi" };
    let must_not = format!("accepts what `{name}` says must not happen");
    let (what, accepts, propositions) = match listed.property.asked() {
        Property::Tester(tester) => {
            let Some(source) = &listed.monitor else {
                return Ok(None);
            };
            let states = States::of_tester(tester, source, &model.source_map);
            let what = What::Tester {
                text: states.text(&base),
                dot: states.dot(name),
            };
            (what, must_not, Vec::new())
        }
        Property::Buchi(property) => {
            let buchi =
                Buchi::of_property(property, work).map_err(|why| too_large(listed, &why))?;
            (
                What::Buchi(buchi),
                must_not,
                observed(&property.propositions),
            )
        }
        Property::Testing(property) => {
            let testing =
                Testing::of_property(property, work).map_err(|why| too_large(listed, &why))?;
            let propositions = observed(&property.propositions);
            (What::Testing(testing), must_not, propositions)
        }
        Property::Ltl(Ltl {
            propositions,
            formula,
        }) => {
            let (propositions, formula) = without_negations(propositions, formula);
            let negation = Formula::Not(Box::new(formula));
            let count = u32::try_from(propositions.len()).unwrap_or(u32::MAX);
            let buchi =
                ltl::buchi_of(&negation, count, work).map_err(|why| too_large(listed, &why))?;
            let accepts = format!("accepts the runs that do not satisfy `{name}`");
            (What::Buchi(buchi), accepts, observed(&propositions))
        }
        _ => return Ok(None),
    };
    Ok(Some(Source {
        name: name.clone(),
        base,
        converted: words.free(name, other),
        accepts,
        propositions,
        states,
        is_insensitive: matches!(listed.property.asked(), Property::Ltl(_)),
        what,
    }))
}

fn too_large<Large: Display>(named: &NamedProperty, why: &NotMade<Large>) -> String {
    format!("`{}` is too large: {}", named.name, told_of(why))
}

/// Returns the propositions with the names of the text, or names that it does not use.
fn observed(
    names: Names<'_>,
    words: &Words,
    listed: &NamedProperty,
    propositions: &[Expr],
) -> Vec<Proposition> {
    let Names { program, model, .. } = names;
    let lines = observations(program, &listed.base);
    let mut free = (0..).map(|number: u32| format!("p{number}"));
    let mut invented = || free.find(|name| words.leave(name)).unwrap_or_default();
    let named = propositions.iter().enumerate();
    let named = named.map(|(number, expr)| {
        let line = lines.get(number);
        let given = line.and_then(|line| Some(line.name()?.text()));
        // A text without parameters can be repeated as it is.
        let said = || {
            let expr = line.filter(|_| listed.name == listed.base)?.value()?;
            Some(one_line(&expr.syntax().text().to_string()))
        };
        let meaning = names.condition(expr).or_else(said);
        let meaning =
            meaning.unwrap_or_else(|| dump::expression(&model.system, &model.source_map, expr));
        Proposition {
            text: given.is_none().then(|| meaning.clone()),
            name: given.unwrap_or_else(&mut invented),
            meaning: Some(meaning),
        }
    });
    named.collect()
}

/// A formula that names no condition which is only another's negation.
fn without_negations(propositions: &[Expr], formula: &Formula) -> (Vec<Expr>, Formula) {
    let mut kept: Vec<Expr> = Vec::new();
    let read: Vec<Formula> = propositions
        .iter()
        .map(|expr| {
            let opposite = kept.iter().position(|one| is_negation(expr, one));
            let number = opposite.unwrap_or(kept.len());
            let it = Formula::Proposition(u32::try_from(number).unwrap_or(u32::MAX));
            match opposite {
                Some(_) => Formula::Not(Box::new(it)),
                None => {
                    kept.push(expr.clone());
                    it
                }
            }
        })
        .collect();
    let formula = in_place_of(formula, &read);
    (kept, formula)
}

/// A formula with others in the place of its propositions.
fn in_place_of(formula: &Formula, propositions: &[Formula]) -> Formula {
    let one = |operand: &Formula| Box::new(in_place_of(operand, propositions));
    let all = |operands: &[Formula]| {
        let operands = operands.iter();
        operands.map(|one| in_place_of(one, propositions)).collect()
    };
    match formula {
        Formula::Constant(_) => formula.clone(),
        Formula::Proposition(number) => propositions
            .get(*number as usize)
            .unwrap_or(formula)
            .clone(),
        Formula::Not(operand) => Formula::Not(one(operand)),
        Formula::All(operands) => Formula::All(all(operands)),
        Formula::Any(operands) => Formula::Any(all(operands)),
        Formula::Always(operand) => Formula::Always(one(operand)),
        Formula::Eventually(operand) => Formula::Eventually(one(operand)),
        Formula::Until(left, right) => Formula::Until(one(left), one(right)),
        Formula::WeakUntil(left, right) => Formula::WeakUntil(one(left), one(right)),
        Formula::Release(left, right) => Formula::Release(one(left), one(right)),
    }
}

/// The lines that say what an automaton observes, in the order of its propositions.
fn observations(program: &Program, base: &str) -> Vec<ast::ObserveDecl> {
    let items = program
        .files
        .iter()
        .flat_map(|file| file.parse.tree().items());
    let mut bodies = items.filter_map(|item| match item {
        ast::Item::Buchi(decl) if decl.name()?.text() == base => decl.body(),
        ast::Item::Testing(decl) if decl.name()?.text() == base => decl.body(),
        _ => None,
    });
    let body = bodies.next();
    let lines = body.iter().flat_map(ast::Body::observations);
    lines.collect()
}
