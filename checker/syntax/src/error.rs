//! Mistakes in a text.

use rowan::TextRange;

/// A mistake in a text, or something in it that may surprise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where: the first token that does not belong, or the empty range after the token that
    /// something is missing after.
    pub range: TextRange,
    /// What would mend it.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// A mistake without a hint.
    pub fn new(message: impl Into<String>, range: TextRange) -> SyntaxError {
        SyntaxError {
            message: message.into(),
            range,
            hint: None,
        }
    }

    /// The same with what would mend it.
    pub fn with_hint(self, hint: impl Into<String>) -> SyntaxError {
        SyntaxError {
            hint: Some(hint.into()),
            ..self
        }
    }
}
