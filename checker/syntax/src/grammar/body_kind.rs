//! Kinds of bodies.

/// Whose body it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Process,
    Tester,
    Specification,
    Buchi,
    Testing,
}

impl BodyKind {
    pub(crate) fn article(self) -> &'static str {
        match self {
            BodyKind::Process => "a process",
            BodyKind::Tester => "a tester",
            BodyKind::Specification => "a specification",
            BodyKind::Buchi => "a Büchi automaton",
            BodyKind::Testing => "a testing automaton",
        }
    }
}
