//! Bodies: from states or statements to the control flow of one instance (`language.md` §5).
//!
//! What a step does is not looked at here, since an expression may speak of where any process is;
//! each step is kept as it stands in the text, with the names around it, until every instance has
//! its locations.

mod decided;
pub(crate) mod graph;
mod jumps;
mod macro_cycles;
mod macros;
pub(crate) mod reach;
mod shared;
mod statements;
mod states;
mod step_names;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::{Env, Symbol, SymbolKind};
use crate::problem::{Code, Words};
use crate::spans::{first_token, span_of};
use stubborn_system::source::{FileId, Span};

use graph::{Graph, Locations, NodeId};

pub(crate) use macro_cycles::check_cycles;
pub(crate) use macros::{MacroScope, expansion, is_word, opaque_parameters, own_macros};

/// One step of the text, or a test, with the names around it.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub act: Act,
    pub env: Env,
    pub span: Span,
    /// Which macros may be called in it.
    pub macros: MacroScope,
    /// Within a macro the call of it, the outermost one.
    pub call: Option<Span>,
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A step with its clauses.
    Step(ast::Step),
    /// A statement that is short for a step.
    Simple {
        guard: Option<ast::Expr>,
        effects: Vec<ast::Effect>,
    },
    /// The test of an `if` or a `while`.
    Test(Option<ast::Expr>),
}

/// The control flow of one instance.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub graph: Graph<Planned>,
    pub locations: Locations,
    /// States and statements, to tell which are never reached.
    pub met: Vec<Met>,
    /// The body has a mistake in its control flow, of which unreached statements may be a mere
    /// consequence.
    pub mistaken: bool,
    /// It is not whole, since it would be too large.
    pub too_large: bool,
}

impl Layout {
    /// The first place of each name of a step.
    pub fn step_names(&self) -> FxHashMap<String, Span> {
        let mut names = FxHashMap::default();
        for step in self.graph.arcs.iter().map(|arc| &arc.step) {
            if let Some(name) = step.name() {
                let span = span_of(step.env.file, &name);
                names.entry(name.text()).or_insert(span);
            }
        }
        names
    }

    /// Places of the names in scope outside.
    pub fn places(&self) -> FxHashMap<&str, Span> {
        let mut places = FxHashMap::default();
        for label in self.graph.labels.iter().filter(|label| label.visible) {
            if let Some(span) = label.span {
                places.entry(label.name.as_str()).or_insert(span);
            }
        }
        places
    }
}

/// A state or a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub span: Span,
    pub node: NodeId,
    /// The statement before it in its block.
    pub before: Option<usize>,
    /// The statement that it is part of.
    pub around: Option<usize>,
    pub is_state: bool,
}

/// How deep blocks may be nested, macros written out.
pub(crate) const DEEPEST_BLOCKS: u32 = 400;

pub(crate) fn too_deep() -> String {
    format!(
        "with macros written out, more than {DEEPEST_BLOCKS} blocks stand in each other here, too \
             many to check"
    )
}

/// How large the control flow of all instances together may become.
pub(crate) const LARGEST_FLOW: usize = 200_000;

/// A `goto`, whose label may come later in the text.
struct Jump {
    node: NodeId,
    name: String,
    /// The label's name, or within a macro the call.
    span: Span,
    /// Index into [`Builder::labels`].
    labels: usize,
    branch: usize,
}

/// Where a label is declared, and the nodes that it labels: one for each value of the `either for`s
/// around it.
struct Declared {
    span: Span,
    /// With the number of the branch that it is in.
    nodes: Vec<(NodeId, usize)>,
}

/// Steps that belong to every location that is not final.
struct OfAny {
    /// The words `in any`.
    span: Span,
    /// The numbers of their arcs.
    arcs: std::ops::Range<usize>,
}

/// Lays out one body.
pub(crate) struct Builder<'e, 'p> {
    pub elaborator: &'e mut Elaborator<'p>,
    pub file: FileId,
    graph: Graph<Planned>,
    met: Vec<Met>,
    /// Labels in each scope: the body's, and one for each expansion of a macro.
    labels: Vec<FxHashMap<String, Declared>>,
    jumps: Vec<Jump>,
    /// The node of each `continue`, and where it stands.
    rounds: Vec<(NodeId, Span)>,
    /// For each branch of an `either for`, for one value, the branch that it is in. Both are counted
    /// from 1, 0 being the body.
    branches: Vec<usize>,
    of_any: Vec<OfAny>,
    mistaken: bool,
    /// How many nodes and arcs there may be.
    room: usize,
    /// Something was left out, since there was no room for it.
    is_full: bool,
}

