//! Which parts of a formula the run that is shown breaks, by their own meaning along it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stubborn_automata::{Valuation, Word, Work, ltl};
use stubborn_engine::interpreter::holds;
use stubborn_engine::{Trace, Violation};
use stubborn_model::FormulaPart;
use stubborn_system::system::{Expr, System};

/// Where there is more than this to evaluate, each condition in each state, nobody is told the part.
const MOST_EVALUATED: usize = 2_000_000;

/// The first part that a run breaks, and how many others it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken<'a> {
    pub first: &'a FormulaPart,
    pub others: usize,
}

/// The parts that a run breaks which violates the whole formula. `None` where there are no parts, or
/// it is not known of any: one that has no value in some state of the run says nothing, and of a run
/// that is only the beginning of a violation what it decides is known alone. `on_the_way` is called in
/// each state of the run, and now and then after that; it may unwind.
pub(super) fn broken<'a>(
    parts: &'a [FormulaPart],
    violation: Violation,
    trace: &Trace,
    system: &System,
    on_the_way: &dyn Fn(),
) -> Option<Broken<'a>> {
    let read = Read::of(parts, trace, system, on_the_way)?;
    let goes_on = |_| {
        on_the_way();
        ControlFlow::Continue(())
    };
    let mut are_known = true;
    let mut broken = parts.iter().filter(|part| {
        let Some(run) = read.run(part) else {
            are_known = false;
            return false;
        };
        let formula = &part.ltl.formula;
        let work = Work::asking(&goes_on);
        let holds = match (violation, trace.cycle().is_empty()) {
            (Violation::Reject, _) => ltl::may_hold(formula, &run, &work),
            (_, true) => ltl::holds(formula, &Word::Ends(run), &work),
            (_, false) => {
                let mut prefix = run;
                // The last state equals the one in which the cycle begins.
                prefix.pop();
                let cycle = prefix.split_off(trace.steps().len());
                ltl::holds(formula, &Word::Lasso { prefix, cycle }, &work)
            }
        };
        // Nothing stops this work, but it may be unwound.
        holds == Ok(false)
    });
    let first = broken.next();
    let others = broken.count();
    debug_assert!(
        first.is_some() || !are_known || violation == Violation::Reject,
        "a run that satisfies all parts of a formula satisfies the formula"
    );
    Some(Broken {
        first: first?,
        others,
    })
}

/// What the conditions of all parts are along a run.
struct Read<'a> {
    numbers: HashMap<&'a Expr, usize>,
    /// Of each condition, in each state; `None` where it has no value in some state.
    values: Vec<Option<Vec<bool>>>,
    states: usize,
}

