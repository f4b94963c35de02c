//! The texts that the client has open. While a file is open, its text here is what counts, and not
//! what is on the disk.

use ropey::Rope;
use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use super::positions::char_index;

/// An open text, kept in a form in which an edit costs little however long the text is.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the client wrote it: what is published goes to this very name.
    pub url: Url,
    pub version: i32,
    text: Rope,
    /// Edited since the text was last taken.
    dirty: bool,
}

impl Document {
    pub fn open(url: Url, version: i32, text: &str) -> Document {
        Document {
            url,
            version,
            text: Rope::from_str(text),
            dirty: true,
        }
    }

    /// Applies the changes of one notification, one after the other.
    pub fn change(
        &mut self,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) {
        self.version = version;
        self.dirty = true;
        for change in changes {
            let Some(range) = change.range else {
                self.text = Rope::from_str(&change.text);
                continue;
            };
            let one = char_index(&self.text, range.start, encoding);
            let other = char_index(&self.text, range.end, encoding);
            let (start, end) = (one.min(other), one.max(other));
            self.text.remove(start..end);
            self.text.insert(start, &change.text);
        }
    }

    /// The text if it was edited since this was last called.
    pub fn take_edited(&mut self) -> Option<String> {
        std::mem::take(&mut self.dirty).then(|| self.text.to_string())
    }

    /// In bytes.
    pub fn length(&self) -> usize {
        self.text.len_bytes()
    }

    pub fn text(&self) -> String {
        self.text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stubborn_syntax::LineIndex;
    use tower_lsp::lsp_types::{Position, Range};

    use super::*;

    fn document(text: &str) -> Document {
        Document::open(Url::parse("untitled:a").unwrap(), 1, text)
    }

    fn replace(range: Option<Range>, text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_changes_of_one_notification_build_on_each_other() {
        let mut document = document("var x");
        let at = |character| Position::new(0, character);
        let changes = [
            replace(Some(Range::new(at(4), at(5))), "𝔸y"),
            replace(Some(Range::new(at(6), at(7))), "z"),
        ];
        document.change(2, &changes, Encoding::Utf16);
        assert_eq!(document.text(), "var 𝔸z");
        assert_eq!(document.version, 2);
    }

    #[test]
    fn a_change_without_a_range_is_the_whole_text() {
        let mut document = document("old");
        document.change(2, &[replace(None, "new")], Encoding::Utf8);
        assert_eq!(document.take_edited().as_deref(), Some("new"));
        assert_eq!(document.take_edited(), None);
    }

    #[test]
    fn a_range_that_is_the_wrong_way_round_or_outside_is_taken_as_a_place_in_the_text() {
        let mut document = document("abc");
        let range = Range::new(Position::new(7, 0), Position::new(0, 1));
        document.change(2, &[replace(Some(range), "x")], Encoding::Utf16);
        assert_eq!(document.text(), "ax");
    }

    proptest! {
        #[test]
        fn an_edit_of_the_rope_is_the_edit_of_the_text(
            text in "[ab\r\n𝔸é]{0,16}",
            with in "[x\r\n𝔹]{0,4}",
            lines in (0u32..4, 0u32..4),
            characters in (0u32..8, 0u32..8),
        ) {
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let start = Position::new(lines.0, characters.0);
                let end = Position::new(lines.1, characters.1);
                let mut document = document(&text);
                document.change(2, &[replace(Some(Range::new(start, end)), &with)], encoding);

                let index = LineIndex::new(&text);
                let offset = |Position { line, character }| {
                    let at = stubborn_syntax::Position { line, character };
                    usize::from(index.offset(at, encoding))
                };
                let (one, other) = (offset(start), offset(end));
                let (from, to) = (one.min(other), one.max(other));
                prop_assert_eq!(document.text(), format!("{}{with}{}", &text[..from], &text[to..]));
            }
        }
    }
}