impl<'e, 'p> Builder<'e, 'p> {
    /// `used` is the size of what has been laid out before.
    pub fn new(elaborator: &'e mut Elaborator<'p>, file: FileId, used: usize) -> Self {
        Builder {
            elaborator,
            file,
            graph: Graph::new(),
            met: Vec::new(),
            labels: vec![FxHashMap::default()],
            jumps: Vec::new(),
            rounds: Vec::new(),
            branches: Vec::new(),
            of_any: Vec::new(),
            mistaken: false,
            room: LARGEST_FLOW.saturating_sub(used),
            is_full: false,
        }
    }

    /// Lays out the body of a process. `name` is the process's name.
    pub fn body(
        mut self,
        body: Option<&ast::Body>,
        name: Span,
        env: &Env,
        macros: MacroScope,
    ) -> Layout {
        let of_states = body.is_some_and(|body| self.is_of_states(body));
        match body {
            Some(body) if of_states => {
                self.states(body, name, env, &macros);
                self.statements_of(body, name, env, macros.clone(), false);
                self.shared_steps(body, env, &macros, true);
            }
            Some(body) => {
                self.statements_of(body, name, env, macros.clone(), true);
                if body.states().next().is_some() {
                    self.states(body, name, env, &macros);
                }
                self.shared_steps(body, env, &macros, false);
            }
            None => self.empty(name),
        }
        self.finish(name)
    }

    /// Whether the body is made of states; a message where it is of both kinds.
    fn is_of_states(&mut self, body: &ast::Body) -> bool {
        let mut of_states = None;
        for item in body.items() {
            let is_state = match &item {
                ast::BodyItem::State(_) => true,
                ast::BodyItem::Statement(_) => false,
                _ => continue,
            };
            match of_states {
                None => of_states = Some(is_state),
                Some(first) if first != is_state => {
                    self.mistaken = true;
                    let message = if first {
                        "this is a statement, but the body is made of states; as a step of a \
                         state it can stand here"
                    } else {
                        "this is a state, but the body is made of statements; a body is made of \
                         one kind alone"
                    };
                    self.problem(Code::MixedBody, first_token(self.file, &item), message);
                    break;
                }
                Some(_) => {}
            }
        }
        of_states == Some(true)
    }

    /// Lays out the statements of a macro by itself.
    pub fn macro_body(
        mut self,
        block: &ast::Block,
        name: Span,
        env: &Env,
        macros: &MacroScope,
    ) -> Layout {
        let statements: Vec<ast::Statement> = block.statements().collect();
        self.macro_alone(&statements, name, env, macros.clone());
        self.finish(name)
    }

    fn finish(mut self, name: Span) -> Layout {
        self.lead_jumps();
        let locations = self.graph.locations(&self.elaborator.interrupt);
        self.warn_of_none(&locations.taken);
        self.declare_steps(&locations);
        if self.graph.size() > self.room {
            self.leaves_out(name);
        }
        let too_large = locations.too_large || self.is_full;
        if locations.too_large {
            self.mistaken = true;
            let message = "too many branches and statements are next at once, all its `either`s together; \
                 a step before one of them would mend it";
            self.problem(Code::TooLarge, name, message);
        }
        Layout {
            locations,
            graph: self.graph,
            met: self.met,
            mistaken: self.mistaken,
            too_large,
        }
    }

    pub(super) fn problem(&mut self, code: Code, span: Span, words: impl Into<Words>) {
        self.elaborator.error(code, span, words);
    }

    /// Makes the symbol of a state or a label.
    pub(super) fn declare(&mut self, name: &str, span: Span, kind: SymbolKind) {
        self.elaborator
            .symbols
            .declare(Symbol::new(name, kind, span));
    }

    /// The line on which it begins, from 1.
    pub(super) fn line(&self, span: Span) -> u32 {
        let program = self.elaborator.program;
        program.file(span.file).position(span.start).line
    }

    /// Whether there is room for one more node; tells it once where there is not.
    pub(super) fn has_room(&mut self, at: Span) -> bool {
        if self.elaborator.interrupt.is_due() {
            return false;
        }
        if self.graph.size() < self.room {
            return true;
        }
        self.leaves_out(at);
        false
    }

    /// Tells once that there is no room.
    fn leaves_out(&mut self, at: Span) {
        self.mistaken = true;
        self.is_full = true;
        self.elaborator.blame();
        if std::mem::replace(&mut self.elaborator.flow_told, true) {
            return;
        }
        let message = format!(
            "the processes, with `either for` and macros expanded, have more than \
                 {LARGEST_FLOW} statements and steps, which is too large to check"
        );
        self.elaborator.error(Code::TooLarge, at, message);
    }
}
