//! Testers: Definition 3.1 of Valmari, "On-the-fly verification with stubborn sets" (CAV '93).

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast::{self, HasName, ModifierKind};

use crate::elaborate::Elaborator;
use crate::hints::{Way, ambiguous};
use crate::problem::{Code, Mend, Words};
use crate::spans::{first_token, span_of};
use crate::steps::alphabet::{STAR, argument_of, constant_argument, mention, uncovered};
use crate::steps::{each, keeps};
use stubborn_system::property::{Property, Tester, TesterState, TesterStep};
use stubborn_system::source::Span;
use stubborn_system::source_map::MonitorSource;
use stubborn_system::system::ActionPattern;

use super::named::NamedProperty;
use super::states::{Initial, States};
use super::values::{each_named, for_each_value, name_of};

pub(super) fn read(elaborator: &mut Elaborator, ast: &ast::TesterDecl) -> Vec<NamedProperty> {
    let Some((_, span)) = name_of(elaborator, ast) else {
        return Vec::new();
    };
    let Some(body) = ast.body() else {
        // Its parameters are checked all the same.
        for_each_value(elaborator, ast, span, &mut |_, _| {});
        return Vec::new();
    };
    let states = States::of(elaborator, &body, span, Initial::One);
    states.check_definition(elaborator);
    states.warn_of_unreachable(elaborator);
    each_named(elaborator, ast, &mut |this, naming| {
        let (tester, steps) = states.tester(this, &body);
        let monitor = MonitorSource {
            states: states.sources(),
            steps,
            ..MonitorSource::default()
        };
        NamedProperty {
            monitor: Some(monitor),
            ..naming.property(Property::Tester(tester))
        }
    })
}

/// For how many visible actions, in all states together, it is looked whether they are left out.
const MOST_HINTED: usize = 2_000;

impl States {
    /// The clauses of the steps, no cycle of `tau`, and no `tau` from a `deadlock` state.
    fn check_definition(&self, elaborator: &mut Elaborator) {
        let file = self.file;
        for (state, step) in self.steps() {
            self.check_clauses(elaborator, step);
            if is_tau(step)
                && let Some(modifier) = state.modifier(ModifierKind::Deadlock)
            {
                let name = state.name().map(|name| name.text()).unwrap_or_default();
                let clause = step.communication();
                let span = match &clause {
                    Some(clause) => span_of(file, clause),
                    None => first_token(file, step),
                };
                let words = Words::from(format!(
                    "the `deadlock` state `{name}` has a `tau` step: what can still move is \
                         no deadlock; leave one of the two out"
                ))
                .see(span_of(file, &modifier), "it is marked here");
                elaborator.error(Code::BadTester, span, words);
            }
        }
        self.check_cycles(elaborator);
    }

    /// What the grammar lets pass: a step without an action, and arguments of `tau`.
    fn check_clauses(&self, elaborator: &mut Elaborator, step: &ast::Step) {
        let file = self.file;
        match step.communication() {
            None if step.when_clause().is_none()
                && step.do_clause().is_none()
                && step.change_clause().is_none() => elaborator.error(
                Code::Misplaced,
                first_token(file, step),
                "a tester's step says on which action it is taken: `on ACTION`, or `on tau` for a \
                 move of its own",
            ),
            Some(ast::Communication::On(on)) if is_tau(step) => {
                if let Some(list) = on.arg_list() {
                    let message = "`tau` has no arguments";
                    elaborator.error(Code::WrongArguments, span_of(file, &list), message);
                }
            }
            _ => {}
        }
    }

