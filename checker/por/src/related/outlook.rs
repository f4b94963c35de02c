//! Numbers that decide the needs of a state's members, while the others may do anything.
//!
//! [`needs`](super::needs) depends on the parts of an instance with their outcomes, on what it may
//! still do from its local state on, whichever others stand still, and on the literals that are false
//! now. Local states that agree in this, because they differ in values that decide nothing any more,
//! are of one *class*. So a row of numbers suffices: the class of each instance, the outcomes of its
//! parts that are decided by scalars of others, and the places of the literals. There are far fewer rows than states: 45,000
//! of 4.6 million states of Peterson's algorithm for four customers.

use super::enabling::EnablerId;
use super::forest::Tree;
use super::interference::{Effort, is_enabled};
use super::present::Present;

/// Number of places of literals in one number.
const PLACES: u32 = 10;

/// Places of literals, as many in a number as there is room for.
struct Places<'r> {
    row: &'r mut Vec<u32>,
    number: u32,
    count: u32,
}

impl Places<'_> {
    fn add(&mut self, first: EnablerId, enabler: Option<EnablerId>) {
        // True, or by which of the four it can become true.
        let place = enabler.map_or(0, |enabler| 1 + enabler - first);
        self.number = self.number << 3 | place;
        self.count += 1;
        if self.count == PLACES {
            self.end();
        }
    }

    fn end(&mut self) {
        if self.count > 0 {
            self.row.push(self.number);
        }
        (self.number, self.count) = (0, 0);
    }
}

impl Present<'_, '_> {
    /// Adds the row of the present state, after [`begin`](Present::begin). Whether there is one:
    /// not where only the steps themselves tell what is enabled.
    pub fn outlook(&self, row: &mut Vec<u32>) -> bool {
        let facts = self.facts;
        let Some(outlooks) = &facts.outlooks else {
            return false;
        };
        if self.working.is_opaque {
            return false;
        }
        for (who, now) in self.working.instances.iter().enumerate() {
            let local = self.local(who);
            if local.is_uncertain {
                return false;
            }
            row.push(outlooks.classes[who][now.at as usize]);
            for (part, outcome) in local.parts.iter().zip(&now.outcomes) {
                if let Tree::Branch(..) = facts.vocabulary.forest.get(part.tree) {
                    row.push(*outcome);
                }
            }
            let mut places = Places {
                row: &mut *row,
                number: 0,
                count: 0,
            };
            for (part, outcome) in local.parts.iter().zip(&now.outcomes) {
                let profile = &facts.profiles[part.view as usize];
                if profile.is_certain() && is_enabled(*outcome) && part.joint.is_none() {
                    // Its enablers are not asked for.
                    continue;
                }
                for literal in &outlooks.literals[part.view as usize] {
                    places.add(literal.enabler, self.enabler(literal));
                }
            }
            places.end();
        }
        let mut places = Places {
            row,
            number: 0,
            count: 0,
        };
        for literal in &outlooks.wanted {
            places.add(literal.enabler, self.enabler(literal));
        }
        places.end();
        true
    }

    /// Adds what each instance may still do while all others stand still.
    pub fn outlook_alone(&mut self, row: &mut Vec<u32>, effort: &mut Effort<'_>) {
        // Futures that were forgotten have left their numbers to others.
        row.push(self.working.forgotten);
        for who in 0..self.facts.locals.len() {
            row.push(self.alone(who, effort));
        }
    }
}
