//! Which views touch which scalars and channels: those that touch nothing in common are
//! independent, so that a view need not be compared with all others to find those that it may not
//! be independent of. Most are: with an instance for each value, most steps are about the variables
//! of two.

use rustc_hash::FxHashMap;

use super::forest::CellId;
use super::interference::Profile;
use super::vocabulary::ViewId;

/// Views by what they touch, ascending.
#[derive(Default)]
pub struct Touching {
    readers: FxHashMap<CellId, Vec<ViewId>>,
    writers: FxHashMap<CellId, Vec<ViewId>>,
    users: FxHashMap<u32, Vec<ViewId>>,
}

/// The views that one may not be independent of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// All of them, and no more than they. Ascending.
    Few(Box<[ViewId]>),
    /// Too many to be listed: all views are looked at.
    Many,
}

impl Touching {
    pub fn of(profiles: &[Profile]) -> Touching {
        let mut touching = Touching::default();
        for (view, profile) in (0..).zip(profiles) {
            for cell in &profile.reads {
                touching.readers.entry(*cell).or_default().push(view);
            }
            for cell in &profile.writes {
                touching.writers.entry(*cell).or_default().push(view);
            }
            for (channel, _) in &profile.uses {
                let users = touching.users.entry(*channel).or_default();
                if users.last() != Some(&view) {
                    users.push(view);
                }
            }
        }
        touching
    }

    /// The views that write the scalar.
    pub fn writers(&self, cell: CellId) -> &[ViewId] {
        self.writers.get(&cell).map_or(&[], Vec::as_slice)
    }

    /// The views that use the channel.
    pub fn users(&self, channel: u32) -> &[ViewId] {
        self.users.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// The views that write what this one reads or writes, read what it writes, or use its
    /// channels, itself among them. No more than `most` are listed.
    pub fn neighbours(&self, profile: &Profile, most: usize) -> Neighbours {
        let readers = |cell| self.readers.get(cell).map_or(&[][..], Vec::as_slice);
        let of_reads = profile.reads.iter().map(|cell| self.writers(*cell));
        let of_writes = profile.writes.iter();
        let of_writes = of_writes.flat_map(|cell| [self.writers(*cell), readers(cell)]);
        let of_uses = profile.uses.iter().map(|(channel, _)| self.users(*channel));
        let mut neighbours: Vec<ViewId> = Vec::new();
        for more in of_reads.chain(of_writes).chain(of_uses) {
            neighbours.extend(more);
            if neighbours.len() > 2 * most {
                neighbours.sort_unstable();
                neighbours.dedup();
                if neighbours.len() > most {
                    return Neighbours::Many;
                }
            }
        }
        neighbours.sort_unstable();
        neighbours.dedup();
        match neighbours.len() > most {
            true => Neighbours::Many,
            false => Neighbours::Few(neighbours.into()),
        }
    }
}
