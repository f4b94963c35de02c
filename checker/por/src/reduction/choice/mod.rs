//! Choosing a stubborn set for a state.
//!
//! A set is made of processes: with a process all its steps are in it, the joint ones among them.
//! "If this process, then those" is a graph, and so is "if this property's imaginary step": a set
//! from which no edge leads out fulfils D1 and D2 (Valmari 2015, section IV):
//!
//! - An enabled step needs every process that could, from where it is, while this one stands still,
//!   get to take a step that is not *independent* of it. So whatever the others do, it stays
//!   enabled and commutes with it. An enabled joint step needs its other participants.
//! - A disabled step needs, for each conjunction under which it would be enabled, those who could
//!   make one of the literals true that is now false: a *necessary enabling set*. A joint step that
//!   waits needs one of those that it waits for, and those who could make this one's guard true.
//! - A step that may end a property's condition, and so is *visible* to it, needs the condition; a
//!   condition needs those who could bring it about.
//!
//! What that is in a state the model tells ([`ProcessRelations`]).
//!
//! The strong components of this graph are found with Tarjan's algorithm; of those from which no
//! other component with an enabled step can be reached, the one with the fewest enabled steps is
//! fired (D0). A monitor asks for more (`goals`).

mod goals;
mod known;
mod still;

use std::ops::ControlFlow;

use known::Rows;

use stubborn_space::members::Members;
use stubborn_space::relations::{Others, ProcessRelations};
use stubborn_system::components::Tarjan;

use super::awaits::Awaits;
use super::visibility::{At, Visibility};

/// Working memory for one state at a time.
pub struct Working {
    /// How many steps of each process are enabled, a joint one at its first participant.
    enabled: Vec<u32>,
    /// The needs of each member, with the stamp of the state that they are for.
    rows: Vec<(u32, Members)>,
    stamp: u32,
    tarjan: Tarjan,
    /// The needs of each member whichever others stand still, as far as they were asked for.
    anyway: Vec<Option<Members>>,
    /// Beside a monitor, the processes that may yet take a visible step.
    visible_ahead: Members,
    /// Sets chosen from the graph, and the look-ups that each took.
    known: Rows<(Option<Choice>, u64)>,
    /// The row that is being looked up is that of the present state.
    has_row: bool,
    /// The needs of all members whichever others stand still.
    known_anyway: Rows<Box<[Members]>>,
}

/// The set that is fired in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub members: Members,
    /// Whether any enabled step is left out.
    pub leaves_out: bool,
    pub enabled: u32,
    pub fired: u32,
    /// How many look-ups count besides those that the model has counted.
    pub more_work: u64,
}

impl Choice {
    fn new(members: Members, fired: u32, enabled: u32) -> Choice {
        Choice {
            members,
            leaves_out: fired < enabled,
            enabled,
            fired,
            more_work: 0,
        }
    }
}

impl Working {
    pub fn new(processes: usize, checks: usize) -> Working {
        Working {
            enabled: vec![0; processes],
            rows: vec![(0, Members::default()); processes + checks],
            stamp: 0,
            tarjan: Tarjan::default(),
            anyway: Vec::new(),
            visible_ahead: Members::default(),
            known: Rows::default(),
            has_row: false,
            known_anyway: Rows::default(),
        }
    }

    /// Chooses each set anew, so that it is known who is [busy](Working::busy).
    pub fn without_known(self) -> Working {
        Working {
            known: Rows::off(),
            ..self
        }
    }

    /// Memory for what is remembered, in bytes.
    pub fn bytes(&self) -> u64 {
        let rows = self.rows.iter();
        let besides = rows.map(|(_, row)| row.bytes()).max().unwrap_or(0) as usize;
        let all = self.rows.len() * (size_of::<Members>() + besides);
        self.known.bytes(0) + self.known_anyway.bytes(all)
    }

    /// Invalidates the answers for other states.
    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamp = 1;
            self.rows.iter_mut().for_each(|row| row.0 = 0);
        }
    }

    /// The processes that are the first participants of steps enabled in the present state, if its
    /// set was not known.
    pub fn busy(&self) -> Members {
        let processes = 0..self.enabled.len();
        processes
            .filter(|process| self.enabled[*process] > 0)
            .collect()
    }
}

