//! What a monitor does beside a run of the system: looked for once more, straight from the
//! definitions, on the run alone. It shares nothing with the searches, and no violation is told
//! without it.
//!
//! A monitor may have several runs beside one run of the system. Those that can be are the nodes
//! (place in the run, state of the monitor) of a small graph; a cycle of the run may have to be gone
//! round several times until the monitor is where it was.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::search::Marks;
use crate::trace::{MonitorMove, MonitorRun, MonitorState, Trace, TraceStep};
use crate::verdict::Violation;

/// A monitor beside one run, which has some steps and then those of its cycle.
pub trait Monitor {
    /// The states in which it may begin.
    fn begins(&self) -> Vec<u32>;
    /// What it may do in the step with this number; nothing where it does not let it happen.
    fn moves(&self, at: u32, step: usize) -> Vec<Move>;
    /// What it may do by itself.
    fn own_moves(&self, _at: u32) -> Vec<Move> {
        Vec::new()
    }
    fn marks(&self, at: u32) -> Marks;
    /// Whether it sees the step with this number.
    fn is_visible(&self, step: usize) -> bool;
    /// Whether the run ends after its last step, where it has no cycle.
    fn ends(&self, at: u32) -> bool;
    /// How a state is shown.
    fn shown(&self, at: u32) -> MonitorState {
        vec![at]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub to: u32,
    pub takes_part: bool,
    /// Which of its state's steps it is.
    pub step: Option<u32>,
}

impl Move {
    /// A move to a state, of which nothing more is shown.
    pub fn to(to: u32) -> Move {
        Move {
            to,
            takes_part: true,
            step: None,
        }
    }

    /// The monitor stays in its state, and takes no part.
    pub fn none(at: u32) -> Move {
        Move {
            takes_part: false,
            ..Move::to(at)
        }
    }
}

/// The first violation that the monitor finds on the run, with the run as far as it shows it; `None`
/// where there is none.
///
/// # Errors
/// Where a limit is reached.
pub fn witnessed(
    monitor: &dyn Monitor,
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<Option<(Violation, Trace)>, NoTrace> {
    let graph = Graph::explored(monitor, trace, poll)?;
    let Some((violation, end, cycle)) = graph.violation(poll)? else {
        return Ok(None);
    };
    Ok(Some((violation, graph.shown(trace, end, &cycle, poll)?)))
}

/// The run of the monitor beside a trace without a cycle, up to an end in which an expression has no
/// value: of the step that comes next, the last of the run, nothing is said. `None` where the monitor
/// does not come to the end.
///
/// # Errors
/// Where a limit is reached.
pub fn beside_prefix(
    monitor: &dyn Monitor,
    before: &Trace,
    poll: Poll<'_>,
) -> Result<Option<MonitorRun>, NoTrace> {
    let last = before.steps().len();
    let graph = Graph::explored(monitor, before, poll)?;
    let Some(end) = graph.nodes.iter().position(|node| node.place == last) else {
        return Ok(None);
    };
    let shown = graph.shown(before, end, &[], poll)?;
    let Some(mut run) = shown.monitor().cloned() else {
        return Ok(None);
    };
    let after = run.moves.last().map_or(&run.start, |last| &last.after);
    run.moves.push(MonitorMove {
        takes_part: false,
        after: after.clone(),
        step: None,
    });
    Ok(Some(run))
}

struct Node {
    /// How many steps have been taken; on the cycle never more than before it is closed.
    place: usize,
    at: u32,
    /// What led here first: from which node, by which step of the run or by a move of its own.
    came: Option<(usize, Taken)>,
}

/// A move of the monitor, with the step of the run that goes with it.
#[derive(Clone, Copy, Debug)]
struct Taken {
    step: Option<usize>,
    made: Move,
}

struct Graph<'m> {
    monitor: &'m dyn Monitor,
    /// How many steps there are before the cycle, and on it.
    before: usize,
    around: usize,
    nodes: Vec<Node>,
    numbers: FxHashMap<(usize, u32), usize>,
    /// Memory that the run takes, in bytes.
    held: u64,
}

/// A violation, the node where it shows, and the moves of the cycle from there.
type Found = (Violation, usize, Vec<Taken>);

impl<'m> Graph<'m> {
    /// The graph of all runs of the monitor beside a run.
    fn explored(
        monitor: &'m dyn Monitor,
        trace: &Trace,
        poll: Poll<'_>,
    ) -> Result<Graph<'m>, NoTrace> {
        let mut graph = Graph {
            monitor,
            before: trace.steps().len(),
            around: trace.cycle().len(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            held: trace.bytes(),
        };
        for at in monitor.begins() {
            graph.add(0, at, None);
        }
        let mut next = 0;
        while let Some(&Node { place, at, .. }) = graph.nodes.get(next) {
            polled(poll, graph.bytes())?;
            for (to, taken) in graph.leading_out(place, at) {
                graph.add(to, taken.made.to, Some((next, taken)));
            }
            next += 1;
        }
        Ok(graph)
    }