    /// Each cycle of `tau` is told at its member that stands first in the text.
    fn check_cycles(&self, elaborator: &mut Elaborator) {
        let next = |state: usize| {
            self.targets[state]
                .iter()
                .filter(|(step, _)| is_tau(step))
                .filter_map(|(_, target)| *target)
        };
        let mut told: FxHashSet<usize> = FxHashSet::default();
        for start in 0..self.list.len() {
            let mut before: FxHashMap<usize, usize> = FxHashMap::default();
            let mut open = std::collections::VecDeque::from([start]);
            let mut last = None;
            'search: while let Some(state) = open.pop_front() {
                for target in next(state) {
                    if target == start {
                        last = Some(state);
                        break 'search;
                    }
                    before.entry(target).or_insert_with(|| {
                        open.push_back(target);
                        state
                    });
                }
            }
            let Some(mut state) = last else { continue };
            let mut cycle = vec![start];
            while state != start {
                cycle.push(state);
                state = before[&state];
            }
            cycle[1..].reverse();
            // What goes through the members of a cycle that has been told is no other mistake.
            if cycle.iter().any(|state| told.contains(state)) {
                continue;
            }
            told.extend(&cycle);
            let name = |state: usize| {
                let name = self.list[state].name().map(|name| name.text());
                format!("`{}`", name.unwrap_or_default())
            };
            let path: Vec<String> = cycle.iter().chain([&start]).map(|s| name(*s)).collect();
            let message = format!(
                "the tester can go round by `tau` alone: {}; a cycle needs an action",
                path.join(" to ")
            );
            elaborator.error(Code::BadTester, self.spans[start], message);
        }
    }

    /// The tester for one value of the parameters, with the text of each state's steps. Hints at
    /// states that leave out a visible action.
    fn tester(&self, elaborator: &mut Elaborator, body: &ast::Body) -> (Tester, Vec<Vec<Span>>) {
        let file = self.file;
        let mut visible: Vec<ActionPattern> = Vec::new();
        let mut states: Vec<TesterState> = Vec::new();
        let mut texts: Vec<Vec<Span>> = Vec::new();
        let mut of_states: Vec<Vec<ActionPattern>> = Vec::new();
        let mut complete = true;
        let mut seen: FxHashSet<ActionPattern> = FxHashSet::default();
        for event in body.visible() {
            match mention(elaborator, &event) {
                Some(pattern) if seen.insert(pattern.clone()) => visible.push(pattern),
                Some(_) => {}
                None => complete = false,
            }
        }
        for (state, steps) in self.list.iter().zip(&self.targets) {
            let has = |kind| state.modifier(kind).is_some();
            let mut lowered = TesterState {
                reject: has(ModifierKind::Reject),
                deadlock: has(ModifierKind::Deadlock),
                livelock: has(ModifierKind::Livelock),
                infinite: has(ModifierKind::Infinite),
                steps: Vec::new(),
            };
            let mut spans = Vec::new();
            // Also where a step does not lead anywhere that there is.
            let mut mentioned = Vec::new();
            for (step, target) in steps {
                let span = span_of(file, step);
                let clause = step.for_clause().and_then(|it| it.where_clause());
                each(elaborator, &step.for_bindings(), &mut |this| {
                    if !keeps(this, clause.as_ref()) {
                        return true;
                    }
                    let on = match is_tau(step) {
                        true => None,
                        false => match pattern(this, step) {
                            None => {
                                complete = false;
                                return true;
                            }
                            on => on,
                        },
                    };
                    if let Some(pattern) = &on {
                        mentioned.push(pattern.clone());
                    }
                    if let Some(target) = *target {
                        let target = target as u32;
                        lowered.steps.push(TesterStep { on, target });
                        spans.push(span);
                    }
                    true
                });
            }
            for pattern in &mentioned {
                if seen.insert(pattern.clone()) {
                    visible.push(pattern.clone());
                }
            }
            mentioned
                .sort_unstable_by(|a, b| (a.action, &a.arguments).cmp(&(b.action, &b.arguments)));
            mentioned.dedup();
            of_states.push(mentioned);
            states.push(lowered);
            texts.push(spans);
        }
        if complete {
            self.hint_at_left_out(elaborator, &visible, &of_states);
            self.hint_at_ambiguous(elaborator, &states, &texts);
        }
        let initial = self.list.iter().position(|state| state.is_initial());
        let tester = Tester {
            visible,
            states,
            initial: initial.unwrap_or(0) as u32,
        };
        (tester, texts)
    }

    fn hint_at_ambiguous(
        &self,
        elaborator: &mut Elaborator,
        states: &[TesterState],
        texts: &[Vec<Span>],
    ) {
        let name = |state: u32| {
            let name = self.list[state as usize].name();
            name.map(|name| name.text()).unwrap_or_default()
        };
        let mut room = 10 * MOST_HINTED;
        for (state, spans) in states.iter().zip(texts) {
            let ways = state.steps.iter().zip(spans).filter_map(|(step, span)| {
                let pattern = step.on.clone()?;
                Some(Way {
                    has_star: pattern.arguments.contains(&None),
                    pattern,
                    to: step.target,
                    is_guarded: false,
                    span: *span,
                })
            });
            ambiguous(elaborator, ways.collect(), &name, &mut room);
        }
    }

    fn hint_at_left_out(
        &self,
        elaborator: &mut Elaborator,
        visible: &[ActionPattern],
        of_states: &[Vec<ActionPattern>],
    ) {
        // Hints are not worth comparing very many actions one by one.
        if visible.len().saturating_mul(self.list.len()) > MOST_HINTED {
            return;
        }
        for (index, state) in self.list.iter().enumerate() {
            let is_reject = state.modifier(ModifierKind::Reject).is_some();
            // A word that there is not, or not here, may stand for it.
            let may_be = |kind| matches!(kind, None | Some(ModifierKind::Final));
            let may_be_reject = state.modifiers().any(|word| may_be(word.kind()));
            if (is_reject || may_be_reject) && self.targets[index].is_empty() {
                continue;
            }
            let mut missing: Vec<String> = Vec::new();
            for pattern in visible {
                if let Some(action) = uncovered(elaborator, pattern, &of_states[index])
                    && !missing.contains(&action)
                {
                    missing.push(action);
                }
            }
            let Some(first) = missing.first() else {
                continue;
            };
            let others = match missing.len() {
                1 => String::new(),
                2 => String::from(" and one more"),
                n => format!(" and {} more", n - 1),
            };
            let name = state.name().map(|name| name.text()).unwrap_or_default();
            let message = format!(
                "the state `{name}` has no step for `{first}`{others}, which therefore \
                         cannot happen while the tester is here; add a step if it may"
            );
            let words = Words::new(message, Some(Mend::Steps(missing.clone())));
            elaborator.hint(Code::MissingVisibleAction, self.spans[index], words);
        }
    }
}

