//! The control flow of one instance: points joined by steps.
//!
//! A body is first laid out as a graph in which going on at once (the way round a `loop`, a
//! `break`, the end of a branch) is an edge of its own, [`Node::Onward`]. [`Graph::locations`] then
//! finds the points where the process can be, which become the locations of the system. At an
//! `either` the steps of all points that its branches lead to at once are next; so the location of
//! an `either` has all their steps, and what holds at one of these points holds there.

use crate::interrupt::Interrupt;
use stubborn_system::source::Span;

/// Index of a [`Node`], in the order of the text.
pub(crate) type NodeId = usize;
/// Index of an [`Arc`], in the order of the text.
pub(crate) type ArcId = usize;

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Goes on at once. `None` where nothing follows: until it is known, and after a mistake.
    Onward(Option<NodeId>),
    /// A state, or a point before a primitive statement or a test.
    Point { arcs: Vec<ArcId> },
    /// The choice is made by the first step that is taken.
    Either { branches: Vec<NodeId> },
    /// The end of the statements.
    End,
}

/// How many points may be next at once, all locations together: many an `either` in the other, each
/// at the beginning of a loop, makes it the square of the text.
const MOST_NEXT: usize = 5_000_000;

/// What leads from a point to others: one step of the text, or a test.
#[derive(Clone, Debug)]
pub(crate) struct Arc<S> {
    /// What the step does.
    pub step: S,
    pub way: Way,
    /// Literals and constants alone make its guard false: it leads nowhere.
    pub dead: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    To(NodeId),
    /// Where the test is decided by literals and constants alone, one of the two leads nowhere.
    Test {
        then: NodeId,
        otherwise: NodeId,
        decided: Option<bool>,
    },
    /// To the location that it is taken from.
    Same,
    /// To a state that does not exist.
    Nowhere,
}

/// Arcs of all locations that have one of some labels, or that are not final.
#[derive(Clone, Debug)]
struct Shared {
    /// `None` for every location that is not final.
    labels: Option<Vec<String>>,
    arcs: Vec<ArcId>,
}

/// What a location without a label is called by, with the number of the line: no label has a blank.
const ON_LINE: &str = "line ";

/// The name of a location, or of what is now `down` so many lines further down.
pub(crate) fn moved_name(name: &str, down: i64) -> String {
    let Some(number) = name.strip_prefix(ON_LINE) else {
        return name.to_string();
    };
    let (line, count) = number
        .split_once(' ')
        .map_or((number, ""), |(line, _)| (line, &number[line.len()..]));
    match line.parse::<i64>() {
        Ok(line) => format!("{ON_LINE}{}{count}", line + down),
        Err(_) => name.to_string(),
    }
}

/// A name that holds at a point: a state's name or a label.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub name: String,
    /// What is labelled; what this leads to at once has the name.
    pub node: NodeId,
    /// Where the name is declared; the end of the statements has no such place.
    pub span: Option<Span>,
    pub is_final: bool,
    /// Not so within a macro, where labels only say what is final.
    pub visible: bool,
}

/// Where a node stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub span: Span,
    /// The line on which it begins, from 1; within a macro that of the call.
    pub line: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Graph<S> {
    nodes: Vec<(Node, Stand)>,
    pub arcs: Vec<Arc<S>>,
    pub labels: Vec<Label>,
    shared: Vec<Shared>,
    pub initial: NodeId,
}

/// What belongs to one location.
#[derive(Default)]
struct Here {
    /// Ascending.
    arcs: Vec<ArcId>,
    /// Numbers of the labels that hold there.
    labels: Vec<usize>,
    is_final: bool,
}

/// The points where an instance can be, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Locations {
    pub nodes: Vec<NodeId>,
    /// For each location the arcs that may be taken there, ascending.
    pub arcs: Vec<Vec<ArcId>>,
    pub is_final: Vec<bool>,
    pub names: Vec<String>,
    pub stands: Vec<Stand>,
    /// Where each visible name holds, in the order in which the names are met first; also those
    /// that hold nowhere.
    pub named: Vec<(String, Vec<u32>)>,
    /// For each node of the graph, whether control can get there.
    pub reached: Vec<bool>,
    /// For each arc of the graph, whether it can be taken as far as control goes.
    pub taken: Vec<bool>,
    /// Not all of them were found: too many points are next at once.
    pub too_large: bool,
    /// For each node that is a location its number.
    number: Vec<Option<u32>>,
}

impl Locations {
    /// The locations that have the arc.
    pub fn with_arc(&self, arc: ArcId) -> impl Iterator<Item = u32> {
        let all = (0..).zip(&self.arcs);
        all.filter(move |(_, arcs)| arcs.binary_search(&arc).is_ok())
            .map(|(number, _)| number)
    }
}

impl<S> Graph<S> {
    pub fn new() -> Graph<S> {
        Graph {
            nodes: Vec::new(),
            arcs: Vec::new(),
            labels: Vec::new(),
            shared: Vec::new(),
            initial: 0,
        }
    }

