//! Events to the tree. White space and comments go to the outermost node that they can: a node
//! begins with its first token and ends with its last.

use rowan::{GreenNode, GreenNodeBuilder, Language as _};

use crate::interrupt::{Interrupt, Interrupted};
use crate::lexer::Token;
use crate::parser::Event;
use crate::{MAX_TREE_DEPTH, Stubborn, SyntaxError, SyntaxKind};

/// Builds the tree. Nodes deeper than [`MAX_TREE_DEPTH`] are left out, with a message: their
/// tokens belong to the node around them.
pub(crate) fn build(
    text: &str,
    tokens: &[Token],
    mut events: Vec<Event>,
    interrupt: &Interrupt<'_>,
) -> Result<(GreenNode, Option<SyntaxError>), Interrupted> {
    interrupt.has_ended()?;
    let mut builder = TreeBuilder {
        text,
        tokens,
        at: 0,
        green: GreenNodeBuilder::new(),
        depth: 0,
        too_deep: None,
    };
    let mut forward = Vec::new();
    for index in 0..events.len() {
        if interrupt.is_due() {
            return Err(Interrupted);
        }
        match std::mem::replace(&mut events[index], Event::Abandoned) {
            Event::Start { kind, parent } => {
                forward.push(kind);
                let mut at = index;
                let mut distance = parent;
                while distance != 0 {
                    at += distance as usize;
                    distance = match std::mem::replace(&mut events[at], Event::Abandoned) {
                        Event::Start { kind, parent } => {
                            forward.push(kind);
                            parent
                        }
                        _ => 0,
                    };
                }
                for kind in forward.drain(..).rev() {
                    builder.start(kind);
                }
            }
            Event::Finish => builder.finish(),
            Event::Token => builder.token(),
            Event::Abandoned => {}
        }
    }
    Ok((builder.green.finish(), builder.too_deep))
}

struct TreeBuilder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    green: GreenNodeBuilder<'static>,
    depth: usize,
    too_deep: Option<SyntaxError>,
}

impl TreeBuilder<'_> {
    fn start(&mut self, kind: SyntaxKind) {
        self.depth += 1;
        if self.depth > MAX_TREE_DEPTH {
            self.refuse();
            return;
        }
        // The root has the white space at the beginning too.
        if self.depth > 1 {
            self.trivia();
        }
        self.green.start_node(Stubborn::kind_to_raw(kind));
    }

    fn finish(&mut self) {
        if self.depth == 1 {
            self.trivia();
        }
        if self.depth <= MAX_TREE_DEPTH {
            self.green.finish_node();
        }
        self.depth -= 1;
    }

    fn token(&mut self) {
        self.trivia();
        self.push();
    }

    fn trivia(&mut self) {
        while self
            .tokens
            .get(self.at)
            .is_some_and(|token| token.kind.is_trivia())
        {
            self.push();
        }
    }

    fn push(&mut self) {
        if let Some(token) = self.tokens.get(self.at) {
            self.green
                .token(Stubborn::kind_to_raw(token.kind), &self.text[token.range]);
            self.at += 1;
        }
    }

    fn refuse(&mut self) {
        if self.too_deep.is_none() {
            let next = self.tokens[self.at..]
                .iter()
                .find(|token| !token.kind.is_trivia());
            let range = next
                .or(self.tokens.last())
                .map(|token| token.range)
                .unwrap_or_default();
            self.too_deep = Some(
                SyntaxError::new(
                    format!("this has more than {MAX_TREE_DEPTH} parts one within the other"),
                    range,
                )
                .with_hint("give parts of it names of their own, with `def`"),
            );
        }
    }
}
