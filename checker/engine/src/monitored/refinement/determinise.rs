//! What a specification may have become after each trace: its subset construction.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use stubborn_automata::{NotMade, Work};

use super::events::{EventId, Events};
use super::hitting::minimal_sets;
use super::lts::Lts;
use crate::verdict::Reason;

/// How many subsets there may be.
pub const MOST_SUBSETS: usize = 100_000;

/// How many members and transitions of members all subsets may have together.
const MOST_WORK: usize = 20_000_000;

/// About what a subset takes beside its members.
const BYTES_OF_SUBSET: usize = 256;

/// The deterministic automaton of the traces: after each trace it is in one state, which stands for
/// the set X of all states that the specification may then be in (`si =σ⇒ s` of Valmari 1993,
/// Def. 2.4).
#[derive(Clone, Debug, Default)]
pub struct Deterministic {
    /// State 0 is the initial one.
    pub states: Vec<Subset>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subset {
    /// Where the specification may be, ascending.
    pub locations: Vec<u32>,
    /// By event, each once. An event that is not there is none that X can do.
    pub next: Vec<(EventId, u32)>,
    /// Some state of X can run by its own moves for ever: the trace is a divergence trace.
    pub diverges: bool,
    /// The minimal ones of the sets `next(q)` of the stable states q of X, without those q that
    /// offer an event that never occurs in the model. The model refuses such an event always; so
    /// what a model refuses after the trace, (σ, A), is no stable failure of the specification if
    /// and only if A has an event of each of these sets.
    pub acceptances: Vec<Vec<EventId>>,
}

impl Deterministic {
    /// # Errors
    /// Where it would have more states than `most`, or the work has been stopped.
    pub fn new(
        lts: &Lts,
        events: &Events,
        most: usize,
        work: &Work<'_>,
    ) -> Result<Deterministic, NotMade<Reason>> {
        let diverges = lts.divergent();
        let mut construction = Construction {
            lts,
            found: IndexSet::default(),
            mark: vec![0; lts.states.len()],
            marked: 0,
            work: 0,
            members: 0,
        };
        construction.closure(&[0]);
        let mut all = Deterministic::default();
        // Members of subsets, transitions and acceptances.
        let mut kept = 0;
        while let Some(members) = construction.found.get_index(all.states.len()) {
            let members = members.clone();
            let before = construction.work;
            let mut next: Vec<(EventId, u32)> = Vec::new();
            for member in &members {
                next.extend(&lts.states[*member as usize].next);
            }
            construction.work += members.len() + next.len();
            next.sort_unstable();
            next.dedup();
            let mut subset = Subset::default();
            for group in next.chunk_by(|a, b| a.0 == b.0) {
                let targets: Vec<u32> = group.iter().map(|(_, to)| *to).collect();
                let to = construction.closure(&targets);
                subset.next.push((group[0].0, to));
            }
            let states = || members.iter().map(|member| &lts.states[*member as usize]);
            subset.locations = states().map(|state| state.location).collect();
            subset.locations.sort_unstable();
            subset.locations.dedup();
            subset.diverges = members.iter().any(|member| diverges[*member as usize]);
            let can_be_refused = |offers: &[EventId]| {
                let mut offers = offers.iter();
                offers.all(|event| events.occurs[*event as usize])
            };
            let acceptances = states()
                .filter(|state| state.is_stable && can_be_refused(&state.offers))
                .map(|state| state.offers.clone());
            subset.acceptances = minimal_sets(acceptances.collect(), MOST_WORK, work)?
                .ok_or(NotMade::TooLarge(Reason::MonitorTooLarge(most as u64)))?;
            work.spend(construction.work - before)?;
            kept += subset.next.len() + subset.acceptances.iter().map(Vec::len).sum::<usize>();
            // Each member is there twice: to be found again, and in its turn.
            let bytes = BYTES_OF_SUBSET * construction.found.len() + 8 * construction.members;
            work.hold(bytes + 8 * kept)?;
            all.states.push(subset);
            if construction.work > MOST_WORK || construction.found.len() > most {
                // So many there are at the least.
                let found = construction.found.len() as u64 - 1;
                return Err(NotMade::TooLarge(Reason::MonitorTooLarge(found)));
            }
        }
        Ok(all)
    }
}

struct Construction<'a> {
    lts: &'a Lts,
    /// The members of each subset, ascending.
    found: IndexSet<Vec<u32>, FxBuildHasher>,
    /// By which closure a state was met last.
    mark: Vec<u32>,
    marked: u32,
    work: usize,
    /// Of all subsets.
    members: usize,
}

impl Construction<'_> {
    /// The subset of the states that own moves lead to from these.
    fn closure(&mut self, from: &[u32]) -> u32 {
        self.marked += 1;
        let mut members: Vec<u32> = Vec::new();
        let mut meet = |state: u32, members: &mut Vec<u32>| {
            if std::mem::replace(&mut self.mark[state as usize], self.marked) != self.marked {
                members.push(state);
            }
        };
        for state in from {
            meet(*state, &mut members);
        }
        let mut at = 0;
        while let Some(state) = members.get(at) {
            let own = &self.lts.states[*state as usize].own;
            self.work += own.len() + 1;
            for to in own {
                meet(*to, &mut members);
            }
            at += 1;
        }
        members.sort_unstable();
        let count = members.len();
        let (number, is_new) = self.found.insert_full(members);
        if is_new {
            self.members += count;
        }
        number as u32
    }
}
