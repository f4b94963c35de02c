//! From formulas to a generalised automaton, by a tableau whose acceptance is on the edges
//! (Couvreur 1999, without his decision diagrams).
//!
//! A state is a set of formulas that hold of what is still to come. What it can do is the product of
//! what its formulas can do: a valuation that they allow now, and a set of formulas for afterwards. An
//! `until` that is put off is *owed*; a run that owes one for ever is not accepted.
//!
//! Two departures. Of the formulas for afterwards those are left out that others imply: where an
//! until is implied by another formula for ever, that one sees to it that it comes true. And
//! `always eventually p` with a p without temporal operators is not taken apart: its state owes it at
//! every step that does not read p, which `Generalised` knows without an edge for either case. So
//! many of them, the usual way to assume fairness, cost no edges.

use rustc_hash::FxHashMap;

use super::effort::{Effort, TooLarge};
use super::formulas::{FALSE, Formulas, Id, Node, TRUE};
use super::generalised::{Edge, Generalised, is_subset};
use super::letters::Letters;
use crate::limits::MOST_CUBES;
use crate::work::NotMade;

/// One of the things that a formula can do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Alternative {
    /// What it can read now.
    letters: Letters,
    /// What has to hold from the next state on, ascending; only `until` and `release` formulas.
    next: Vec<Id>,
    /// What is put off, ascending.
    owes: Vec<Id>,
}

struct Tableau<'t, 'a> {
    formulas: &'t mut Formulas,
    effort: &'t mut Effort<'a>,
    /// By formula, of those needed.
    alternatives: Vec<Option<Vec<Alternative>>>,
}

pub(super) fn expand(
    formulas: &mut Formulas,
    root: Id,
    effort: &mut Effort<'_>,
) -> Result<Generalised, NotMade<TooLarge>> {
    let mut tableau = Tableau {
        alternatives: vec![None; formulas.len()],
        formulas,
        effort,
    };
    tableau.prepare(root)?;
    let mut numbers: FxHashMap<Vec<Id>, u32> = FxHashMap::default();
    let mut sets = vec![vec![root]];
    let mut found: Vec<Vec<(u32, Alternative)>> = Vec::new();
    numbers.insert(vec![root], 0);
    while found.len() < sets.len() {
        let alternatives = tableau.of_set(&sets[found.len()])?;
        let mut edges = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            let fresh = sets.len() as u32;
            let target = *numbers.entry(alternative.next.clone()).or_insert(fresh);
            if target == fresh {
                if sets.len() == tableau.effort.most_states {
                    return Err(TooLarge::States.into());
                }
                sets.push(alternative.next.clone());
            }
            edges.push((target, alternative));
        }
        found.push(edges);
    }
    Ok(tableau.automaton(found))
}

impl Tableau<'_, '_> {
    /// The p of `always eventually p`, where it has no temporal operators.
    fn often(&self, id: Id) -> Option<Id> {
        let Node::Release(FALSE, kept) = *self.formulas.node(id) else {
            return None;
        };
        match *self.formulas.node(kept) {
            Node::Until(TRUE, wanted) if self.formulas.form(wanted).propositional => Some(wanted),
            _ => None,
        }
    }

