//! Characters and operators of other languages, and what to write instead.

use rowan::TextRange;

use crate::SyntaxKind::{self, *};
use crate::error::SyntaxError;

/// What would mend a character, or some, that mean nothing here; `rest` stands behind them.
pub(crate) fn mend_unknown(text: &str, rest: &str) -> &'static str {
    match text {
        "~" | "¬" => "write `not`, or `!`",
        "/\\" | "∧" => "write `and`, or `&&`",
        "\\/" | "∨" => "write `or`, or `||`",
        "\\in" | "∈" => "write `in`",
        "\\A" | "∀" => "write `forall x in T: e`",
        "\\E" | "∃" => "write `exists x in T: e`",
        "\\notin" | "∉" => "write `not (e in {e, e})`",
        "\\*" => "comments begin with `//`",
        "~>" => "write `always (p implies eventually q)`",
        "#" if rest.starts_with("define") => {
            "write `const NAME = e`, `def NAME: e` or `macro NAME { … }`"
        }
        "#" if rest.starts_with("include") => "write `use \"FILE\"`",
        "#" => "comments begin with `//`; to compare, write `!=`",
        "≠" => "write `!=`",
        "^" => "for the bits of integers write `bit_xor(a, b)`",
        "'" => "names have no `'`: an assignment is written `x = e`",
        "`" | "$" => "names stand without quotation marks",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "→" => "write `->`",
        "⇒" => "write `implies`",
        "…" => "a range is written `lo..hi`",
        "\u{37e}" => "write `;`",
        _ if text.starts_with('\'') => {
            "names stand without quotation marks; the name of a file stands in `\"…\"`"
        }
        _ if text.starts_with(['“', '”', '„', '‘', '’', '«', '»']) => {
            "names stand without quotation marks; the name of a file stands in `\"…\"`"
        }
        _ if text.starts_with('\\') => "write `and`, `or`, `not`, `in`, `forall` and `exists`",
        _ if text.chars().all(|c| c.is_whitespace() || c == '\u{200B}') => {
            "white space is made of spaces, tabs and line ends"
        }
        _ => "names are made of the letters a to z, digits and `_`",
    }
}

/// A name with letters that names do not have.
pub(crate) fn foreign_name(name: &str, range: TextRange) -> SyntaxError {
    SyntaxError::new(format!("`{name}` cannot be a name"), range)
        .with_hint("names are made of the letters a to z, digits and `_`")
}

/// What an operator is read as that is made of characters which mean nothing here: that has been told.
pub(crate) fn unknown_operator(text: &str) -> Option<SyntaxKind> {
    Some(match text {
        "/\\" | "∧" => AND_KW,
        "\\/" | "∨" => OR_KW,
        "⇒" | "~>" => IMPLIES_KW,
        "#" | "≠" | "≤" | "≥" => EQ_EQ,
        "^" => PLUS,
        _ => return None,
    })
}
