//! Büchi automata with labelled states, from whatever the format has.
//!
//! An automaton that is one already keeps its states. Any other one goes the way of formulas: it
//! becomes a generalised Büchi automaton with labels on its edges, and that gets levels and labels on
//! states (Peled 1996; Gastin and Oddoux 2001). Conditions with `Fin` are satisfied in one of several
//! ways, in each of which some sets are met infinitely often and others finitely often: the automaton
//! guesses one of them, and when what is met finitely often will not be met any more.

use stubborn_automata::ltl::{Edge, Effort, Generalised, Letters, MOST_STATES, TooLarge};
use stubborn_automata::{Buchi, BuchiState, Label, NotMade, Work};

use super::acceptance::{Condition, Way};
use super::automaton::{Automaton, DEADLOCK, REJECT, State};
use super::parser;
use super::place::Result;

/// Contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// A run that ends is read as repeating its last valuation, since the format knows infinite runs
    /// alone; unless the file was written here and says otherwise.
    pub buchi: Buchi,
    /// The names of the propositions.
    pub propositions: Vec<String>,
    pub name: Option<String>,
}

/// Reads an automaton.
///
/// # Errors
/// Where the text is not in the format, is aborted, has a header item that is not known and changes
/// the meaning, branches universally, or is too large: with the place and what would mend it.
pub fn read(text: &str, work: &Work<'_>) -> Result<Read> {
    let automaton = parser::parse(text)?;
    let buchi = match direct(&automaton) {
        Some(buchi) => own_items(&automaton, buchi)?,
        None => converted(&automaton, work)?,
    };
    Ok(Read {
        buchi,
        propositions: automaton.propositions,
        name: automaton.name,
    })
}

/// The same states, where labels and acceptance are those of states and the condition is Büchi's.
fn direct(automaton: &Automaton) -> Option<Buchi> {
    let accepting = |state: &State| -> Option<bool> {
        match automaton.condition {
            Condition::Constant(value) => Some(value),
            Condition::Inf(set) => {
                // Edges that are in other sets than their state may be all in it or none.
                let mut edges = state.edges.iter().map(|edge| edge.is_in(state, set));
                match edges.next() {
                    None => Some(state.sets.contains(&set.0) != set.1),
                    Some(first) => edges.all(|other| other == first).then_some(first),
                }
            }
            _ => None,
        }
    };
    let mut states = Vec::with_capacity(automaton.states.len());
    for state in &automaton.states {
        let label = match &state.label {
            Some(label) => label.clone(),
            // Nothing follows it, so that it makes no difference what it reads.
            None if state.edges.is_empty() => Label::any(),
            None => return None,
        };
        states.push(BuchiState {
            label,
            infinite: accepting(state)?,
            next: state.edges.iter().map(|edge| edge.target).collect(),
            ..BuchiState::default()
        });
    }
    for &start in &automaton.starts {
        states[start as usize].initial = true;
    }
    Some(Buchi {
        propositions: automaton.propositions.len() as u32,
        states,
        ends_repeat: true,
    })
}

/// What our own header items say.
fn own_items(automaton: &Automaton, mut buchi: Buchi) -> Result<Buchi> {
    if let Some((numbers, _)) = &automaton.deadlock {
        buchi.ends_repeat = false;
        for &number in numbers {
            buchi.states[number as usize].deadlock = true;
        }
    }
    if let Some((numbers, place)) = &automaton.reject {
        let sink = buchi.states.pop();
        let last = buchi.states.len() as u32;
        let sound = sink.is_some_and(|sink| {
            sink.infinite && !sink.initial && sink.label == Label::any() && sink.next == [last]
        });
        let mut rejects = vec![false; buchi.states.len()];
        for &number in numbers {
            if let Some(reject) = rejects.get_mut(number as usize) {
                *reject = true;
            }
        }
        let leads = |(state, reject): (&BuchiState, &bool)| {
            *reject == (state.next.last() == Some(&last))
                && !state.next.iter().rev().skip(1).any(|&next| next == last)
        };
        if !sound || numbers.contains(&last) || !buchi.states.iter().zip(&rejects).all(leads) {
            return Err(place.refuse(format!(
                "`{REJECT}:` names the states that lead to the last one, which accepts everything, \
                 but here that is not so: leave the item out"
            )));
        }
        for (state, reject) in buchi.states.iter_mut().zip(rejects) {
            if reject {
                state.reject = true;
                state.next.pop();
            }
        }
    }
    Ok(buchi)
}