/// One state, at which the model has looked, and the set that is being chosen for it.
pub struct Chooser<'a, M: ProcessRelations, V> {
    pub at: At<'a, M>,
    pub visibility: &'a V,
    pub working: &'a mut Working,
    pub pulse: &'a mut dyn FnMut() -> ControlFlow<()>,
    /// Whether to ask what others can still do while a whole set stands still.
    pub foresees: bool,
    /// The pulse broke off: what is chosen means nothing.
    pub is_stopped: bool,
}

impl<M: ProcessRelations, V: Visibility<M>> Chooser<'_, M, V> {
    /// `None` where everything is to be fired.
    pub fn choose_for(&mut self, awaits: Option<Awaits>) -> Option<Choice> {
        match awaits {
            None => self.choose(),
            Some(Awaits::Livelock) => self.choose_invisible(),
            Some(Awaits::InOrder) => self.choose_in_order(),
            Some(awaits) => self.choose_visible(awaits == Awaits::Ending),
        }
    }

    /// D0 to D2 alone.
    fn choose(&mut self) -> Option<Choice> {
        let found = self.smallest_known()?;
        match found.fired > 1 && self.foresees {
            true => Some(self.while_it_stands_still(found)),
            false => Some(found),
        }
    }

    /// The smallest set of the graph, which need not be gone through where it was met before.
    fn smallest_known(&mut self) -> Option<Choice> {
        self.working.has_row = match self.working.known.begin() {
            Some(row) => (self.at.model).outlook(self.at.state, self.at.scratch, row),
            None => false,
        };
        let known = match self.working.has_row {
            true => self.working.known.find().cloned(),
            false => None,
        };
        if let Some((choice, work)) = &known
            && !self.working.known.is_eighth()
        {
            let mut choice = choice.clone()?;
            choice.more_work = *work;
            if choice.fired > 1 && self.foresees {
                let before = self.work();
                self.prepare();
                choice.more_work -= self.work() - before;
            }
            return Some(choice);
        }
        let before = self.work();
        let choice = self.smallest_anew();
        let found = (choice.clone(), self.work() - before);
        match known {
            Some(known) => debug_assert!(
                self.is_stopped || known == found,
                "what is chosen from the graph is a function of the row"
            ),
            None if self.working.has_row && !self.is_stopped => {
                let besides = choice.as_ref().map_or(0, |choice| choice.members.bytes());
                self.working.known.learn(found, besides as usize);
            }
            None => {}
        }
        choice
    }

    /// Work that the model has counted.
    fn work(&self) -> u64 {
        self.at.model.work(self.at.scratch)
    }

    fn smallest_anew(&mut self) -> Option<Choice> {
        let enabled = self.prepare()?;
        let (fired, members) = self.smallest(None)?;
        Some(Choice::new(members, fired, enabled))
    }

    /// How many steps are enabled. `None` where there is nothing to choose.
    fn prepare(&mut self) -> Option<u32> {
        self.working.next_stamp();
        let (mut enabled, mut busy) = (0, 0);
        for process in 0..self.working.enabled.len() {
            let own = (self.at.model).enabled(process, self.at.state, self.at.scratch);
            self.working.enabled[process] = own;
            enabled += own;
            busy += u32::from(own > 0);
        }
        // With one process there is nothing to choose.
        (busy > 1).then_some(enabled)
    }

    /// The closed set with the fewest enabled steps of those that are found, and has one; with
    /// `keys`, of those that have one of these processes. With its number of enabled steps.
    fn smallest(&mut self, keys: Option<Members>) -> Option<(u32, Members)> {
        let count = self.working.enabled.len();
        let mut tarjan = std::mem::take(&mut self.working.tarjan);
        tarjan.reset(self.working.rows.len());
        let mut search = SmallestSet {
            chooser: self,
            leads_to_steps: Members::default(),
            keys,
            best: None,
        };
        for process in 0..count {
            let begins = match &search.keys {
                None => search.chooser.working.enabled[process] > 0,
                Some(keys) => keys.contains(process),
            };
            if begins && tarjan.is_new(process as u32) {
                search.search_from(process as u32, &mut tarjan);
            }
            if search.is_settled() {
                break;
            }
        }
        let best = search.best;
        self.working.tarjan = tarjan;
        best
    }

    /// Whom a member needs. Notes where the pulse breaks off.
    fn needs(&mut self, member: usize, others: &Others) -> Members {
        let mut pulse = noting(&mut self.is_stopped, &mut *self.pulse);
        (self.at.model).needs(member, others, self.at.state, self.at.scratch, &mut pulse)
    }

    /// Returns the needs of a member of the graph.
    fn row(&mut self, member: usize) -> &Members {
        if self.working.rows[member].0 == self.working.stamp {
            return &self.working.rows[member].1;
        }
        let mut row = self.needs(member, &Others::MayMove);
        // Visible steps must not change their order.
        let is_process = member < self.working.enabled.len();
        if is_process && self.visibility.takes_visible(member, &mut self.at) {
            row.add(&self.working.visible_ahead);
        }
        row.remove(member);
        self.working.rows[member] = (self.working.stamp, row);
        &self.working.rows[member].1
    }
}