    /// The alternatives of the formula and of all that they are made from.
    fn prepare(&mut self, root: Id) -> Result<(), NotMade<TooLarge>> {
        let mut needed = vec![false; self.formulas.len()];
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut needed[id as usize], true) {
                continue;
            }
            match self.formulas.node(id) {
                Node::Constant(_) | Node::Literal { .. } => {}
                Node::All(parts) | Node::Any(parts) => open.extend_from_slice(parts),
                Node::Until(left, right) => open.extend([*left, *right]),
                Node::Release(left, right) => match self.often(id) {
                    Some(wanted) => open.push(wanted),
                    None => open.extend([*left, *right]),
                },
            }
        }
        // What a formula is made of has smaller numbers.
        for id in 0..needed.len() as Id {
            if needed[id as usize] {
                let alternatives = self.of_formula(id)?;
                self.alternatives[id as usize] = Some(alternatives);
            }
        }
        Ok(())
    }

    fn known(&self, id: Id) -> &[Alternative] {
        self.alternatives[id as usize].as_deref().unwrap_or(&[])
    }

    fn of_formula(&mut self, id: Id) -> Result<Vec<Alternative>, NotMade<TooLarge>> {
        let simple = |letters: Letters, next: Vec<Id>, owes: Vec<Id>| Alternative {
            letters,
            next,
            owes,
        };
        match self.formulas.node(id).clone() {
            Node::Constant(false) => Ok(Vec::new()),
            Node::Constant(true) => Ok(vec![simple(Letters::any(), vec![], vec![])]),
            Node::Literal { proposition, holds } => Ok(vec![simple(
                Letters::literal(proposition, holds),
                vec![],
                vec![],
            )]),
            Node::All(parts) => self.of_set(&parts),
            Node::Any(parts) => {
                let all = parts.iter().flat_map(|&part| self.known(part)).cloned();
                let all = all.collect();
                self.simplified(all)
            }
            Node::Until(left, right) => {
                let later = [simple(Letters::any(), vec![id], vec![id])];
                let later = self.product(self.known(left).to_vec(), &later)?;
                let all = [self.known(right).to_vec(), later].concat();
                self.simplified(all)
            }
            Node::Release(..) if self.often(id).is_some() => {
                Ok(vec![simple(Letters::any(), vec![id], vec![id])])
            }
            Node::Release(left, right) => {
                let later = simple(Letters::any(), vec![id], vec![]);
                let all = [vec![later], self.known(left).to_vec()].concat();
                let right = self.known(right).to_vec();
                self.product(all, &right)
            }
        }
    }

    fn of_set(&mut self, set: &[Id]) -> Result<Vec<Alternative>, NotMade<TooLarge>> {
        let mut all = vec![Alternative {
            letters: Letters::any(),
            next: Vec::new(),
            owes: Vec::new(),
        }];
        for &id in set {
            let own = self.known(id).to_vec();
            all = self.product(all, &own)?;
        }
        Ok(all)
    }

    fn product(
        &mut self,
        left: Vec<Alternative>,
        right: &[Alternative],
    ) -> Result<Vec<Alternative>, NotMade<TooLarge>> {
        let mut all = Vec::new();
        for one in &left {
            for other in right {
                self.effort
                    .spend(8 + one.letters.size() * other.letters.size())?;
                let letters = one.letters.intersection(&other.letters);
                if letters.is_none() {
                    continue;
                }
                let next = self.without_implied(union(&one.next, &other.next))?;
                all.push(Alternative {
                    letters,
                    next,
                    owes: union(&one.owes, &other.owes),
                });
            }
        }
        self.simplified(all)
    }

    /// Leaves out what other formulas of the set imply.
    fn without_implied(&mut self, mut set: Vec<Id>) -> Result<Vec<Id>, NotMade<TooLarge>> {
        self.effort.spend(2 * set.len() * set.len())?;
        let mut at = 0;
        while at < set.len() {
            let id = set[at];
            let implied = (0..set.len()).any(|other| {
                let other = set[other];
                other != id && self.formulas.implies(other, id)
            });
            if implied {
                set.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(set)
    }

    /// Joins alternatives that differ in what they read alone, and takes out those that are no better
    /// than another one: that reads as much, leaves less to be done and owes no more.
    fn simplified(&mut self, all: Vec<Alternative>) -> Result<Vec<Alternative>, NotMade<TooLarge>> {
        let mut joined: FxHashMap<(Vec<Id>, Vec<Id>), Letters> = FxHashMap::default();
        for alternative in all {
            let letters = joined
                .entry((alternative.next, alternative.owes))
                .or_insert_with(Letters::none);
            self.effort
                .spend(1 + letters.size() * alternative.letters.size())?;
            *letters = letters.union(&alternative.letters);
            if letters.size() > MOST_CUBES {
                return Err(TooLarge::Effort.into());
            }
        }
        let mut joined: Vec<Alternative> = joined
            .into_iter()
            .map(|((next, owes), letters)| Alternative {
                letters,
                next,
                owes,
            })
            .collect();
        // The better ones first; no two have the same `next` and `owes`.
        joined.sort_unstable_by(|one, other| {
            let size = |a: &Alternative| (a.next.len(), a.owes.len());
            size(one)
                .cmp(&size(other))
                .then_with(|| one.next.cmp(&other.next))
                .then_with(|| one.owes.cmp(&other.owes))
        });
        let mut kept: Vec<Alternative> = Vec::with_capacity(joined.len());
        for alternative in joined {
            self.effort.spend(kept.len())?;
            let superfluous = kept.iter().any(|better| {
                is_subset(&better.next, &alternative.next)
                    && is_subset(&better.owes, &alternative.owes)
                    && better.letters.contains(&alternative.letters)
            });
            if !superfluous {
                kept.push(alternative);
            }
        }
        Ok(kept)
    }

    /// Numbers what is owed.
    fn automaton(self, found: Vec<Vec<(u32, Alternative)>>) -> Generalised {
        let mut owed: Vec<Id> = found
            .iter()
            .flatten()
            .flat_map(|(_, alternative)| alternative.owes.iter().copied())
            .collect();
        owed.sort_unstable();
        owed.dedup();
        let condition = |&id: &Id| match self.often(id) {
            Some(wanted) => match self.known(wanted) {
                [alternative] => alternative.letters.clone(),
                _ => Letters::none(),
            },
            None => Letters::none(),
        };
        let conditions = owed.iter().map(condition).collect();
        let edge = |(target, alternative): (u32, Alternative)| Edge {
            target,
            owes: alternative
                .owes
                .iter()
                .filter_map(|id| owed.binary_search(id).ok())
                .map(|number| number as u32)
                .collect(),
            letters: alternative.letters,
        };
        let states = found
            .into_iter()
            .map(|edges| edges.into_iter().map(edge).collect())
            .collect();
        Generalised { conditions, states }
    }
}

fn union(one: &[Id], other: &[Id]) -> Vec<Id> {
    if other.is_empty() {
        return one.to_vec();
    }
    let mut all = [one, other].concat();
    all.sort_unstable();
    all.dedup();
    all
}
