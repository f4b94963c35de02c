//! From a generalised automaton to one with a single condition, still on edges, and from there to
//! labels on states.
//!
//! Each state gets a level, the number of the condition that is waited for; a step that meets it
//! goes to the next level, and further where it meets that one too; a step beyond the last one is
//! accepting (Gastin and Oddoux 2001, section 5). Levels are counted in each component by itself, of
//! the conditions that are owed in it, and begin anew where it is entered.

use rustc_hash::FxHashMap;

use super::effort::{Effort, TooLarge};
use super::generalised::{Edge, Generalised};
use super::labelled::Labelled;
use super::letters::Letters;
use crate::work::NotMade;
use stubborn_system::components::Components;

/// A step of the automaton with levels.
struct Step {
    target: u32,
    accepting: bool,
    letters: Letters,
}

/// Gives states levels, and edges' labels to states (Hansen, Penczek and Valmari 2002, section 2): a
/// state of the result is a step, with what it reads, and is followed by the steps of its target.
pub(crate) fn state_labelled(
    automaton: &Generalised,
    effort: &mut Effort<'_>,
) -> Result<Labelled, NotMade<TooLarge>> {
    let steps = with_levels(automaton, effort)?;
    let most_states = effort.most_states;
    let mut numbers: FxHashMap<(u32, bool, Letters), u32> = FxHashMap::default();
    let mut result = Labelled::default();
    let mut targets = Vec::new();
    let mut number = |step: &Step, result: &mut Labelled| {
        let fresh = result.letters.len() as u32;
        let key = (step.target, step.accepting, step.letters.clone());
        let number = *numbers.entry(key).or_insert(fresh);
        if number == fresh {
            if result.letters.len() == most_states {
                return Err(TooLarge::States.into());
            }
            result.letters.push(step.letters.clone());
            result.accepting.push(step.accepting);
            targets.push(step.target);
        }
        Ok::<u32, NotMade<TooLarge>>(number)
    };
    let mut followers = Vec::with_capacity(steps.len());
    for steps in &steps {
        let mut own = Vec::with_capacity(steps.len());
        for step in steps {
            own.push(number(step, &mut result)?);
        }
        followers.push(own);
    }
    result.initial = vec![false; targets.len()];
    for &first in followers.first().into_iter().flatten() {
        result.initial[first as usize] = true;
    }
    for target in targets {
        let next = &followers[target as usize];
        effort.spend(next.len())?;
        result.next.push(next.clone());
    }
    Ok(result)
}

fn with_levels(
    automaton: &Generalised,
    effort: &mut Effort<'_>,
) -> Result<Vec<Vec<Step>>, NotMade<TooLarge>> {
    let next = automaton.next();
    let found = Components::of(&next);
    let accepting = automaton.accepting(&found);
    let of = |state: u32| found.component(state);
    // The conditions that are owed in each component.
    let mut waited: Vec<Vec<u32>> = vec![Vec::new(); accepting.len()];
    for (edges, state) in automaton.states.iter().zip(0..) {
        let own = of(state);
        for edge in edges {
            if of(edge.target) == own {
                waited[own as usize].extend_from_slice(&edge.owes);
            }
        }
    }
    for conditions in &mut waited {
        conditions.sort_unstable();
        conditions.dedup();
    }

    let mut numbers: FxHashMap<(u32, usize), u32> = FxHashMap::default();
    let mut states = vec![(0u32, 0usize)];
    numbers.insert((0, 0), 0);
    let mut all: Vec<Vec<Step>> = Vec::new();
    while all.len() < states.len() {
        let (state, level) = states[all.len()];
        let own = of(state);
        let mut steps = Vec::new();
        for edge in &automaton.states[state as usize] {
            let inner = of(edge.target) == own && accepting[own as usize];
            let reached = if inner {
                levels(automaton, edge, level, &waited[own as usize])
            } else {
                vec![(0, false, edge.letters.clone())]
            };
            for (level, accepting, letters) in reached {
                effort.spend(1 + letters.size())?;
                let fresh = states.len() as u32;
                let target = *numbers.entry((edge.target, level)).or_insert(fresh);
                if target == fresh {
                    if states.len() == effort.most_states {
                        return Err(TooLarge::States.into());
                    }
                    states.push((edge.target, level));
                }
                steps.push(Step {
                    target,
                    accepting,
                    letters,
                });
            }
        }
        all.push(simplified(steps));
    }
    Ok(all)
}

