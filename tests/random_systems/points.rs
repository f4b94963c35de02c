//! The points of control of a process (`language.md` §5): one for each state; in statements one
//! before each primitive statement, each test and each `either`, and `end`.
//!
//! Statements are turned into nodes that know what is next. Nothing but a primitive statement, a
//! test or an `either` is a node; `loop`, `break` and the end of a block only say which node
//! follows. An `either` offers the first steps of all its branches, through nested ones too.

use super::expand;
use super::state::product;
use stubborn_random::model::{Body, Expr, Kind, Model, Process, Statement, Step, Sync};
use stubborn_random::value::Value;

pub type Bound = Vec<(String, Value)>;

#[derive(Clone, Debug)]
pub struct Point {
    /// The state's name or the label that names it.
    pub label: Option<String>,
    /// The states and labels at which an instance is that is here.
    pub holds: Vec<String>,
    pub is_final: bool,
    pub moves: Vec<PointMove>,
    /// The steps that stand here in the text, for the alphabet: those of an `either` stand at
    /// its branches.
    pub mentioned: Vec<(Bound, Step)>,
    /// The statement, and before it the calls of the macros that it stands in.
    pub trail: Vec<usize>,
    /// Whether the process's own steps lead here, whatever its guards and tests say.
    pub is_reached: bool,
}

#[derive(Clone, Debug)]
pub struct PointMove {
    pub bound: Bound,
    pub what: What,
    /// Where it stands in the text, as in [`Point::trail`].
    pub trail: Vec<usize>,
}

#[derive(Clone, Debug)]
pub enum What {
    Step(Step, usize),
    /// `if` and `while`: one step to the first point or to the second.
    Test(Expr, usize, usize),
}

pub fn of(model: &Model, p: &Process) -> Vec<Point> {
    let mut points = match &p.body {
        Body::States(states) => states
            .iter()
            .map(|s| {
                let steps = s
                    .steps
                    .iter()
                    .flat_map(|(step, target)| each(&vec![], step, *target));
                Point {
                    label: Some(s.name.clone()),
                    holds: vec![s.name.clone()],
                    is_final: s.is_final,
                    moves: steps.collect(),
                    mentioned: vec![],
                    trail: vec![],
                    is_reached: false,
                }
            })
            .collect(),
        Body::Statements(statements) => Nodes::of(model, statements),
    };
    for point in &mut points {
        if matches!(p.body, Body::States(_)) {
            point.mentioned = mentioned(&point.moves);
        }
    }
    mark_reached(&mut points);
    points
}

/// One move for each value of the step's `for`.
fn each(bound: &Bound, step: &Step, target: usize) -> Vec<PointMove> {
    let types: Vec<_> = step.each.iter().map(|(_, t)| t.values()).collect();
    let values = product(&types).into_iter();
    values
        .map(|values| {
            let names = step.each.iter().map(|(n, _)| n.clone());
            PointMove {
                bound: bound.iter().cloned().chain(names.zip(values)).collect(),
                what: What::Step(step.clone(), target),
                trail: vec![step.id],
            }
        })
        .collect()
}

fn mentioned(moves: &[PointMove]) -> Vec<(Bound, Step)> {
    moves
        .iter()
        .filter_map(|m| match &m.what {
            What::Step(step, _) if matches!(step.sync, Sync::On(..)) => {
                Some((m.bound.clone(), step.clone()))
            }
            _ => None,
        })
        .collect()
}

fn mark_reached(points: &mut [Point]) {
    let mut open = vec![0];
    while let Some(k) = open.pop() {
        if std::mem::replace(&mut points[k].is_reached, true) {
            continue;
        }
        for m in &points[k].moves {
            match &m.what {
                What::Step(_, target) => open.push(*target),
                What::Test(Expr::Literal(Value::Bool(true)), then, _) => open.push(*then),
                What::Test(_, then, otherwise) => open.extend([*then, *otherwise]),
            }
        }
    }
}

type NodeId = usize;

enum Node {
    /// The start of a loop: not a place to be, but another name for its first statement.
    Start(Option<NodeId>),
    Moves(Vec<PointMove>),
    Either(Vec<NodeId>),
    End,
}

/// The nodes of one process while they are made. Targets of moves are nodes until the end.
struct Nodes<'a> {
    model: &'a Model,
    nodes: Vec<(Node, Vec<usize>)>,
    /// Labels, whether they are final, and the node that each stands before.
    labels: Vec<(String, bool, NodeId)>,
    end: NodeId,
}

