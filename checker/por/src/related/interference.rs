//! Whether the steps of two instances are *independent* (they accord: neither disables the other,
//! and they commute), and which steps can make a literal true, of which necessary enabling sets are
//! made.
//!
//! Views are compared, decided by going through all values of the scalars concerned; where
//! these are too many, what the steps may touch. Every answer errs towards "yes".

use rustc_hash::FxHashSet;
use stubborn_space::relations::Pulse;
use stubborn_system::system::Order;

use super::forest::{
    Allowed, CellId, ChannelUse, Cube, DISABLED, Literal, Outcome, OutcomeId, Takes, Tree, TreeId,
    WAITS, Write,
};
use super::vocabulary::{View, ViewId, Vocabulary};

/// A view, worked out.
#[derive(Default)]
pub struct Profile {
    /// All ways through its tree; none of a rough view, or of a tree that has too many.
    pub cubes: Option<Vec<Cube>>,
    /// Ascending.
    pub reads: Vec<CellId>,
    pub writes: Vec<CellId>,
    pub uses: Vec<(u32, ChannelUse)>,
    pub joint: bool,
    pub bag: Option<u32>,
    /// Its ways are those on which it may be enabled.
    pub is_sketch: bool,
    /// It is a part of joint steps that fail where another part fails and this one matches: that it
    /// waits is not that it is not there.
    pub waits_beside_failing: bool,
}

/// Event that can make a false condition true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Enabler {
    /// The scalar gets one of these values, from below (an addition may do it), from above.
    Literal(Literal, bool, bool),
    /// One of these scalars is written.
    Touch(Box<[CellId]>),
    /// A message is put into the channel.
    Append(u32),
}

/// Views, worked out and compared.
pub struct Interference<'a> {
    pub vocabulary: &'a Vocabulary,
    pub profiles: &'a [Profile],
    pub orders: &'a [Order],
}

/// Looks up now and then from going through trees.
pub struct Effort<'p> {
    pulse: &'p mut Pulse<'p>,
    since_pulse: usize,
    is_stopped: bool,
}

/// Ways compared between two pulses, some milliseconds.
const BETWEEN_PULSES: usize = 1 << 14;

impl<'p> Effort<'p> {
    pub fn new(pulse: &'p mut Pulse<'p>) -> Effort<'p> {
        Effort {
            pulse,
            since_pulse: 0,
            is_stopped: false,
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Counts comparisons that are about to be made. Returns whether the work is stopped.
    #[inline]
    pub fn spend(&mut self, comparisons: usize) -> bool {
        self.since_pulse += comparisons;
        if self.since_pulse > BETWEEN_PULSES {
            self.since_pulse = 0;
            self.is_stopped |= (self.pulse)().is_break();
        }
        self.is_stopped
    }
}

/// Is it a step that is there?
pub fn is_enabled(outcome: OutcomeId) -> bool {
    outcome != DISABLED && outcome != WAITS
}

impl Profile {
    pub fn of(vocabulary: &Vocabulary, view: &View) -> Profile {
        match view {
            View::Rough {
                reads,
                writes,
                uses,
            } => Profile {
                reads: reads.to_vec(),
                writes: writes.to_vec(),
                uses: uses.to_vec(),
                ..Profile::default()
            },
            View::Exact { tree, joint, bag } => Profile {
                joint: *joint,
                bag: *bag,
                ..Profile::of_tree(vocabulary, *tree)
            },
            View::Sketch { tree } => Profile {
                is_sketch: true,
                ..Profile::of_tree(vocabulary, *tree)
            },
        }
    }

    fn of_tree(vocabulary: &Vocabulary, tree: TreeId) -> Profile {
        let forest = &vocabulary.forest;
        let (mut reads, mut writes, mut uses) = (Vec::new(), Vec::new(), Vec::new());
        let mut trees = vec![tree];
        let mut seen = FxHashSet::default();
        while let Some(tree) = trees.pop() {
            if !seen.insert(tree) {
                continue;
            }
            match forest.get(tree) {
                Tree::Branch(cell, children) => {
                    reads.push(*cell);
                    trees.extend(children.iter());
                }
                Tree::Leaf(outcome) => {
                    match forest.of_outcome(*outcome) {
                        Outcome::Takes(takes) => {
                            writes.extend(takes.writes.iter().map(|(cell, _)| *cell));
                            uses.extend(takes.uses.iter().copied());
                        }
                        // Another one may take the message first.
                        Outcome::FailsOn { bag, .. } => {
                            uses.push((*bag, ChannelUse::Remove));
                        }
                        _ => {}
                    }
                }
            }
        }
        reads.sort_unstable();
        reads.dedup();
        writes.sort_unstable();
        writes.dedup();
        uses.sort_unstable_by_key(|(channel, how)| (*channel, *how as u8));
        uses.dedup();
        Profile {
            cubes: forest.cubes(tree, vocabulary.bounds.ways),
            reads,
            writes,
            uses,
            ..Profile::default()
        }
    }
}

impl Profile {
    /// Whether a step is there that this comes to, or with another part that fails one that does.
    pub fn is_there(&self, outcome: OutcomeId) -> bool {
        is_enabled(outcome) || self.waits_beside_failing && outcome == WAITS
    }