    pub fn add(&mut self, node: Node, stand: Stand) -> NodeId {
        self.nodes.push((node, stand));
        self.nodes.len() - 1
    }

    /// Says where an [`Node::Onward`] goes on.
    pub fn lead(&mut self, from: NodeId, to: NodeId) {
        self.nodes[from].0 = Node::Onward(Some(to));
    }

    /// Where an [`Node::Onward`] goes on.
    pub fn onward(&self, from: NodeId) -> Option<NodeId> {
        match self.nodes[from].0 {
            Node::Onward(to) => to,
            _ => None,
        }
    }

    /// Gives an [`Node::Either`] one more branch.
    pub fn branch(&mut self, either: NodeId, to: NodeId) {
        if let Node::Either { branches } = &mut self.nodes[either].0 {
            branches.push(to);
        }
    }

    /// Gives a [`Node::Point`] one more arc.
    pub fn arc(&mut self, point: NodeId, arc: Arc<S>) -> ArcId {
        self.arcs.push(arc);
        let id = self.arcs.len() - 1;
        if let Node::Point { arcs } = &mut self.nodes[point].0 {
            arcs.push(id);
        }
        id
    }

    /// Gives arcs to the locations that have one of the labels, or without these to all that are not
    /// final.
    pub fn share(&mut self, labels: Option<Vec<String>>, arcs: Vec<Arc<S>>) {
        let first = self.arcs.len();
        self.arcs.extend(arcs);
        self.shared.push(Shared {
            labels,
            arcs: (first..self.arcs.len()).collect(),
        });
    }

    /// Says where a test leads.
    pub fn test_leads(&mut self, arc: ArcId, to_then: NodeId, to_otherwise: NodeId) {
        if let Way::Test {
            then, otherwise, ..
        } = &mut self.arcs[arc].way
        {
            *then = to_then;
            *otherwise = to_otherwise;
        }
    }