/// Where an edge leads from a level of a component with these conditions: the level, whether that is
/// accepting, and with which valuations.
fn levels(
    automaton: &Generalised,
    edge: &Edge,
    level: usize,
    conditions: &[u32],
) -> Vec<(usize, bool, Letters)> {
    if conditions.is_empty() {
        return vec![(0, true, edge.letters.clone())];
    }
    let last = conditions.len() - 1;
    let mut met = 0;
    let mut at = level;
    let mut accepting = false;
    let step = |at: &mut usize, accepting: &mut bool, met: &mut usize| {
        *accepting |= *at == last;
        *at = if *at == last { 0 } else { *at + 1 };
        *met += 1;
    };
    let owes = |at: usize| edge.owes.binary_search(&conditions[at]).is_ok();
    while met <= last && !owes(at) {
        step(&mut at, &mut accepting, &mut met);
    }
    let mut reached = vec![(at, accepting, edge.letters.clone())];
    if met <= last {
        // It also meets the next one with some valuations.
        let condition = &automaton.conditions[conditions[at] as usize];
        let letters = edge.letters.intersection(condition);
        if !letters.is_none() {
            step(&mut at, &mut accepting, &mut met);
            while met <= last && !owes(at) {
                step(&mut at, &mut accepting, &mut met);
            }
            reached.push((at, accepting, letters));
        }
    }
    reached
}

/// Joins steps to the same state, and takes out those that another one makes superfluous.
fn simplified(mut steps: Vec<Step>) -> Vec<Step> {
    steps.sort_by_key(|step| (step.target, !step.accepting));
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        if let Some(last) = kept.last_mut()
            && last.target == step.target
        {
            // The accepting one comes first.
            if last.letters.contains(&step.letters) {
                continue;
            }
            if last.accepting == step.accepting {
                last.letters = last.letters.union(&step.letters);
                continue;
            }
        }
        kept.push(step);
    }
    kept
}

#[cfg(test)]
mod tests {
    use stubborn_system::property::Formula;

    use super::super::expand::expand;
    use super::super::formulas::Formulas;
    use super::*;
    use crate::work::Work;

    /// `p` comes again and again, `q` too, and after each `r` an `s`.
    fn formula() -> Formula {
        let atom = |number| Box::new(Formula::Proposition(number));
        let often = |number| Formula::Always(Box::new(Formula::Eventually(atom(number))));
        let answered = Formula::Any(vec![
            Formula::Not(atom(2)),
            Formula::Until(atom(0), atom(3)),
        ]);
        Formula::All(vec![
            often(0),
            often(1),
            Formula::Always(Box::new(answered)),
        ])
    }

    #[test]
    fn each_automaton_on_the_way_has_as_many_states_as_are_allowed() {
        let work = &Work::unlimited();
        let tableau = |most: usize| {
            let mut formulas = Formulas::new();
            let root = formulas.read(&formula(), true)?;
            expand(&mut formulas, root, &mut Effort::within(most, work))
        };
        let all = tableau(super::super::MOST_STATES).expect("a small formula");
        let levels = |most| with_levels(&all, &mut Effort::within(most, work));
        let labelled = |most| state_labelled(&all, &mut Effort::within(most, work));
        let (of_levels, of_labels) = (levels(1_000).unwrap(), labelled(1_000).unwrap());
        assert!(all.states.len() > 1 && of_labels.letters.len() > of_levels.len());
        let too_large = || Err(NotMade::TooLarge(TooLarge::States));
        let checked = |states: usize, made: &dyn Fn(usize) -> Result<usize, NotMade<TooLarge>>| {
            assert_eq!(made(states - 1), too_large());
            assert_eq!(made(states), Ok(states));
            assert_eq!(made(states + 1), Ok(states));
        };
        checked(all.states.len(), &|most| Ok(tableau(most)?.states.len()));
        checked(of_levels.len(), &|most| Ok(levels(most)?.len()));
        checked(of_labels.letters.len(), &|most| {
            Ok(labelled(most)?.letters.len())
        });
    }
}
