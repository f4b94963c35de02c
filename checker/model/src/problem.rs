//! What is wrong, or odd, in the text: the messages of `language.md` §8, as plain values.

use stubborn_syntax::SyntaxError;
use stubborn_system::source::Span;

use crate::spans::Spans;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning.
    Error,
    Warning,
    Hint,
}

/// One message about the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    pub code: Code,
    pub severity: Severity,
    /// What is wrong and what would mend it, a sentence or two.
    pub message: String,
    /// Where, or `None` where no text is at fault.
    pub span: Option<Span>,
    /// Other places that belong to it: the first declaration of a duplicate, say.
    pub related: Vec<(Span, String)>,
    /// What would mend it, for who can write it into the text.
    pub mend: Option<Mend>,
}

impl Spans for Problem {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        self.span.each_span(each);
        self.related.iter_mut().for_each(|(span, _)| each(span));
    }
}

/// What would mend a problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mend {
    /// This in the place of what is at fault.
    Instead(String),
    /// A type that has this value too.
    Fit(i64),
    /// A channel that holds so many messages.
    Capacity(usize),
    /// A step for each of these actions, as they are written after `on`.
    Steps(Vec<String>),
}

/// What is said of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub text: String,
    pub mend: Option<Mend>,
    /// Other places that belong to the problem, with what is there.
    pub related: Vec<(Span, String)>,
}

impl Words {
    pub fn new(text: impl Into<String>, mend: Option<Mend>) -> Words {
        Words {
            text: text.into(),
            mend,
            related: Vec::new(),
        }
    }

    /// The problem that they are about.
    pub fn problem(self, code: Code, severity: Severity, span: Option<Span>) -> Problem {
        Problem {
            code,
            severity,
            message: self.text,
            span,
            related: self.related,
            mend: self.mend,
        }
    }

    /// With one more place that belongs to the problem.
    pub fn see(mut self, place: Span, note: impl Into<String>) -> Words {
        self.related.push((place, note.into()));
        self
    }

    /// Of something that this in its place would mend.
    pub fn instead(text: impl Into<String>, instead: Option<impl Into<String>>) -> Words {
        let mend = instead.map(|instead| Mend::Instead(instead.into()));
        Words::new(text, mend)
    }
}

impl From<&SyntaxError> for Words {
    fn from(error: &SyntaxError) -> Words {
        let message = match &error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message.clone(),
        };
        Words::instead(message, error.instead())
    }
}

impl From<String> for Words {
    fn from(text: String) -> Words {
        Words::new(text, None)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        Words::new(text, None)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// What kind of mistake it is. The text of a code is a contract for scripts and editors.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $name),* }

        impl Code {
            /// As it stands in the output: `unknown-name`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text),* }
            }
        }
    };
}

codes! {
    /// The text does not follow the grammar.
    Syntax = "syntax",
    UnknownName = "unknown-name",
    DuplicateName = "duplicate-name",
    /// A name that may not be declared: a built-in function, an action `tau`, a property `errors`.
    ReservedName = "reserved-name",
    WrongType = "wrong-type",
    /// Too few or too many arguments, indices or parameters.
    WrongArguments = "wrong-arguments",
    /// A constant that is outside its type.
    OutsideType = "outside-type",
    /// A constant index, instance, shift, division by zero or overflow that fails.
    ConstantFails = "constant-fails",
    /// Something that must be constant is not.
    NotConstant = "not-constant",
    /// `lo..hi` with no value.
    EmptyType = "empty-type",
    NotAssignable = "not-assignable",
    UnknownState = "unknown-state",
    /// A state or statement that its own process's steps never reach.
    Unreachable = "unreachable",
    NoInitialState = "no-initial-state",
    SeveralInitialStates = "several-initial-states",
    /// States and statements in one body.
    MixedBody = "mixed-body",
    /// An action that no step mentions, or that an instance has in its alphabet without a step.
    ActionNeverTaken = "action-never-taken",
    NeverRead = "never-read",
    UnusedParameter = "unused-parameter",
    /// A cycle of definitions, types, constants or macros.
    Cycle = "cycle",
    UseCycle = "use-cycle",
    MissingFile = "missing-file",
    /// A `param` set from outside its range.
    ParameterOutsideRange = "parameter-outside-range",
    /// A type, a number of instances or an expansion that is too large to check.
    TooLarge = "too-large",
    LoopWithoutStep = "loop-without-step",
    BreakOutsideLoop = "break-outside-loop",
    /// Two participants of a joint step touch the same shared variable.
    JointConflict = "joint-conflict",
    /// A clause or an item where it may not stand: `next` in a formula, a setting in a tester file.
    Misplaced = "misplaced",
    NextInFormula = "next-in-formula",
    /// A tester that breaks Definition 3.1.
    BadTester = "bad-tester",
    /// A tester state that leaves out a visible action.
    MissingVisibleAction = "missing-visible-action",
    NoPlaceToStop = "no-place-to-stop",
    /// An action with values that all who take part leave open, where other values are named.
    UndecidedValue = "undecided-value",
    /// Two steps of a state that one action can take to different states.
    AmbiguousStep = "ambiguous-step",
    /// A Büchi automaton without a state that accepts a run that ends.
    NothingOfEnds = "nothing-of-ends",
    /// A local variable with the name of a shared one.
    HidesShared = "hides-shared",
    /// Two statements on a line, the second of which begins with a clause.
    StatementsOnOneLine = "statements-on-one-line",
    /// A clause that continues a step from a line before and stands no deeper than it.
    ClauseContinuesStep = "clause-continues-step",
    /// A limit on time was reached before all was read.
    Timeout = "timeout",
    /// A name on the command line that does not exist: a file, a property, a parameter.
    CommandLine = "command-line",
}
