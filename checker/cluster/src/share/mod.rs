//! One worker's share of a distributed search.
//!
//! All work is done in rounds: every worker does its part ([`Share::work`]), receives what others
//! send ([`Share::receive`]), and ends the round when everything has arrived
//! ([`Share::end_round`]). A [`Phase`] is over when no worker has anything left for another round.
//!
//! - Exploration: a round is a layer of the breadth-first search.
//! - Layers, for paths: the states are kept without their layers. A second search notes them, by
//!   all steps between states that were found: where steps were left out paths are shorter.
//! - Questions about all states: one round sends each step to the owner of its target; the others
//!   go backwards ([`backward`]).

mod backward;
mod deciding;
mod explorer;
mod levels;
mod partition;
mod visit;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

use stubborn_engine::{Local, Reason};
use stubborn_explorer::search::layers::Expander;
use stubborn_explorer::search::whole::cycles::Step;
use stubborn_explorer::search::{Ledger, Stop};
use stubborn_explorer::store::coding::{Coding, Components, OneWord};
use stubborn_space::profit::{Judgement, Profit};
use stubborn_space::several::{Asked, Count, FailingStep, Shown};
use stubborn_space::successors::{Memory, Model, Successors as _, WorkingMemory as _, end_layer};

use self::backward::{Backward, MOST_SLOTS, said, worker_of};
use self::explorer::{Explorer, WORDS_AT_ONCE};
use self::levels::Levels;
use self::visit::each_step;

pub use self::backward::Direction;
pub use self::partition::Seat;

/// States that are expanded between two exchanges at most.
const STATES_AT_ONCE: usize = 1 << 12;

/// The present kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Explore,
    /// Notes the layer of each state.
    Levels,
    /// Sends each step to the owner of its target.
    Edges(Asked),
    /// Goes backwards along these steps.
    Back(Direction),
}

/// A share of states of one word, or of several.
pub enum AnyShare<'m> {
    One(Share<'m, OneWord>),
    Several(Share<'m, Components>),
}

impl<'m> AnyShare<'m> {
    /// Without a state. Workers of one process have one account of memory.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn new(
        local: Local<'m>,
        (account, seat): (&'m AtomicU64, Seat),
    ) -> ControlFlow<Stop, AnyShare<'m>> {
        let mut meter = local.meter.clone();
        let partition = deciding::partition(&local.model, &local.parts, seat, &mut meter)?;
        let mut used = vec![0; local.model.words()];
        for (word, bits) in &local.parts {
            used[*word as usize] |= bits;
        }
        let ledger = Ledger::new(meter, Some(account));
        let initial = local.model.initial();
        let by = (partition, seat.own);
        if let [word] = initial {
            let width = u64::BITS - used[0].leading_zeros();
            let coded = (OneWord { width }, *word, false);
            let share = Share::new(local, coded, used, by, ledger);
            return ControlFlow::Continue(AnyShare::One(share));
        }
        let mut parts = local.parts.clone();
        parts.retain(|(_, bits)| *bits != 0);
        let coding = Components::new(parts, initial);
        let is_whole = coding.is_none();
        let coding = coding.or_else(|| Components::new(Vec::new(), initial));
        let Some(coding) = coding else {
            return ControlFlow::Break(defect("no state has a word"));
        };
        let share = Share::new(local, (coding, 0, is_whole), used, by, ledger);
        ControlFlow::Continue(AnyShare::Several(share))
    }
}

/// One worker's share of the states.
pub struct Share<'m, C> {
    model: Model<'m>,
    expander: Expander<Memory>,
    initials: Vec<u64>,
    explorer: Explorer<'m, C>,
    own: usize,
    phase: Phase,
    /// The rest of the layer is left out.
    is_left: bool,
    /// Buffer for a state.
    state: Vec<u64>,
    levels: Option<Levels>,
    question: Option<Question>,
}

/// A question about all states.
struct Question {
    asked: Asked,
    backward: Backward,
    /// The next state whose steps are to be sent.
    at: u32,
}