/// The pulse, which notes where it breaks off.
fn noting<'p>(
    is_stopped: &'p mut bool,
    pulse: &'p mut dyn FnMut() -> ControlFlow<()>,
) -> impl FnMut() -> ControlFlow<()> + 'p {
    move || {
        let flow = pulse();
        *is_stopped |= flow.is_break();
        flow
    }
}

/// Search through the members that the enabled steps need.
struct SmallestSet<'c, 'a, M: ProcessRelations, V> {
    chooser: &'c mut Chooser<'a, M, V>,
    /// The members of complete components from which an enabled step, or a key, can be reached.
    leads_to_steps: Members,
    /// Processes of which the set must have one; else it must have an enabled step.
    keys: Option<Members>,
    /// The fewest enabled steps so far, and the set that has them.
    best: Option<(u32, Members)>,
}

impl<M: ProcessRelations, V: Visibility<M>> SmallestSet<'_, '_, M, V> {
    /// Whether nothing better can be found, or the search has been stopped.
    fn is_settled(&self) -> bool {
        let best = self.best.as_ref();
        self.chooser.is_stopped || best.is_some_and(|(fired, _)| *fired <= 1)
    }

    /// Searches from a new member.
    fn search_from(&mut self, member: u32, tarjan: &mut Tarjan) {
        tarjan.enter(member);
        while let Some((member, next)) = tarjan.last() {
            let row = self.chooser.row(member as usize);
            if let Some(needed) = row.at_least(*next as usize) {
                *next = needed as u32 + 1;
                tarjan.follow(needed as u32);
            } else if let Some(component) = tarjan.leave() {
                self.judge(component.as_slice());
            }
            if self.is_settled() {
                return;
            }
        }
    }

    /// Judges a component that is complete.
    fn judge(&mut self, members: &[u32]) {
        let count = self.chooser.working.enabled.len();
        let mut component = Members::default();
        let mut needed = Members::default();
        let mut enabled = 0;
        for member in members.iter().map(|member| *member as usize) {
            component.insert(member);
            needed.add(self.chooser.row(member));
            if member < count {
                enabled += self.chooser.working.enabled[member];
            }
        }
        let leads_on = needed
            .iter()
            .any(|member| self.leads_to_steps.contains(member));
        let (is_candidate, must_have) = match &self.keys {
            None => (enabled > 0, enabled > 0),
            Some(keys) => {
                let has_key = component.meets(keys);
                (has_key, has_key)
            }
        };
        if must_have || leads_on {
            self.leads_to_steps.add(&component);
        }
        if !is_candidate || leads_on {
            return;
        }
        if self.keys.is_some() {
            // There may be other enabled steps among what a key needs.
            component = self.chooser.closure(&component);
            enabled = self.chooser.enabled_in(&component);
        }
        let best = self.best.as_ref();
        if best.is_none_or(|(fewest, _)| enabled < *fewest) {
            self.best = Some((enabled, component));
        }
    }
}