    /// Memory in use, in bytes, about.
    fn bytes(&self) -> u64 {
        let each = size_of::<Node>() + size_of::<((usize, u32), usize)>();
        self.held + (self.nodes.len() * each) as u64
    }

    fn add(&mut self, place: usize, at: u32, came: Option<(usize, Taken)>) {
        let next = self.nodes.len();
        if *self.numbers.entry((place, at)).or_insert(next) == next {
            self.nodes.push(Node { place, at, came });
        }
    }

    fn leading_out(&self, place: usize, at: u32) -> Vec<(usize, Taken)> {
        let own = self.monitor.own_moves(at).into_iter();
        let mut all: Vec<(usize, Taken)> = own
            .map(|made| (place, Taken { step: None, made }))
            .collect();
        if place < self.before + self.around {
            let closes = place + 1 == self.before + self.around && self.around > 0;
            let to = if closes { self.before } else { place + 1 };
            let moves = self.monitor.moves(at, place).into_iter();
            all.extend(moves.map(|made| {
                let step = Some(place);
                (to, Taken { step, made })
            }));
        }
        all
    }

    fn violation(&self, poll: Poll<'_>) -> Result<Option<Found>, NoTrace> {
        let marks = |node: &Node| self.monitor.marks(node.at);
        let mut nodes = self.nodes.iter();
        if let Some(node) = nodes.position(|node| marks(node).reject) {
            return Ok(Some((Violation::Reject, node, Vec::new())));
        }
        if self.around == 0 {
            let ends = |node: &Node| {
                node.place == self.before && marks(node).deadlock && self.monitor.ends(node.at)
            };
            let node = self.nodes.iter().position(ends);
            return Ok(node.map(|node| (Violation::Deadlock, node, Vec::new())));
        }
        let is_quiet =
            (self.before..self.before + self.around).all(|s| !self.monitor.is_visible(s));
        let begins_cycle = |node: &Node| node.place == self.before;
        let livelocked = |node: &Node| begins_cycle(node) && marks(node).livelock;
        if is_quiet && let Some(node) = self.nodes.iter().position(livelocked) {
            let at = self.nodes[node].at;
            let cycle = (self.before..self.before + self.around).map(|step| Taken {
                step: Some(step),
                made: Move::none(at),
            });
            return Ok(Some((Violation::Livelock, node, cycle.collect())));
        }
        // A monitor that has several ways to go round has some that take it longer: the fewest moves of way and cycle
        // together. It may be back where it was before the run is where its cycle begins.
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            depths.push(node.came.map_or(0, |(from, _)| depths[from] + 1));
        }
        let mut least: Option<(usize, Vec<Taken>)> = None;
        let mut most = usize::MAX;
        for node in (0..self.nodes.len()).filter(|node| self.nodes[*node].place >= self.before) {
            // Nodes that come later are no nearer.
            if depths[node] >= most {
                break;
            }
            if let Some(cycle) = self.marked_cycle(node, most - depths[node], poll)? {
                most = depths[node] + cycle.len();
                least = Some((node, cycle));
            }
        }
        Ok(least.map(|(node, cycle)| (Violation::Infinite, node, cycle)))
    }