/// By way of a generalised Büchi automaton.
fn converted(automaton: &Automaton, work: &Work<'_>) -> Result<Buchi> {
    for (item, name) in [(&automaton.reject, REJECT), (&automaton.deadlock, DEADLOCK)] {
        if let Some((_, place)) = item {
            return Err(place.refuse(format!(
                "`{name}:` is for Büchi automata with labels and acceptance on their states, which \
                 this is not: leave the item out"
            )));
        }
    }
    let refused = |why: NotMade<TooLarge>| {
        let told = match why {
            NotMade::TooLarge(TooLarge::States) => format!(
                "as a Büchi automaton with labels on its states it would have more than \
                 {MOST_STATES} states"
            ),
            NotMade::TooLarge(_) => "turning it into a Büchi automaton takes too long".to_owned(),
            // The caller that set the limits knows which one was reached.
            NotMade::Stopped => {
                "turning it into a Büchi automaton takes more time or memory than there is"
                    .to_owned()
            }
        };
        automaton.place.refuse(format!("{told}: reduce it first"))
    };
    let Some(ways) = automaton.condition.ways() else {
        return Err(automaton.place.refuse(
            "this acceptance condition can be satisfied in too many ways: turn it into a Büchi \
             condition first",
        ));
    };
    labelled(automaton, &ways, work).map_err(refused)
}

/// With labels and acceptance on its states.
fn labelled(
    automaton: &Automaton,
    ways: &[Way],
    work: &Work<'_>,
) -> std::result::Result<Buchi, NotMade<TooLarge>> {
    let mut effort = Effort::new(work);
    let generalised = guessing(automaton, ways, &mut effort)?;
    generalised.into_buchi(automaton.propositions.len() as u32, false, &mut effort)
}

/// The states: a first one; the automaton's own, in which no way has been chosen yet; and for each way
/// the automaton's own again, without what is not met any more.
fn guessing(
    automaton: &Automaton,
    ways: &[Way],
    effort: &mut Effort<'_>,
) -> std::result::Result<Generalised, NotMade<TooLarge>> {
    let count = automaton.states.len();
    // A way without sets to be met finitely often can be chosen at once.
    let waits = ways.iter().any(|way| !way.finitely.is_empty());
    let copies = ways.len() + 1;
    if count * copies >= MOST_STATES {
        return Err(TooLarge::States.into());
    }
    // Condition 0 is owed for ever while no way is chosen.
    let most = ways.iter().map(|way| way.infinitely.len()).max();
    let conditions = vec![Letters::none(); 1 + most.unwrap_or(0)];
    let mut result = Generalised {
        conditions,
        states: vec![Vec::new(); 1 + count * copies],
    };
    let state_of = |copy: usize, state: usize| (1 + copy * count + state) as u32;
    for (number, state) in automaton.states.iter().enumerate() {
        let own = state.label.as_ref().map(Letters::of);
        for edge in &state.edges {
            let letters = match (&own, &edge.label) {
                (Some(own), _) => own.clone(),
                (None, Some(label)) => Letters::of(label),
                (None, None) => Letters::any(),
            };
            if letters.is_none() {
                continue;
            }
            effort.spend(copies * (1 + letters.size()))?;
            let mut add = |from: u32, target: u32, owes: Vec<u32>| {
                result.states[from as usize].push(Edge {
                    target,
                    owes,
                    letters: letters.clone(),
                });
            };
            let target = edge.target as usize;
            if waits {
                add(state_of(0, number), state_of(0, target), vec![0]);
            }
            for (way, copy) in ways.iter().zip(1..) {
                if waits {
                    add(state_of(0, number), state_of(copy, target), vec![0]);
                }
                if way.finitely.iter().any(|&set| edge.is_in(state, set)) {
                    continue;
                }
                let owed =
                    |&(at, _): &(usize, &(u32, bool))| !edge.is_in(state, way.infinitely[at]);
                let owes = way.infinitely.iter().enumerate().filter(owed);
                let owes = owes.map(|(at, _)| at as u32 + 1).collect();
                add(state_of(copy, number), state_of(copy, target), owes);
            }
        }
    }
    let mut first = Vec::new();
    for &start in &automaton.starts {
        for copy in 0..copies {
            let edges = &result.states[state_of(copy, start as usize) as usize];
            effort.spend(edges.len())?;
            first.extend_from_slice(edges);
        }
    }
    result.states[0] = first;
    Ok(result)
}