impl<'a> Read<'a> {
    fn of(
        parts: &'a [FormulaPart],
        trace: &Trace,
        system: &System,
        on_the_way: &dyn Fn(),
    ) -> Option<Read<'a>> {
        Read::within(MOST_EVALUATED, parts, trace, system, on_the_way)
    }

    fn within(
        most: usize,
        parts: &'a [FormulaPart],
        trace: &Trace,
        system: &System,
        on_the_way: &dyn Fn(),
    ) -> Option<Read<'a>> {
        let mut numbers: HashMap<&Expr, usize> = HashMap::new();
        for condition in parts.iter().flat_map(|part| &part.ltl.propositions) {
            let next = numbers.len();
            numbers.entry(condition).or_insert(next);
        }
        let states = trace.len() + 1;
        if parts.is_empty() || states.saturating_mul(numbers.len()) > most {
            return None;
        }
        let mut values = vec![Some(Vec::with_capacity(states)); numbers.len()];
        let mut walk = trace.walk();
        loop {
            on_the_way();
            for (condition, number) in &numbers {
                let of_condition = &mut values[*number];
                match (holds(system, walk.state(), condition), &mut *of_condition) {
                    (Ok(holds), Some(values)) => values.push(holds),
                    (_, of_condition) => *of_condition = None,
                }
            }
            if walk.advance().is_none() {
                break;
            }
        }
        Some(Read {
            numbers,
            values,
            states,
        })
    }

    /// What a part reads along the run, where all of its conditions have values.
    fn run(&self, part: &FormulaPart) -> Option<Vec<Valuation>> {
        let mut run: Vec<Valuation> = vec![0; self.states];
        for (bit, condition) in part.ltl.propositions.iter().enumerate() {
            let values = self.values[self.numbers[condition]].as_ref()?;
            for (read, holds) in run.iter_mut().zip(values) {
                *read |= Valuation::from(*holds).checked_shl(bit as u32)?;
            }
        }
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::Arc;

    use stubborn_engine::{Caller, Finding, Options, Outcome, Search, Verdict, check};
    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};
    use stubborn_model::{Model, NamedProperty, analyze};
    use stubborn_random::random::Random;
    use stubborn_random::watch::formula::{Formula, draw};
    use stubborn_system::property::Form;
    use stubborn_system::system::Value;

    use super::*;
    use crate::{About, Texts, property};

    fn model(text: &str) -> Model {
        let file = Arc::new(ParsedFile::new("m.stb", text.to_owned()));
        let program = Program::assemble(file, &mut |_| None);
        let analysis = analyze(&program, &Settings::default());
        analysis
            .model
            .unwrap_or_else(|| panic!("{:?}", analysis.problems))
    }

    fn formula_of(model: &Model) -> &NamedProperty {
        let mut formulas = model.properties.iter().filter(|one| one.form == Form::Ltl);
        formulas.next().expect("a formula")
    }

    fn checked(model: &Model) -> Outcome {
        let property = [formula_of(model).property.clone()];
        let outcomes = check(
            &model.system,
            &property,
            &Options::default(),
            Caller::default(),
        );
        outcomes.expect("a small system").swap_remove(0)
    }

    /// The words of the first part that is broken, and how many others are.
    fn told(text: &str) -> Option<(String, usize)> {
        let model = model(text);
        let outcome = checked(&model);
        let Verdict::Violated {
            finding: Finding::Watched(violation),
            trace,
        } = &outcome.verdict
        else {
            panic!("{outcome:?}");
        };
        let parts = &formula_of(&model).parts;
        let broken = broken(parts, *violation, trace, &model.system, &|| {})?;
        Some((broken.first.text.clone(), broken.others))
    }

    /// One run alone, on which `x` is 0, 1, 2 again and again.
    const ROUND: &str = "var x: 0..2\nvar a: array[0..1] of bool\ndef low: x >= 0 and x < 2\n\
                         def within(k in 0..2): x >= 0 and x <= k\n\
                         process p { loop { x = 1; x = 2; x = 0 } }\n";

    #[test]
    fn the_parts_that_a_run_breaks_are_told_in_their_own_words() {
        let told = |formula: &str| told(&format!("{ROUND}ltl f: {formula}\n"));
        let part = |text: &str, others: usize| Some((format!("`{text}`"), others));
        let of_k = |text: &str, others: usize| Some((text.to_owned(), others));
        for (formula, expected) in [
            (
                "always x <= 2 and eventually always x == 0",
                part("eventually always x == 0", 0),
            ),
            ("always (x <= 2 and x != 1)", part("always (x != 1)", 0)),
            (
                "always (x == 0 implies (eventually x == 1 and always x == 0 and always x == 0))",
                part("always (x == 0 implies always x == 0)", 1),
            ),
            ("(always low)", part("always (x < 2)", 0)),
            ("always within(1)", of_k("`always (x <= k)` for k = 1", 0)),
            (
                "forall k in 0..2: eventually always x == k",
                of_k("`eventually always x == k` for k = 0", 2),
            ),
            ("always x < 2", None),
            ("not (eventually x == 1 and eventually x == 2)", None),
        ] {
            assert_eq!(told(formula), expected, "{formula}");
        }
    }

    #[test]
    fn a_part_that_has_no_value_on_the_run_is_not_told() {
        let formula = "ltl f: eventually always x < 2 and always (x < 2 implies not a[x]) \
                       and always (x == 2 or not a[x])\n";
        let found = told(&format!("{ROUND}{formula}"));
        assert_eq!(found, Some(("`eventually always x < 2`".to_owned(), 0)));
        let formula = "ltl f: always (x < 2 and not a[x])\n";
        let found = told(&format!("{ROUND}{formula}"));
        assert_eq!(found, Some(("`always (x < 2)`".to_owned(), 0)));
    }

    #[test]
    fn whoever_waits_is_asked_in_each_state_of_a_run_and_may_unwind() {
        let model = model(&format!("{ROUND}ltl f: always (x <= 2 and x != 1)\n"));
        let outcome = checked(&model);
        let Verdict::Violated { trace, .. } = &outcome.verdict else {
            panic!("{outcome:?}");
        };
        let (named, texts) = (formula_of(&model), Texts::default());
        let about = About::new(&model, &texts);
        let explain =
            |on_the_way: &dyn Fn()| property(named, &outcome, Search::Breadth, about, on_the_way);
        let asked = Cell::new(0);
        explain(&|| asked.set(asked.get() + 1));
        assert!(asked.get() > trace.len(), "{}", asked.get());
        struct Cancelled;
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            explain(&|| resume_unwind(Box::new(Cancelled)))
        }));
        let unwound = unwound.expect_err("it unwinds");
        assert!(unwound.is::<Cancelled>());
    }

    /// What a formula joins by `and`, from its definition.
    fn conjuncts(formula: &Formula) -> Vec<Formula> {
        let each = |part: &Formula, around: &dyn Fn(Box<Formula>) -> Formula| {
            let parts = conjuncts(part).into_iter();
            parts.map(|part| around(Box::new(part))).collect()
        };
        match formula {
            Formula::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
            Formula::Always(a) => each(a, &Formula::Always),
            Formula::Implies(a, b) => each(b, &|b| Formula::Implies(a.clone(), b)),
            Formula::Not(a) => negated(a),
            formula => vec![formula.clone()],
        }
    }

    /// What its negation joins by `and`.
    fn negated(formula: &Formula) -> Vec<Formula> {
        match formula {
            Formula::Or(a, b) => [negated(a), negated(b)].concat(),
            formula => vec![Formula::Not(Box::new(formula.clone()))],
        }
    }

    #[test]
    fn of_random_formulas_those_parts_are_told_that_are_false_on_the_run() {
        let (mut exact, mut decided) = (0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let mut one = || Box::new(draw(2, &mut random));
            let both = Formula::And(one(), one());
            let formula = Formula::And(one(), Box::new(Formula::Always(Box::new(both))));
            let text = formula.text(&|look| ["a", "b"][look].to_owned(), seed);
            let model = model(&format!(
                "var a: bool\nvar b: bool\nprocess p {{ loop {{ either {{ a = any bool }} \
                 or {{ b = any bool }} or {{ stop }} }} }}\nltl f: {text}\n"
            ));
            let outcome = checked(&model);
            let Verdict::Violated {
                finding: Finding::Watched(violation),
                trace,
            } = &outcome.verdict
            else {
                continue;
            };
            let parts = &formula_of(&model).parts;
            let expected = conjuncts(&formula);
            assert_eq!(parts.len(), expected.len(), "{text}");
            let value = |value: &Value| u64::from(*value == Value::Int(1));
            let states = trace.states();
            let mut run: Vec<u64> = states
                .iter()
                .map(|state| value(&state.shared[0]) | value(&state.shared[1]) << 1)
                .collect();
            let mut back = run.len() - 1;
            if !trace.cycle().is_empty() {
                run.pop();
                back = trace.steps().len();
            }
            let is_false = |part: &Formula| !part.along(&run, back)[0];
            let found = broken(parts, *violation, trace, &model.system, &|| {});
            if *violation == Violation::Reject {
                // What is decided is false of the run that stays as it is, too.
                if let Some(found) = found {
                    let at = parts.iter().position(|part| part == found.first);
                    assert!(is_false(&expected[at.expect("one of the parts")]), "{text}");
                    decided += 1;
                }
                continue;
            }
            let found = found.expect("a run that violates a formula breaks a part of it");
            let first = expected.iter().position(is_false);
            let all = expected.iter().filter(|part| is_false(part)).count();
            assert_eq!(Some(found.first), first.map(|at| &parts[at]), "{text}");
            assert_eq!(found.others + 1, all, "{text}");
            exact += 1;
        }
        assert!(exact > 50 && decided > 20, "{exact} {decided}");
    }

    #[test]
    fn a_run_is_read_where_its_conditions_have_as_many_values_as_allowed() {
        let model = model(&format!("{ROUND}ltl f: always (x <= 2 and x != 1)\n"));
        let outcome = checked(&model);
        let Verdict::Violated { trace, .. } = &outcome.verdict else {
            panic!("{outcome:?}");
        };
        let parts = &formula_of(&model).parts;
        // Two conditions in each state.
        let all = 2 * (trace.len() + 1);
        let is_read = |most: usize| {
            let read = Read::within(most, parts, trace, &model.system, &|| {});
            read.map(|read| read.values.iter().flatten().map(Vec::len).sum())
        };
        assert_eq!(
            [all - 1, all, all + 1].map(is_read),
            [None, Some(all), Some(all)]
        );
    }
}
