//! Where things stand that are remembered.

use std::cell::Cell;
use std::sync::Arc;

use crate::names::ItemId;
use crate::program::ParsedFile;
use stubborn_system::source::{FileId, Span};

/// Where the items of a memory stand now.
pub(crate) struct Moved {
    /// By file and place then: where the item stood, and where it stands now.
    pub(super) items: Vec<(Span, Span)>,
    /// The files then and now.
    pub(super) files: [Vec<Arc<ParsedFile>>; 2],
    /// The first place then from which on something may have moved; `None` where nothing has.
    still: Option<Span>,
    /// Of the places that were asked for, the one that is now the last.
    last: Cell<Option<Span>>,
    pub(super) changed: Option<(ItemId, Span)>,
    /// What it declares has as many variables, channels, actions and instances as before, and nothing else
    /// has more or fewer because of it.
    pub(super) numbers_stand: bool,
}

impl Moved {
    /// From files to files, of which no item is known yet.
    pub(super) fn between(
        before: Vec<Arc<ParsedFile>>,
        after: Vec<Arc<ParsedFile>>,
        items: usize,
    ) -> Moved {
        let mut moved = Moved {
            items: Vec::with_capacity(items),
            files: [before, after],
            still: None,
            last: Cell::new(None),
            changed: None,
            numbers_stand: true,
        };
        moved.find_still();
        moved
    }

    /// No place was asked for yet.
    pub(super) fn forget_last(&self) {
        self.last.set(None);
    }

    /// Of the places that were asked for, the one that is now the last, where it now is.
    pub(super) fn last(&self) -> Option<Span> {
        self.last.get()
    }

    /// What stands before the first byte that has changed stands where it stood, on the same line. A model
    /// has other files before it where it is read for a tester.
    fn find_still(&mut self) {
        let [before, after] = &self.files;
        let mut files = before.iter().zip(after).zip(0..);
        self.still = files.find_map(|((before, after), file)| {
            let start = match before.path == after.path {
                true => first_difference(before.text.as_bytes(), after.text.as_bytes())?,
                false => 0,
            };
            Some(Span::new(FileId(file), start as u32, start as u32))
        });
    }

    /// Whether all that stood before this place stands where it stood, and nothing of it in what has changed.
    pub(super) fn stands_still(&self, before: Span) -> bool {
        let is_before = |place: Span| (before.file, before.start) <= (place.file, place.start);
        let changed = self.changed.map(|(_, item)| item);
        self.still.is_none_or(is_before) && changed.is_none_or(is_before)
    }

    pub fn is_changed(&self, item: ItemId) -> bool {
        self.changed.is_some_and(|(changed, _)| changed == item)
    }

    /// Where it stands now; `None` in what has changed, and outside of all items.
    pub fn span(&self, then: Span) -> Option<Span> {
        let (item, now) = self.item(then)?;
        let now = Span {
            file: now.file,
            start: now.start + (then.start - item.start),
            end: now.start + (then.end - item.start),
        };
        // The files may have had another order.
        let last = self.last.get();
        if last.is_none_or(|last| (last.file, last.end) < (now.file, now.end)) {
            self.last.set(Some(now));
        }
        Some(now)
    }

    /// The item in which it stood, and where that stands now.
    fn item(&self, then: Span) -> Option<&(Span, Span)> {
        let until = |(item, _): &(Span, Span)| (item.file, item.start) <= (then.file, then.start);
        let item = self.items[..self.items.partition_point(until)].last()?;
        (item.0.file == then.file && then.end <= item.0.end).then_some(item)
    }

    /// How many lines down the item has moved in which it stood.
    pub(super) fn down(&self, then: Span) -> Option<i64> {
        let (item, now) = self.item(then)?;
        let line = |files: &[Arc<ParsedFile>], span: &Span| {
            i64::from(files[span.file.0 as usize].position(span.start).line)
        };
        let [before, after] = &self.files;
        Some(line(after, now) - line(before, item))
    }
}

/// Where the one is another byte than the other, or ends.
fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    const PIECE: usize = 256;
    let pieces = one.chunks(PIECE).zip(other.chunks(PIECE));
    let alike = pieces.take_while(|(one, other)| one == other).count() * PIECE;
    let alike = alike.min(one.len()).min(other.len());
    let rest = one[alike..].iter().zip(&other[alike..]);
    let first = alike + rest.take_while(|(one, other)| one == other).count();
    (first < one.len().max(other.len())).then_some(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn two_texts_differ_first_where_they_have_nothing_else_in_common(
            common in prop::collection::vec(0..3_u8, 0..600),
            rests in (prop::collection::vec(0..3_u8, 0..3), prop::collection::vec(0..3_u8, 0..3)),
        ) {
            let one = [&common[..], &rests.0].concat();
            let other = [&common[..], &rests.1].concat();
            let length = one.len().max(other.len());
            let expected = (0..length).find(|at| one.get(*at) != other.get(*at));
            prop_assert_eq!(first_difference(&one, &other), expected);
        }
    }
}
