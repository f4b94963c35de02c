//! Which bracket closes which, known before the grammar reads them.

use crate::SyntaxKind;
use crate::lexer::Token;

/// What becomes of each token of a text as an opening bracket.
pub(crate) struct Brackets(Vec<Fate>);

/// What becomes of an opening bracket is known at a token that closes it or leaves it open, and depends
/// on nothing behind that one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fate {
    /// The token at which it is known, or how many tokens there are where it is known at none.
    pub known_at: u32,
    /// Whether that token closes it.
    pub is_closed: bool,
}

impl Brackets {
    /// Finds for each opening bracket its partner. A bracket of another kind that closes it only
    /// seemingly leaves it open.
    pub(crate) fn of(tokens: &[Token]) -> Brackets {
        let mut fates: Vec<Fate> = (0..tokens.len() as u32)
            .map(|known_at| Fate {
                known_at,
                is_closed: false,
            })
            .collect();
        let mut open: Vec<(SyntaxKind, usize)> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let known_at = index as u32;
            let opener = match token.kind {
                SyntaxKind::L_PAREN | SyntaxKind::L_BRACKET | SyntaxKind::L_BRACE => {
                    open.push((token.kind, index));
                    continue;
                }
                // No bracket but a brace goes on behind these.
                kind if crate::grammar::starts::ENDS_BRACKETS.contains(kind) => {
                    leave_open(&mut open, &mut fates, known_at);
                    continue;
                }
                SyntaxKind::R_PAREN => SyntaxKind::L_PAREN,
                SyntaxKind::R_BRACKET => SyntaxKind::L_BRACKET,
                SyntaxKind::R_BRACE => SyntaxKind::L_BRACE,
                _ => continue,
            };
            // A brace is never closed by what stands in parentheses that have no end, but it does
            // end these.
            if opener == SyntaxKind::L_BRACE {
                leave_open(&mut open, &mut fates, known_at);
            }
            if let Some(&(kind, start)) = open.last()
                && kind == opener
            {
                open.pop();
                fates[start] = Fate {
                    known_at,
                    is_closed: true,
                };
            }
        }
        for (_, start) in open {
            fates[start].known_at = tokens.len() as u32;
        }
        Brackets(fates)
    }

    /// What becomes of the token with this number; nothing of one that opens nothing.
    pub(crate) fn fate(&self, position: usize) -> Option<Fate> {
        self.0.get(position).copied()
    }
}

/// Leaves all brackets open that were opened behind the last open brace.
fn leave_open(open: &mut Vec<(SyntaxKind, usize)>, fates: &mut [Fate], known_at: u32) {
    while let Some((_, start)) = open.pop_if(|(kind, _)| *kind != SyntaxKind::L_BRACE) {
        fates[start].known_at = known_at;
    }
}