    /// The shortest way from a node back to it that has a step which the monitor sees in an infinite
    /// trace monitor state, if it has fewer moves than so many.
    fn marked_cycle(
        &self,
        start: usize,
        most: usize,
        poll: Poll<'_>,
    ) -> Result<Option<Vec<Taken>>, NoTrace> {
        let mut came: FxHashMap<(usize, bool), ((usize, bool), Taken)> = FxHashMap::default();
        let mut open = VecDeque::from([(start, false, 1)]);
        while let Some((node, marked, length)) = open.pop_front() {
            if length >= most {
                break;
            }
            let each = 2 * size_of::<(usize, bool)>() + size_of::<Taken>();
            polled(poll, self.bytes() + (came.len() * each) as u64)?;
            let (place, at) = (self.nodes[node].place, self.nodes[node].at);
            let is_infinite = self.monitor.marks(at).infinite;
            for (to, taken) in self.leading_out(place, at) {
                let Some(&to) = self.numbers.get(&(to, taken.made.to)) else {
                    continue;
                };
                let is_visible = taken.step.is_none_or(|step| self.monitor.is_visible(step));
                let next = (to, marked || is_infinite && is_visible);
                if next == (start, false) || came.contains_key(&next) {
                    continue;
                }
                came.insert(next, ((node, marked), taken));
                if next == (start, true) {
                    let mut cycle = Vec::new();
                    let mut back = next;
                    loop {
                        let (from, taken) = came[&back];
                        cycle.push(taken);
                        back = from;
                        if back == (start, false) {
                            break;
                        }
                    }
                    cycle.reverse();
                    return Ok(Some(cycle));
                }
                open.push_back((to, next.1, length + 1));
            }
        }
        Ok(None)
    }

    /// The trace up to the node and round the cycle, with the monitor's run beside it.
    fn shown(
        &self,
        trace: &Trace,
        end: usize,
        cycle: &[Taken],
        poll: Poll<'_>,
    ) -> Result<Trace, NoTrace> {
        let mut path = Vec::new();
        let mut first = end;
        while let Some((from, taken)) = self.nodes[first].came {
            path.push(taken);
            first = from;
        }
        path.reverse();
        let mut run = MonitorRun {
            start: self.monitor.shown(self.nodes[first].at),
            moves: Vec::new(),
        };
        let mut steps: Vec<TraceStep> = Vec::new();
        let mut begin = None;
        let mut bytes = self.bytes();
        for (nth, taken) in path.iter().chain(cycle).enumerate() {
            if nth == path.len() {
                begin = Some(steps.len());
            }
            let after = self.monitor.shown(taken.made.to);
            let before = run.moves.last().map_or(&run.start, |last| &last.after);
            // A move that does not show is nobody's step.
            if taken.step.is_none() && after == *before {
                continue;
            }
            polled(poll, bytes)?;
            bytes += (size_of::<MonitorMove>() + size_of_val(&after[..])) as u64;
            run.moves.push(MonitorMove {
                takes_part: taken.made.takes_part,
                after,
                step: taken.made.step,
            });
            let step = match taken.step {
                Some(step) if step < self.before => trace.steps()[step].clone(),
                Some(step) => trace.cycle()[step - self.before].clone(),
                // A move of the monitor's own.
                None => TraceStep {
                    participants: Vec::new(),
                    action: None,
                    failure: None,
                    changes: Vec::new(),
                },
            };
            bytes += step.bytes();
            steps.push(step);
        }
        let cycle = begin.map_or_else(Vec::new, |begin| steps.split_off(begin));
        Ok(Trace::new(trace.start().clone(), steps, cycle).beside(Some(run)))
    }
}