impl<'m, C: Coding> Share<'m, C> {
    fn new(
        local: Local<'m>,
        coded: (C, u64, bool),
        used: Vec<u64>,
        (partition, own): (partition::Partition, usize),
        ledger: Ledger<'m>,
    ) -> Share<'m, C> {
        Share {
            expander: Expander::new(&local.model, local.remembered),
            model: local.model,
            initials: local.initials,
            state: vec![0; used.len()],
            explorer: Explorer::new(coded, used, (partition, own), local.observer, ledger),
            own,
            phase: Phase::Explore,
            is_left: false,
            levels: None,
            question: None,
        }
    }

    fn account(&mut self) -> ControlFlow<Stop> {
        let levels = self.levels.as_ref().map_or(0, Levels::bytes);
        let backward = (self.question.as_ref()).map_or(0, |question| question.backward.bytes());
        self.explorer.besides = self.expander.scratch.bytes() + levels + backward;
        self.explorer.account()
    }

    pub fn begin(&mut self, phase: Phase) -> ControlFlow<Stop> {
        self.phase = phase;
        match phase {
            Phase::Explore | Phase::Levels => {
                if phase == Phase::Levels {
                    let slots = self.frozen()?;
                    self.explorer.ledger.may_hold(Levels::bytes_for(slots))?;
                    self.levels = Some(Levels::new(slots));
                }
                let initials = std::mem::take(&mut self.initials);
                let mut own = initials.chunks_exact(self.state.len());
                let flow = own.try_for_each(|state| match self.explorer.is_own(state) {
                    true => self.receive(state),
                    false => ControlFlow::Continue(()),
                });
                self.initials = initials;
                flow
            }
            Phase::Edges(asked) => {
                self.question = None;
                let slots = self.frozen()?;
                self.account()?;
                let counts = !asked.is_about_reaching();
                let bytes = Backward::bytes_for(slots, counts);
                self.explorer.ledger.may_hold(bytes)?;
                self.question = Some(Question {
                    asked,
                    backward: Backward::new(self.own as u32, slots, counts),
                    at: 0,
                });
                self.account()
            }
            Phase::Back(direction) => {
                if let Some(question) = &mut self.question {
                    question.backward.begin(direction);
                }
                self.account()
            }
        }
    }

    /// Numbers all states; returns the number of slots.
    fn frozen(&mut self) -> ControlFlow<Stop, u32> {
        self.explorer.freeze();
        match u32::try_from(self.explorer.slots()) {
            Ok(slots) if slots < MOST_SLOTS => ControlFlow::Continue(slots),
            _ => ControlFlow::Break(self.explorer.ledger.too_many(MOST_SLOTS.into())),
        }
    }

    /// Does a part of the round, and fills the outbox; returns whether there is more.
    pub fn work(&mut self) -> ControlFlow<Stop, bool> {
        self.explorer.collected = 0;
        match self.phase {
            Phase::Explore => self.expand(),
            Phase::Levels => self.expand_again(),
            Phase::Edges(_) => self.send_steps(),
            Phase::Back(_) => ControlFlow::Continue(match &mut self.question {
                Some(question) => question.backward.go_back(&mut self.explorer.outbox),
                None => false,
            }),
        }
    }

    /// Expands some states of the layer.
    fn expand(&mut self) -> ControlFlow<Stop, bool> {
        if self.is_left {
            return ControlFlow::Continue(false);
        }
        self.explorer.make_room()?;
        let flow = self.expander.expand(&self.model, &mut self.explorer);
        self.explorer.end_batch()?;
        flow?;
        self.account()?;
        ControlFlow::Continue(!self.explorer.layer.is_empty())
    }

    /// Sends the targets of some states, whose layers are then noted.
    fn expand_again(&mut self) -> ControlFlow<Stop, bool> {
        let Share {
            model,
            expander: Expander { scratch, .. },
            explorer,
            state,
            levels: Some(levels),
            ..
        } = self
        else {
            return ControlFlow::Break(no_question());
        };
        while explorer.collected < WORDS_AT_ONCE {
            let Some(slot) = levels.layer.pop() else {
                return ControlFlow::Continue(false);
            };
            explorer.state_in(slot, state);
            let Explorer {
                ledger,
                partition,
                outbox,
                collected,
                ..
            } = &mut *explorer;
            each_step((model, scratch), ledger, state, &mut |_, to| {
                outbox[partition.owner(to)].extend_from_slice(to);
                *collected += to.len();
                ControlFlow::Continue(())
            })?;
            ledger.step()?;
        }
        self.account()?;
        ControlFlow::Continue(true)
    }

    /// Sends the steps of some states to the owners of their targets.
    fn send_steps(&mut self) -> ControlFlow<Stop, bool> {
        let Share {
            model,
            expander: Expander { scratch, .. },
            explorer,
            own,
            state,
            question: Some(question),
            ..
        } = self
        else {
            return ControlFlow::Break(no_question());
        };
        let slots = explorer.slots() as u32;
        let asked = question.asked;
        let is_reaching = asked.is_about_reaching();
        for _ in 0..STATES_AT_ONCE {
            if question.at >= slots || explorer.collected >= WORDS_AT_ONCE {
                break;
            }
            let slot = question.at;
            question.at += 1;
            explorer.ledger.step()?;
            if !explorer.state_in(slot, state) {
                continue;
            }
            let Explorer {
                observer,
                ledger,
                partition,
                outbox,
                collected,
                ..
            } = &mut *explorer;
            let stays = is_reaching || observer.is_asked(asked, state, false);
            let steps = each_step((model, scratch), ledger, state, &mut |label, to| {
                let step = match (stays, is_reaching) {
                    (false, _) => Step::Forbidden,
                    (true, true) => Step::Wanted,
                    (true, false) => observer.step(asked, state, label, to),
                };
                if step != Step::Forbidden {
                    let rows = &mut outbox[partition.owner(to)];
                    rows.extend_from_slice(to);
                    rows.push(said(*own as u32, slot, step == Step::Wanted));
                    *collected += to.len() + 1;
                }
                ControlFlow::Continue(())
            })?;
            let is_marked = match is_reaching {
                true => observer.is_asked(asked, state, steps == 0),
                false => stays,
            };
            if is_marked {
                question.backward.mark(slot);
            }
        }
        let has_more = question.at < slots;
        self.account()?;
        ControlFlow::Continue(has_more)
    }

    /// Receives rows of this round.
    pub fn receive(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        let words = self.state.len();
        let row = match self.phase {
            Phase::Explore | Phase::Levels => words,
            Phase::Edges(_) => words + 1,
            Phase::Back(_) => 1,
        };
        if !rows.len().is_multiple_of(row) {
            return ControlFlow::Break(defect("rows arrived that are no states"));
        }
        match (self.phase, &mut self.levels, &mut self.question) {
            (Phase::Explore, ..) => self.explorer.receive(rows),
            (Phase::Levels, Some(levels), _) => {
                for state in rows.chunks_exact(words) {
                    let ledger = &mut self.explorer.ledger;
                    ledger.step()?;
                    ledger.may_hold(levels.bytes_to_reach())?;
                    // A step may lead to a state that was left out.
                    if let Some(slot) = self.explorer.slot(state) {
                        levels.reach(slot);
                    }
                }
                ControlFlow::Continue(())
            }
            (Phase::Edges(_), _, Some(_)) => self.note_steps(rows),
            (Phase::Back(_), _, Some(question)) => {
                question.backward.come_back(rows);
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(no_question()),
        }
    }

    /// Notes steps to own states. Those to states that were left out are ignored.
    fn note_steps(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        let words = self.state.len();
        for row in rows.chunks_exact(words + 1) {
            self.explorer.ledger.step()?;
            let (state, from) = (&row[..words], row[words]);
            let (Some(slot), Some(question)) = (self.explorer.slot(state), &mut self.question)
            else {
                continue;
            };
            if worker_of(from) as usize >= self.explorer.outbox.len() {
                return ControlFlow::Break(defect("a step comes from no worker"));
            }
            let more = question.backward.bytes_to_grow();
            if !question.backward.note(slot, from) {
                return ControlFlow::Break(self.explorer.ledger.too_many(u32::MAX.into()));
            }
            if more > 0 {
                self.account()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Ends the round; returns the number of states that wait for the next one.
    pub fn end_round(&mut self) -> ControlFlow<Stop, u64> {
        ControlFlow::Continue(match (self.phase, &mut self.levels, &self.question) {
            (Phase::Explore, ..) => {
                self.is_left = false;
                return self.explorer.next_layer();
            }
            (Phase::Levels, Some(levels), _) => levels.next_layer(),
            (Phase::Back(_), _, Some(question)) => question.backward.waiting(),
            _ => 0,
        })
    }

    /// Whether the answer is yes: no goal is reachable, or a cycle is.
    fn answers(&self, slot: u32) -> bool {
        self.question.as_ref().is_some_and(|question| {
            question.backward.is_marked(slot) != question.asked.is_about_reaching()
        })
    }

    /// The nearest own state for which the answer is yes.
    pub fn nearest(&mut self) -> ControlFlow<Stop, Option<Shown>> {
        let mut nearest: Option<Shown> = None;
        for slot in 0..self.explorer.slots() as u32 {
            self.explorer.ledger.step()?;
            let levels = self.levels.as_ref();
            let Some(layer) = levels.and_then(|levels| levels.of(slot)) else {
                continue;
            };
            if !self.answers(slot) || nearest.as_ref().is_some_and(|one| one.layer < layer) {
                continue;
            }
            self.explorer.state_in(slot, &mut self.state);
            let found = Shown {
                property: 0,
                layer,
                state: self.state.clone(),
            };
            if nearest.as_ref().is_none_or(|nearest| found < *nearest) {
                nearest = Some(found);
            }
        }
        ControlFlow::Continue(nearest)
    }

    /// An own state of this layer with a step to the given one.
    pub fn before(&mut self, layer: u64, target: &[u64]) -> ControlFlow<Stop, Option<Vec<u64>>> {
        let Share {
            model,
            expander: Expander { scratch, .. },
            explorer,
            state,
            levels: Some(levels),
            ..
        } = self
        else {
            return ControlFlow::Break(no_question());
        };
        for slot in 0..explorer.slots() as u32 {
            if levels.of(slot) != Some(layer) {
                continue;
            }
            explorer.ledger.step()?;
            explorer.state_in(slot, state);
            let mut is_found = false;
            each_step(
                (model, scratch),
                &mut explorer.ledger,
                state,
                &mut |_, to| {
                    is_found = to == target;
                    match is_found {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                },
            )?;
            if is_found {
                return ControlFlow::Continue(Some(state.clone()));
            }
        }
        ControlFlow::Continue(None)
    }

    fn judge_by(&mut self, judgement: Judgement) {
        if let Some(profit) = self.expander.scratch.profit() {
            *profit = Profit::of_counts(judgement);
        }
    }
}

fn defect(what: &str) -> Stop {
    Stop::Limit(Reason::Internal(what.to_owned()))
}

fn no_question() -> Stop {
    defect("nothing was asked")
}

impl<C: Coding> Share<'_, C> {
    /// Rows to be sent, by the workers that own them.
    pub fn outbox(&mut self) -> &mut [Vec<u64>] {
        &mut self.explorer.outbox
    }

    /// Leaves out the rest of the layer.
    pub fn leave_steps(&mut self) {
        self.is_left = true;
    }

    /// The counts of this worker by which the reduction is judged.
    pub fn judgement(&mut self) -> Judgement {
        let profit = self.expander.scratch.profit();
        profit.map(|profit| profit.counts()).unwrap_or_default()
    }

    /// Judges the reduction by the counts of all workers, which one of them keeps.
    pub fn end_layer(&mut self, of_all: Judgement, keeps: bool) {
        // All workers agree on the last two counts; the others are added up.
        let [states, enabled, fired, work, ..] = of_all;
        let [.., losses, rarity] = self.judgement();
        self.judge_by([states, enabled, fired, work, losses, rarity]);
        end_layer([&mut self.expander.scratch]);
        if !keeps {
            let [.., losses, rarity] = self.judgement();
            self.judge_by([0, 0, 0, 0, losses, rarity]);
        }
    }

    /// Violations that were found since the last call.
    pub fn shown(&mut self) -> Vec<Shown> {
        self.explorer.observer.shown()
    }

    /// Continues the exploration, for these properties.
    pub fn go_on(&mut self, open: &[usize]) {
        self.explorer.observer.go_on(open);
        self.explorer.thaw();
        self.levels = None;
        self.question = None;
        self.phase = Phase::Explore;
    }

    /// Whether the layers of states are known.
    pub fn knows_levels(&self) -> bool {
        self.levels.is_some()
    }

    /// The layer of an own state.
    pub fn layer_of(&mut self, state: &[u64]) -> Option<u64> {
        let slot = self.explorer.slot(state)?;
        self.levels.as_ref()?.of(slot)
    }

    /// Number of own states that are marked by the question: that reach a goal or are left.
    pub fn marked(&self) -> u64 {
        let question = self.question.as_ref();
        question.map_or(0, |question| question.backward.many())
    }

    /// Whether the answer is yes for an own state.
    pub fn is_answer(&mut self, state: &[u64]) -> bool {
        let slot = self.explorer.slot(state);
        slot.is_some_and(|slot| self.answers(slot))
    }

    pub fn count(&self) -> Count {
        Count {
            layer: self.explorer.layers.saturating_sub(1),
            ..self.explorer.ledger.count
        }
    }

    pub fn failing(&self) -> Vec<FailingStep> {
        self.explorer.observer.told()
    }
}

#[cfg(test)]
mod tests;