fn is_tau(step: &ast::Step) -> bool {
    match step.communication() {
        Some(ast::Communication::On(on)) => on.action().is_some_and(|name| name.text() == "tau"),
        _ => false,
    }
}

/// The actions that a step stands for; `None` after a mistake.
fn pattern(elaborator: &mut Elaborator, step: &ast::Step) -> Option<ActionPattern> {
    let Some(clause @ ast::Communication::On(on)) = &step.communication() else {
        return None;
    };
    let name = on.action()?;
    let action = elaborator.action(&name)?;
    let given = clause.arguments();
    if !elaborator.right_number_or(&name, action.arguments.len(), "; `*` stands for any value") {
        return None;
    }
    let mut arguments = Vec::new();
    for (position, (argument, domain)) in given.iter().zip(&action.arguments).enumerate() {
        arguments.push(match argument {
            ast::Argument::Wild(_) => None,
            ast::Argument::Expr(expr) => {
                let what = argument_of(&action, position);
                // What has no value after a mistake is no `*`.
                Some(constant_argument(elaborator, expr, domain, (&what, STAR))??)
            }
            ast::Argument::Bind(bind) => {
                let message =
                    "a tester has no variables to receive into; `*` stands for every value";
                let span = first_token(elaborator.env.file, bind);
                elaborator.error(Code::Misplaced, span, message);
                return None;
            }
        });
    }
    Some(ActionPattern {
        action: action.id,
        arguments,
    })
}