/// Where control can get from statements without a step.
#[derive(PartialEq)]
enum Leaves {
    Never,
    /// To what follows.
    Onwards,
    /// Out of the loop around them.
    Loop,
}

/// Where the statements being read stand.
#[derive(Clone)]
struct Context {
    bound: Bound,
    /// What a `break` leads to.
    after_loop: Option<NodeId>,
    calls: Vec<usize>,
}

impl<'a> Nodes<'a> {
    fn of(model: &'a Model, statements: &[Statement]) -> Vec<Point> {
        let mut this = Nodes {
            model,
            nodes: vec![],
            labels: vec![],
            end: 0,
        };
        this.end = this.add(Node::End, vec![]);
        let context = Context {
            bound: vec![],
            after_loop: None,
            calls: vec![],
        };
        let first = this.block(statements, this.end, &context);
        this.points(first)
    }

    fn add(&mut self, node: Node, trail: Vec<usize>) -> NodeId {
        self.nodes.push((node, trail));
        self.nodes.len() - 1
    }

    /// The node at which a block begins that `next` follows.
    fn block(&mut self, statements: &[Statement], next: NodeId, context: &Context) -> NodeId {
        statements
            .iter()
            .rev()
            .fold(next, |next, s| self.statement(s, next, context))
    }

    /// A branch of an `either`: where it could be left without a step it begins with a `skip`, which
    /// has the labels of its first statement.
    fn branch(&mut self, body: &[Statement], next: NodeId, context: &Context) -> NodeId {
        if self.leaves(body) == Leaves::Never {
            return self.block(body, next, context);
        }
        let mut body = body.to_vec();
        let skip = Statement {
            id: body.first().map_or(0, |first| first.id),
            labels: (body.first_mut()).map_or(vec![], |first| std::mem::take(&mut first.labels)),
            kind: Kind::Skip,
        };
        let is_empty = body.is_empty();
        body.insert(0, skip);
        let node = self.block(&body, next, context);
        // An empty branch has no statement to stand at.
        if let (true, (Node::Moves(moves), trail)) = (is_empty, &mut self.nodes[node]) {
            moves.iter_mut().for_each(|m| m.trail.clear());
            trail.clear();
        }
        node
    }

    /// How statements can be left without a step.
    fn leaves(&self, statements: &[Statement]) -> Leaves {
        for s in statements {
            let leaves = match &s.kind {
                Kind::Break => Leaves::Loop,
                Kind::Loop(body) => match self.leaves(body) {
                    Leaves::Loop => Leaves::Onwards,
                    other => other,
                },
                Kind::Call(m, arguments) => {
                    self.leaves(&expand::call(&self.model.macros[*m], arguments))
                }
                Kind::Step(_)
                | Kind::Skip
                | Kind::Stop
                | Kind::If(..)
                | Kind::While(..)
                | Kind::Either(_) => Leaves::Never,
            };
            if leaves != Leaves::Onwards {
                return leaves;
            }
        }
        Leaves::Onwards
    }

