//! What may stand in which kind of body.

use crate::ast::ModifierKind;
use crate::{SyntaxKind, SyntaxNode};

/// Whose body it is, in the words of its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Process,
    Specification,
    Tester,
    Buchi,
    Testing,
}

impl Owner {
    pub(super) fn of(body: &SyntaxNode) -> Option<Owner> {
        Some(match body.parent()?.kind() {
            SyntaxKind::PROCESS_DECL => Owner::Process,
            SyntaxKind::SPECIFICATION_DECL => Owner::Specification,
            SyntaxKind::TESTER_DECL => Owner::Tester,
            SyntaxKind::BUCHI_DECL => Owner::Buchi,
            SyntaxKind::TESTING_DECL => Owner::Testing,
            _ => return None,
        })
    }

    pub(super) fn article(self) -> &'static str {
        match self {
            Owner::Process => "a process",
            Owner::Specification => "a specification",
            Owner::Tester => "a tester",
            Owner::Buchi => "a Büchi automaton",
            Owner::Testing => "a testing automaton",
        }
    }

    pub(super) fn behaves_as_process(self) -> bool {
        matches!(self, Owner::Process | Owner::Specification)
    }

    pub(super) fn modifiers(self) -> &'static [ModifierKind] {
        use ModifierKind::*;
        match self {
            Owner::Process | Owner::Specification => &[Initial, Final],
            Owner::Tester | Owner::Testing => &[Initial, Reject, Deadlock, Livelock, Infinite],
            Owner::Buchi => &[Initial, Infinite, Reject, Deadlock],
        }
    }

    /// What one of its steps is made of.
    pub(super) fn step_form(self) -> &'static str {
        match self {
            Owner::Process => "a step is written `for … on … when … do … -> s`",
            Owner::Specification => "a specification's step is `for … on … when … do … -> s`",
            Owner::Tester => "a tester's step has `for`, `on` and `->` alone",
            Owner::Buchi => "a step of a Büchi automaton has `->` alone",
            Owner::Testing => "a step of a testing automaton has `change` and `->` alone",
        }
    }

    pub(super) fn allows_clause(self, clause: SyntaxKind) -> bool {
        use SyntaxKind::*;
        match self {
            Owner::Process => clause != CHANGE_CLAUSE,
            Owner::Specification => !matches!(clause, CHANGE_CLAUSE | SEND_CLAUSE | RECEIVE_CLAUSE),
            Owner::Tester => matches!(clause, FOR_CLAUSE | ON_CLAUSE | TARGET),
            Owner::Buchi => clause == TARGET,
            Owner::Testing => matches!(clause, CHANGE_CLAUSE | TARGET),
        }
    }
}