    /// Whether its outcome tells whether a step is enabled.
    pub fn is_certain(&self) -> bool {
        self.cubes.is_some() && self.bag.is_none() && !self.is_sketch
    }

    /// How many literals its ways have together.
    pub fn literals(&self) -> usize {
        let cubes = self.cubes.iter().flatten();
        cubes.map(|cube| cube.literals.len()).sum()
    }
}

fn meet(a: &[CellId], b: &[CellId]) -> bool {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().any(|cell| many.binary_search(cell).is_ok())
}

/// Constraints on scalars: these conjunctions hold, and then some scalars are written.
#[derive(Clone, Copy)]
struct Constraints<'a> {
    conjunctions: [&'a [Literal]; 2],
    takes: Option<&'a Takes>,
}

impl<'a> Constraints<'a> {
    fn new(conjunctions: [&'a [Literal]; 2], takes: Option<&'a Takes>) -> Constraints<'a> {
        Constraints {
            conjunctions,
            takes,
        }
    }

    /// Whether both can hold.
    fn is_possible(&self) -> bool {
        let [one, other] = self.conjunctions;
        one.iter().all(|literal| {
            let same = |other: &&Literal| other.cell == literal.cell;
            other.iter().find(same).is_none_or(|other| {
                let mut values = literal.values.iter();
                values.any(|value| other.values.binary_search(value).is_ok())
            })
        })
    }

    fn allowed(&self, cell: CellId) -> Allowed<'a> {
        let of = |literals: &'a [Literal]| {
            let literal = literals.iter().find(|literal| literal.cell == cell);
            literal.map(|literal| &*literal.values)
        };
        let before = |by: i8| match self.conjunctions.map(of) {
            [None, None] => Allowed::Any,
            [Some(values), and] | [None, and @ Some(values)] => Allowed::These { values, and, by },
        };
        match self.takes.and_then(|takes| takes.write_of(cell)) {
            None => before(0),
            Some(Write::Known(value)) => Allowed::One(value),
            Some(Write::Any) => Allowed::Any,
            Some(Write::Add(by)) => before(by),
        }
    }
}