    /// How many nodes and arcs there are.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.arcs.len()
    }

    /// The point, `either` or end that control is at when it is led to `node`, or `None` where it
    /// goes round without a step.
    pub fn resolve(&self, mut node: NodeId) -> Option<NodeId> {
        for _ in 0..=self.nodes.len() {
            match &self.nodes.get(node)?.0 {
                Node::Onward(next) => node = (*next)?,
                _ => return Some(node),
            }
        }
        None
    }

    /// The nodes that control passes from `node` on if it comes back there without a step.
    pub fn round(&self, node: NodeId) -> Option<Vec<NodeId>> {
        let mut passed = vec![node];
        while passed.len() <= self.nodes.len() {
            match self.onward(*passed.last()?)? {
                next if next == node => return Some(passed),
                next => passed.push(next),
            }
        }
        None
    }

    /// All nodes that are next at once when control is at `node`, itself included.
    fn at_once(&self, node: NodeId) -> Vec<NodeId> {
        let mut met = vec![node];
        let mut known: rustc_hash::FxHashSet<NodeId> = met.iter().copied().collect();
        let mut next = 0;
        while next < met.len() {
            match &self.nodes[met[next]].0 {
                Node::Onward(to) => met.extend(to.filter(|to| known.insert(*to))),
                Node::Either { branches } => {
                    met.extend(branches.iter().copied().filter(|to| known.insert(*to)));
                }
                Node::Point { .. } | Node::End => {}
            }
            next += 1;
        }
        met
    }

    /// The nodes that an arc leads to, whatever its guard says, unless literals and constants alone
    /// decide otherwise.
    fn led_to(&self, arc: ArcId) -> [Option<NodeId>; 2] {
        let arc = &self.arcs[arc];
        if arc.dead {
            return [None, None];
        }
        match arc.way {
            Way::To(node) => [Some(node), None],
            Way::Test {
                then,
                otherwise,
                decided,
            } => [
                (decided != Some(false)).then_some(then),
                (decided != Some(true)).then_some(otherwise),
            ],
            Way::Same | Way::Nowhere => [None, None],
        }
    }

    /// Not all of them where the analysis is to end.
    pub fn locations(&self, interrupt: &Interrupt<'_>) -> Locations {
        self.locations_within(MOST_NEXT, interrupt)
    }

    fn locations_within(&self, most_next: usize, interrupt: &Interrupt<'_>) -> Locations {
        let mut found = Locations {
            reached: vec![false; self.nodes.len()],
            taken: vec![false; self.arcs.len()],
            number: vec![None; self.nodes.len()],
            ..Locations::default()
        };
        let mut is_location = vec![false; self.nodes.len()];
        let mut open: Vec<NodeId> = self.resolve(self.initial).into_iter().collect();
        if !self.nodes.is_empty() {
            self.pass(self.initial, &mut found.reached);
        }
        let labels_of = self.labels_of_nodes();
        let mut at_location: Vec<(NodeId, Here)> = Vec::new();
        let mut total = 0;
        for &node in &open {
            is_location[node] = true;
        }
        while let Some(node) = open.pop() {
            let next = self.at_once(node);
            total += next.len();
            if total > most_next {
                found.too_large = true;
                break;
            }
            if interrupt.is_due() {
                break;
            }
            for &point in &next {
                found.reached[point] = true;
            }
            let here = self.here(&next, &labels_of);
            total += here.arcs.len();
            for &arc in &here.arcs {
                if std::mem::replace(&mut found.taken[arc], true) {
                    continue;
                }
                for to in self.led_to(arc).into_iter().flatten() {
                    self.pass(to, &mut found.reached);
                    if let Some(to) = self.resolve(to)
                        && !std::mem::replace(&mut is_location[to], true)
                    {
                        open.push(to);
                    }
                }
            }
            at_location.push((node, here));
        }
        at_location.sort_unstable_by_key(|(node, _)| *node);
        self.describe(at_location, &labels_of, &mut found);
        found
    }

    /// For each node the numbers of the labels that hold there.
    fn labels_of_nodes(&self) -> Vec<Vec<usize>> {
        let mut labels_of: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (index, label) in self.labels.iter().enumerate() {
            if let Some(node) = self.resolve(label.node) {
                labels_of[node].push(index);
            }
        }
        labels_of
    }

    /// What belongs to the location at which these nodes are next.
    fn here(&self, next: &[NodeId], labels_of: &[Vec<usize>]) -> Here {
        let mut here = Here::default();
        for &point in next {
            match &self.nodes[point].0 {
                Node::Point { arcs } => here.arcs.extend(arcs),
                Node::End => here.is_final = true,
                _ => {}
            }
            here.labels.extend(&labels_of[point]);
        }
        let mut labels = here.labels.iter().map(|label| &self.labels[*label]);
        here.is_final |= labels.any(|label| label.is_final);
        for shared in &self.shared {
            let mut labels = here.labels.iter().map(|label| &self.labels[*label]);
            let has_them = match &shared.labels {
                None => !here.is_final,
                Some(names) => labels.any(|label| label.visible && names.contains(&label.name)),
            };
            if has_them {
                here.arcs.extend(&shared.arcs);
            }
        }
        here.arcs.sort_unstable();
        here
    }

    /// Marks what control passes on the way from `node` to where it is then.
    fn pass(&self, mut node: NodeId, reached: &mut [bool]) {
        for _ in 0..=self.nodes.len() {
            reached[node] = true;
            match &self.nodes[node].0 {
                Node::Onward(Some(next)) => node = *next,
                _ => return,
            }
        }
    }

    fn describe(
        &self,
        at_location: Vec<(NodeId, Here)>,
        labels_of: &[Vec<usize>],
        found: &mut Locations,
    ) {
        let mut position: rustc_hash::FxHashMap<&str, usize> = Default::default();
        for label in self.labels.iter().filter(|label| label.visible) {
            if !position.contains_key(label.name.as_str()) {
                position.insert(&label.name, found.named.len());
                found.named.push((label.name.clone(), Vec::new()));
            }
        }
        let mut on_line: rustc_hash::FxHashMap<u32, u32> = Default::default();
        for (number, (node, here)) in at_location.iter().enumerate() {
            for label in here.labels.iter().map(|label| &self.labels[*label]) {
                if let Some(&position) = position.get(label.name.as_str())
                    && label.visible
                {
                    let holds = &mut found.named[position].1;
                    if holds.last() != Some(&(number as u32)) {
                        holds.push(number as u32);
                    }
                }
            }
            let (kind, stand) = &self.nodes[*node];
            let label = labels_of[*node]
                .iter()
                .map(|&label| &self.labels[label])
                .find(|label| label.visible);
            let name = match (kind, label) {
                (Node::End, _) => String::from("end"),
                (_, Some(label)) => label.name.clone(),
                _ => {
                    let count = on_line.entry(stand.line).or_default();
                    *count += 1;
                    match count {
                        1 => format!("{ON_LINE}{}", stand.line),
                        _ => format!("{ON_LINE}{} ({count})", stand.line),
                    }
                }
            };
            found.number[*node] = Some(number as u32);
            found.nodes.push(*node);
            found.arcs.push(here.arcs.clone());
            found.is_final.push(here.is_final);
            found.names.push(name);
            found.stands.push(*stand);
        }
    }

    /// The number of the location that control is at when it is led to `node`, if the process can
    /// be there.
    pub fn location(&self, locations: &Locations, node: NodeId) -> Option<u32> {
        locations.number[self.resolve(node)?]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_system::source::FileId;

    #[test]
    fn as_many_points_as_allowed_are_next_at_once() {
        let stand = Stand {
            span: Span::new(FileId(0), 0, 0),
            line: 1,
        };
        let mut graph: Graph<()> = Graph::new();
        let branches = (0..9).map(|_| graph.add(Node::End, stand)).collect();
        graph.initial = graph.add(Node::Either { branches }, stand);
        // The choice itself is one of them.
        let is_too_large = |most| {
            let found = graph.locations_within(most, &Interrupt::new(&|| false));
            assert_eq!(found.nodes.len(), usize::from(!found.too_large));
            found.too_large
        };
        assert_eq!([9, 10, 11].map(is_too_large), [true, false, false]);
    }
}
