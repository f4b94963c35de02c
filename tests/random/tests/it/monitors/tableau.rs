//! Whether a system has a run that satisfies a formula, by the atoms of the formula's closure
//! (O. Lichtenstein, A. Pnueli, "Checking that finite state concurrent programs satisfy their
//! linear specification", POPL 1985): exponential, and simple enough to be believed.

use std::collections::HashMap;

use super::product::components;
use super::space::Space;
use stubborn_random::watch::formula::Formula;

/// A formula of the closure; the others are written with these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    True,
    Look(usize),
    Not(usize),
    And(usize, usize),
    Until(usize, usize),
}

/// The closure: a part stands after its own parts.
#[derive(Default)]
struct Closure {
    parts: Vec<Part>,
}

impl Closure {
    fn part(&mut self, part: Part) -> usize {
        let known = self.parts.iter().position(|known| *known == part);
        known.unwrap_or_else(|| {
            self.parts.push(part);
            self.parts.len() - 1
        })
    }

    fn not(&mut self, a: usize) -> usize {
        match self.parts[a] {
            Part::Not(inner) => inner,
            _ => self.part(Part::Not(a)),
        }
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.part(Part::And(a, b));
        self.not(neither)
    }

    fn of(&mut self, formula: &Formula) -> usize {
        match formula {
            Formula::Constant(value) => {
                let all = self.part(Part::True);
                if *value { all } else { self.not(all) }
            }
            Formula::Look(look) => self.part(Part::Look(*look)),
            Formula::Not(a) => {
                let a = self.of(a);
                self.not(a)
            }
            Formula::And(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.part(Part::And(a, b))
            }
            Formula::Or(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.or(a, b)
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let a = self.not(a);
                self.or(a, b)
            }
            Formula::Eventually(a) => {
                let (all, a) = (self.part(Part::True), self.of(a));
                self.part(Part::Until(all, a))
            }
            Formula::Always(a) => {
                let (all, a) = (self.part(Part::True), self.of(a));
                let never = self.not(a);
                let once = self.part(Part::Until(all, never));
                self.not(once)
            }
            Formula::Until(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.part(Part::Until(a, b))
            }
            Formula::WeakUntil(a, b) => {
                // Never `not b` up to and including a place with neither.
                let (a, b) = (self.of(a), self.of(b));
                let (not_a, not_b) = (self.not(a), self.not(b));
                let neither = self.part(Part::And(not_a, not_b));
                let broken = self.part(Part::Until(not_b, neither));
                self.not(broken)
            }
            Formula::Release(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let (not_a, not_b) = (self.not(a), self.not(b));
                let broken = self.part(Part::Until(not_a, not_b));
                self.not(broken)
            }
        }
    }

    /// The atoms with a valuation: which parts hold, bit by bit. Whether an `until` holds that is
    /// not decided here and now is left to what comes next.
    fn atoms(&self, valuation: u64) -> Vec<u64> {
        let mut atoms = vec![0_u64];
        for (at, part) in self.parts.iter().enumerate() {
            let has = |atom: u64, part: usize| atom >> part & 1 == 1;
            let mut longer = Vec::with_capacity(atoms.len());
            for atom in atoms {
                let with = atom | 1 << at;
                let value = match *part {
                    Part::True => true,
                    Part::Look(look) => valuation >> look & 1 == 1,
                    Part::Not(a) => !has(atom, a),
                    Part::And(a, b) => has(atom, a) && has(atom, b),
                    Part::Until(_, b) if has(atom, b) => true,
                    Part::Until(a, _) if !has(atom, a) => false,
                    Part::Until(..) => {
                        longer.push(atom);
                        true
                    }
                };
                longer.push(if value { with } else { atom });
            }
            atoms = longer;
        }
        atoms
    }

    /// Whether an atom may follow another.
    fn follows(&self, atom: u64, next: u64) -> bool {
        self.untils().all(|(at, a, b)| {
            let is_open = atom >> a & 1 == 1 && atom >> b & 1 == 0;
            !is_open || atom >> at & 1 == next >> at & 1
        })
    }

    fn untils(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let parts = self.parts.iter().enumerate();
        parts.filter_map(|(at, part)| match part {
            Part::Until(a, b) => Some((at, *a, *b)),
            _ => None,
        })
    }
}

/// Whether a maximal run of the system satisfies the formula, one that ends being read as repeating
/// its last state for ever. `None` where that would take more than `most` pairs of state and atom.
pub fn is_satisfied(
    space: &Space,
    valuations: &[u64],
    formula: &Formula,
    most: usize,
) -> Option<bool> {
    let mut closure = Closure::default();
    let root = closure.of(formula);
    if closure.parts.len() > 64 {
        return None;
    }
    let mut of_valuation: HashMap<u64, Vec<u64>> = HashMap::new();
    for valuation in valuations {
        let atoms = of_valuation.entry(*valuation);
        let atoms = atoms.or_insert_with(|| closure.atoms(*valuation));
        if atoms.len() > most {
            return None;
        }
    }
    let atoms = |state: u32| &of_valuation[&valuations[state as usize]];
    let mut nodes: Vec<(u32, u64)> = Vec::new();
    let mut numbers: HashMap<(u32, u64), u32> = HashMap::new();
    let mut edges: Vec<Vec<u32>> = Vec::new();
    let mut number = |nodes: &mut Vec<(u32, u64)>, node| {
        let next = nodes.len() as u32;
        *numbers.entry(node).or_insert_with(|| {
            nodes.push(node);
            next
        })
    };
    for atom in atoms(0).iter().filter(|atom| *atom >> root & 1 == 1) {
        number(&mut nodes, (0, *atom));
    }
    while edges.len() < nodes.len() {
        let (state, atom) = nodes[edges.len()];
        let mut next: Vec<u32> = space.next(state).collect();
        if space.ends(state) {
            next.push(state);
        }
        next.sort_unstable();
        next.dedup();
        let mut to = Vec::new();
        for state in next {
            for then in atoms(state)
                .iter()
                .filter(|then| closure.follows(atom, **then))
            {
                to.push(number(&mut nodes, (state, *then)));
            }
        }
        edges.push(to);
        if nodes.len() > most {
            return None;
        }
    }
    // A strong component that can be stayed in and in which no `until` is ignored for ever.
    let component = components(nodes.len(), |node| edges[node as usize].clone());
    let mut kept: HashMap<u32, u64> = HashMap::new();
    let mut lasting: HashMap<u32, bool> = HashMap::new();
    for (node, (_, atom)) in nodes.iter().enumerate() {
        let own = component[node];
        for (bit, (at, _, b)) in closure.untils().enumerate() {
            if atom >> at & 1 == 0 || atom >> b & 1 == 1 {
                *kept.entry(own).or_default() |= 1 << bit;
            }
        }
        if edges[node].iter().any(|to| component[*to as usize] == own) {
            lasting.insert(own, true);
        }
    }
    let all = (1_u64 << closure.untils().count()) - 1;
    Some(
        lasting
            .keys()
            .any(|own| kept.get(own).copied().unwrap_or(0) == all),
    )
}