impl Interference<'_> {
    fn takes(&self, outcome: OutcomeId) -> Option<&Takes> {
        self.vocabulary.forest.takes(outcome)
    }

    /// How much work it is to compare two views.
    pub fn cost(&self, a: ViewId, b: ViewId) -> usize {
        let size = |profile: &Profile| profile.reads.len() + profile.writes.len();
        let (one, other) = (&self.profiles[a as usize], &self.profiles[b as usize]);
        let ways = |profile: &Profile| profile.cubes.as_ref().map_or(1, Vec::len);
        let most = self.vocabulary.bounds.pairs;
        1 + (ways(one) * ways(other)).min(most) + (size(one) + size(other)) / 8
    }

    /// Whether an enabled `a`, with this outcome alone if one is given, and a step `b` of another
    /// instance may disturb each other, and so are not independent: where both are enabled, is one
    /// no longer enabled after the other (D2), does it do anything else, or does it matter which
    /// comes first (D1)?
    ///
    /// With an outcome, `b` must leave it as it is. Without, `b` may change it, as long as the
    /// order does not matter; this then holds whatever the outcome becomes. One of the two must
    /// hold for all `b` that are left out.
    pub fn disturb(&self, a: ViewId, outcome: Option<OutcomeId>, b: ViewId) -> bool {
        let (one, other) = (&self.profiles[a as usize], &self.profiles[b as usize]);
        if self.uses_clash(&one.uses, &other.uses) {
            return true;
        }
        let apart = !meet(&one.writes, &other.reads)
            && !meet(&other.writes, &one.reads)
            && !meet(&one.writes, &other.writes);
        if apart {
            return false;
        }
        let (Some(mine), Some(theirs)) = (&one.cubes, &other.cubes) else {
            return true;
        };
        if mine.len() * theirs.len() > self.vocabulary.bounds.pairs {
            return true;
        }
        // The other parts of a joint step may have written what this part's literals are about, so
        // only one side's literals are used.
        let joint = one.joint || other.joint;
        mine.iter().any(|mine| {
            let relevant = one.is_there(mine.outcome) && outcome.is_none_or(|o| o == mine.outcome);
            relevant
                && theirs.iter().any(|theirs| {
                    other.is_there(theirs.outcome)
                        && self.cubes_disturb(
                            (a, mine),
                            (b, theirs),
                            outcome.is_some() || joint,
                            joint,
                        )
                })
        })
    }

    fn cubes_disturb(
        &self,
        (a, mine): (ViewId, &Cube),
        (b, theirs): (ViewId, &Cube),
        keeps_mine: bool,
        joint: bool,
    ) -> bool {
        let both = [mine.literals.as_slice(), theirs.literals.as_slice()];
        if !joint && !Constraints::new(both, None).is_possible() {
            return false;
        }
        let (my_view, their_view) = match joint {
            true => ([both[0], &[]], [both[1], &[]]),
            false => (both, both),
        };
        let after_b = Constraints::new(my_view, self.takes(theirs.outcome));
        let after_a = Constraints::new(their_view, self.takes(mine.outcome));
        let mut my_outcomes = Vec::new();
        let mut their_outcomes = Vec::new();
        let same_kind = |before: OutcomeId, after: OutcomeId| {
            before == after
                || match (self.takes(before), self.takes(after)) {
                    (Some(before), Some(after)) => before.class == after.class,
                    _ => false,
                }
        };
        let keeps = |outcomes: &mut Vec<OutcomeId>, before: OutcomeId, after, exactly: bool| {
            if exactly && before != after || !same_kind(before, after) {
                return false;
            }
            if !outcomes.contains(&after) {
                outcomes.push(after);
            }
            true
        };
        let forest = &self.vocabulary.forest;
        let mine_stays = forest.outcomes(self.tree(a), &|c| after_b.allowed(c), &mut |after| {
            keeps(&mut my_outcomes, mine.outcome, after, keeps_mine)
        });
        let theirs_stays = forest.outcomes(self.tree(b), &|c| after_a.allowed(c), &mut |after| {
            keeps(&mut their_outcomes, theirs.outcome, after, joint)
        });
        if !mine_stays || !theirs_stays {
            return true;
        }
        my_outcomes.iter().any(|my_after| {
            their_outcomes.iter().any(|their_after| {
                let (mine, theirs) = (mine.outcome, theirs.outcome);
                !self.same_end((mine, *their_after), (theirs, *my_after))
            })
        })
    }

    fn tree(&self, view: ViewId) -> u32 {
        match &self.vocabulary.views[view as usize] {
            View::Exact { tree, .. } | View::Sketch { tree } => *tree,
            View::Rough { .. } => unreachable!("only exact views have cubes"),
        }
    }

    /// Whether two pairs of outcomes, one after the other, write the same.
    fn same_end(&self, one: (OutcomeId, OutcomeId), other: (OutcomeId, OutcomeId)) -> bool {
        let values = |outcome: OutcomeId| self.takes(outcome).map_or(&[][..], |t| &t.values);
        if values(one.0) != values(other.1) || values(one.1) != values(other.0) {
            return false;
        }
        let find = |outcome: OutcomeId, cell: CellId| self.takes(outcome)?.write_of(cell);
        let both = |(first, second): (OutcomeId, OutcomeId), cell: CellId| match (
            find(first, cell),
            find(second, cell),
        ) {
            (first, None) => first,
            (None, second) => second,
            (_, Some(Write::Known(value))) => Some(Write::Known(value)),
            (Some(Write::Known(value)), Some(Write::Add(by))) => {
                Some(Write::Known(value.wrapping_add_signed(i64::from(by))))
            }
            (Some(Write::Add(one)), Some(Write::Add(two))) => {
                Some(Write::Add(one.wrapping_add(two)))
            }
            _ => Some(Write::Any),
        };
        let outcomes = [one.0, one.1, other.0, other.1].into_iter();
        let takes = outcomes.filter_map(|outcome| self.takes(outcome));
        let mut cells = takes.flat_map(|takes| takes.writes.iter().map(|(cell, _)| *cell));
        cells.all(|cell| match (both(one, cell), both(other, cell)) {
            // It is the same value if it comes from the same step, the only one that writes it.
            (Some(Write::Any), Some(Write::Any)) => {
                let (a, b) = (find(one.0, cell), find(one.1, cell));
                a.is_some() != b.is_some()
            }
            (one, other) => one == other,
        })
    }

    /// Whether what two steps do to channels depends on the order: they send to one queue, or they
    /// receive from one channel. A sender and a receiver meet at the ends alone, where the length
    /// tells.
    fn uses_clash(&self, one: &[(u32, ChannelUse)], other: &[(u32, ChannelUse)]) -> bool {
        one.iter().any(|(channel, how)| {
            other.iter().any(|(its, what)| {
                channel == its
                    && how == what
                    && (*how == ChannelUse::Remove
                        || self.orders[*channel as usize] == Order::Queue)
            })
        })
    }

    /// Whether a step with this view can make it true.
    pub fn enables(&self, enabler: &Enabler, view: ViewId) -> bool {
        let profile = &self.profiles[view as usize];
        match enabler {
            Enabler::Append(channel) => profile.uses.contains(&(*channel, ChannelUse::Append)),
            Enabler::Touch(cells) => meet(cells, &profile.writes),
            Enabler::Literal(literal, below, above) => {
                if profile.writes.binary_search(&literal.cell).is_err() {
                    return false;
                }
                let Some(cubes) = &profile.cubes else {
                    return true;
                };
                cubes.iter().any(|cube| {
                    let takes = self.takes(cube.outcome).into_iter();
                    let mut writes = takes.flat_map(|takes| takes.writes.iter());
                    writes.any(|(cell, write)| {
                        *cell == literal.cell
                            && match write {
                                Write::Known(value) => literal.values.binary_search(value).is_ok(),
                                Write::Any => true,
                                Write::Add(by) if *by > 0 => *below,
                                Write::Add(_) => *above,
                            }
                    })
                })
            }
        }
    }
}