    fn statement(&mut self, s: &Statement, next: NodeId, context: &Context) -> NodeId {
        let trail: Vec<_> = context.calls.iter().copied().chain([s.id]).collect();
        let here = |what| PointMove {
            bound: context.bound.clone(),
            what,
            trail: trail.clone(),
        };
        let plain = |target| {
            let step = Step {
                id: s.id,
                each: vec![],
                sync: Sync::Free,
                guard: None,
                effects: vec![],
            };
            What::Step(step, target)
        };
        let node = match &s.kind {
            Kind::Step(step) => {
                let mut moves = each(&context.bound, step, next);
                moves.iter_mut().for_each(|m| m.trail = trail.clone());
                self.add(Node::Moves(moves), trail)
            }
            Kind::Skip => self.add(Node::Moves(vec![here(plain(next))]), trail.clone()),
            Kind::Stop => self.add(Node::Moves(vec![here(plain(self.end))]), trail.clone()),
            Kind::Break => context.after_loop.expect("`break` stands in a loop"),
            Kind::If(condition, then, otherwise) => {
                let then = self.block(then, next, context);
                let otherwise = self.block(otherwise, next, context);
                let test = here(What::Test(condition.clone(), then, otherwise));
                self.add(Node::Moves(vec![test]), trail.clone())
            }
            Kind::While(condition, body) => {
                let start = self.add(Node::Start(None), vec![]);
                let inside = Context {
                    after_loop: Some(next),
                    ..context.clone()
                };
                let body = self.block(body, start, &inside);
                let test = here(What::Test(condition.clone(), body, next));
                let node = self.add(Node::Moves(vec![test]), trail.clone());
                self.nodes[start].0 = Node::Start(Some(node));
                node
            }
            Kind::Loop(body) => {
                let start = self.add(Node::Start(None), vec![]);
                let inside = Context {
                    after_loop: Some(next),
                    ..context.clone()
                };
                let body = self.block(body, start, &inside);
                self.nodes[start].0 = Node::Start(Some(body));
                body
            }
            Kind::Either(branches) => {
                let mut entries = Vec::new();
                for branch in branches {
                    match &branch.each {
                        None => entries.push(self.branch(&branch.body, next, context)),
                        Some((name, ty)) => {
                            for value in ty.values() {
                                let mut inside = context.clone();
                                inside.bound.push((name.clone(), value));
                                entries.push(self.branch(&branch.body, next, &inside));
                            }
                        }
                    }
                }
                self.add(Node::Either(entries), trail)
            }
            Kind::Call(m, arguments) => {
                let m = &self.model.macros[*m];
                let body = expand::call(m, arguments);
                let inside = Context {
                    calls: trail,
                    ..context.clone()
                };
                let known = self.labels.len();
                let node = self.block(&body, next, &inside);
                // Labels in a macro are not seen outside.
                self.labels.truncate(known);
                node
            }
        };
        // The first in the text is to come first, and inner statements are made before outer.
        for (name, is_final) in s.labels.iter().rev() {
            self.labels.push((name.clone(), *is_final, node));
        }
        node
    }

    fn resolve(&self, mut node: NodeId) -> NodeId {
        for _ in 0..=self.nodes.len() {
            match self.nodes[node].0 {
                Node::Start(first) => node = first.expect("a loop has been closed"),
                _ => return node,
            }
        }
        panic!("a loop can be gone round without a step")
    }

    /// The nodes at which the first steps of an `either` stand, through nested ones.
    fn firsts(&self, node: NodeId, found: &mut Vec<NodeId>) {
        if let Node::Either(branches) = &self.nodes[node].0 {
            for branch in branches {
                let branch = self.resolve(*branch);
                if !found.contains(&branch) {
                    found.push(branch);
                    self.firsts(branch, found);
                }
            }
        }
    }

    fn points(&self, first: NodeId) -> Vec<Point> {
        let first = self.resolve(first);
        // The start comes first; the nodes that are no places to be are left out.
        let mut order = vec![first];
        let is_place = |n: &NodeId| *n != first && !matches!(self.nodes[*n].0, Node::Start(_));
        order.extend((0..self.nodes.len()).filter(is_place));
        let number = |n: NodeId| order.iter().position(|m| *m == self.resolve(n)).unwrap();
        let renumber = |m: &PointMove| {
            let what = match &m.what {
                What::Step(step, target) => What::Step(step.clone(), number(*target)),
                What::Test(e, then, otherwise) => {
                    What::Test(e.clone(), number(*then), number(*otherwise))
                }
            };
            PointMove { what, ..m.clone() }
        };
        let point = |n: &NodeId| {
            let mut here = vec![*n];
            self.firsts(*n, &mut here);
            let labels = |n: NodeId| {
                self.labels
                    .iter()
                    .rev()
                    .filter(move |(_, _, at)| self.resolve(*at) == n)
            };
            let mut moves = Vec::new();
            let mut holds = Vec::new();
            let mut is_final = false;
            for m in &here {
                match &self.nodes[*m].0 {
                    Node::Moves(list) => moves.extend(list.iter().map(renumber)),
                    Node::End => {
                        holds.push("end".to_string());
                        is_final = true;
                    }
                    _ => {}
                }
                holds.extend(labels(*m).map(|(name, _, _)| name.clone()));
                is_final |= labels(*m).any(|(_, is_final, _)| *is_final);
            }
            let own = match &self.nodes[*n].0 {
                Node::Moves(list) => mentioned(list),
                _ => vec![],
            };
            let is_end = matches!(self.nodes[*n].0, Node::End);
            Point {
                label: if is_end {
                    Some("end".to_string())
                } else {
                    labels(*n).next().map(|(name, _, _)| name.clone())
                },
                holds,
                is_final,
                moves,
                mentioned: own,
                trail: self.nodes[*n].1.clone(),
                is_reached: false,
            }
        };
        order.iter().map(point).collect()
    }
}
