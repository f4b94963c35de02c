//! Numbers of things that permutations move to each other, by their owners.

use stubborn_system::symmetry::{Element, Symmetry};

/// No thing has these owners.
const NONE: u32 = u32::MAX;

/// Numbers of the things of one family.
#[derive(Debug)]
pub struct Table {
    /// The clusters of the owners.
    pub clusters: Vec<u16>,
    /// By the places of the owners in their clusters, the first varying slowest.
    at: Vec<u32>,
}

impl Table {
    /// `None` where owners do not tell the things of a family apart.
    pub fn of<'o>(
        symmetry: &Symmetry,
        things: impl Iterator<Item = (u32, &'o [Element])>,
    ) -> Option<Table> {
        let mut table: Option<Table> = None;
        for (number, owners) in things {
            let table = table.get_or_insert_with(|| Table::without_things(symmetry, owners));
            let index = table.index(owners, symmetry)?;
            if table.at[index] != NONE {
                return None;
            }
            table.at[index] = number;
        }
        table
    }

    fn without_things(symmetry: &Symmetry, owners: &[Element]) -> Table {
        let of_cluster = |owner: &Element| {
            let mut clusters = symmetry.clusters.iter();
            clusters.position(|of| of.contains(owner)).unwrap_or(0) as u16
        };
        let clusters: Vec<u16> = owners.iter().map(of_cluster).collect();
        let size = |cluster: &u16| symmetry.clusters[usize::from(*cluster)].len();
        Table {
            at: vec![NONE; clusters.iter().map(size).product()],
            clusters,
        }
    }

    fn index(&self, owners: &[Element], symmetry: &Symmetry) -> Option<usize> {
        if owners.len() != self.clusters.len() {
            return None;
        }
        let mut index = 0;
        for (owner, cluster) in owners.iter().zip(&self.clusters) {
            let elements = &symmetry.clusters[usize::from(*cluster)];
            index = index * elements.len() + elements.iter().position(|one| one == owner)?;
        }
        Some(index)
    }

    /// Returns the thing with these owners, if there is one.
    pub fn find(&self, owners: &[Element], symmetry: &Symmetry) -> Option<u32> {
        let number = *self.at.get(self.index(owners, symmetry)?)?;
        (number != NONE).then_some(number)
    }

    /// Returns the number of the thing with these owners, which must exist. `places` gives the
    /// place of an element in its cluster, and the cluster's size.
    #[inline]
    pub fn number(&self, owners: impl Iterator<Item = Element>, places: &[(u16, u16)]) -> u32 {
        let index = owners.fold(0, |index, owner| {
            let (place, size) = places[usize::from(owner)];
            index * usize::from(size) + usize::from(place)
        });
        self.at[index]
    }
}
