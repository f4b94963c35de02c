//! The nodes that are open, and those that have ended.

use super::{Event, Parser};
use crate::SyntaxKind;

/// A node that has begun.
#[must_use]
pub(crate) struct Marker(pub(super) u32);

/// A node that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompletedMarker {
    start: u32,
    kind: SyntaxKind,
}

impl Marker {
    /// Ends the node.
    pub(crate) fn complete(self, parser: &mut Parser<'_>, kind: SyntaxKind) -> CompletedMarker {
        parser.events[self.0 as usize] = Event::Start { kind, parent: 0 };
        parser.events.push(Event::Finish);
        CompletedMarker {
            start: self.0,
            kind,
        }
    }

    /// Gives the node up; what is in it belongs to the node around.
    pub(crate) fn abandon(self, parser: &mut Parser<'_>) {
        if self.0 as usize + 1 == parser.events.len() {
            parser.events.pop();
        }
    }
}

impl CompletedMarker {
    /// Begins a node that has this one as its first part.
    pub(crate) fn precede(self, parser: &mut Parser<'_>) -> Marker {
        let marker = parser.start();
        if let Event::Start { parent, .. } = &mut parser.events[self.start as usize] {
            *parent = marker.0 - self.start;
        }
        marker
    }

    pub(crate) fn kind(self) -> SyntaxKind {
        self.kind
    }
}
