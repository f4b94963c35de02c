//! Which elements an instance or a channel belongs to.

use std::collections::HashMap;

/// One of those that are permuted with each other: a value of a sort, or an instance that no value names.
pub type Element = u16;

/// Whom something is moved with: its owners become their images, and it becomes what in its family has
/// these for owners.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owned {
    /// Those that are moved to each other by permutations; of a family each has other owners.
    pub family: u32,
    /// In an order that means something; nobody where it is never moved.
    pub owners: Vec<Element>,
}

/// How a swap of two elements moves things that have numbers.
pub struct Moves<'a> {
    pub swapped: (Element, Element),
    pub to: &'a [u32],
}

/// More owners than these something may not have.
const MOST_OWNERS: usize = 2;

/// The owners of so many things, found out from how swaps that generate the group move them. `None` where
/// they cannot be told.
pub fn owners(count: usize, moves: &[Moves<'_>]) -> Option<Vec<Owned>> {
    let mut found: Vec<Option<Owned>> = vec![None; count];
    let mut families = 0;
    for start in 0..count {
        if found[start].is_some() {
            continue;
        }
        let family = families;
        families += 1;
        let mut support: Vec<Element> = Vec::new();
        for one in moves.iter().filter(|one| one.to[start] as usize != start) {
            for element in [one.swapped.0, one.swapped.1] {
                if !support.contains(&element) {
                    support.push(element);
                }
            }
        }
        // The generators swap one element of a cluster with each other: so whoever is moved by many is
        // of the one that these have in common.
        let orbit = tuples(&support)
            .into_iter()
            .find_map(|owners| orbit(start, owners, moves))?;
        for (at, owners) in orbit {
            found[at] = Some(Owned { family, owners });
        }
    }
    found.into_iter().collect()
}

/// No element, each one, each two of the elements in either order.
fn tuples(support: &[Element]) -> Vec<Vec<Element>> {
    let mut all: Vec<Vec<Element>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..MOST_OWNERS {
        let to = all.len();
        for at in from..to {
            for element in support {
                if !all[at].contains(element) {
                    let mut longer = all[at].clone();
                    longer.push(*element);
                    all.push(longer);
                }
            }
        }
        from = to;
    }
    all
}

/// What becomes of one thing, each with the owners that it then has, if they are a function of what it is and
/// tell it apart from the others.
fn orbit(
    start: usize,
    owners: Vec<Element>,
    moves: &[Moves<'_>],
) -> Option<Vec<(usize, Vec<Element>)>> {
    let mut thing_of = HashMap::from([(owners.clone(), start)]);
    let mut owners_of = HashMap::from([(start, owners.clone())]);
    let mut found = vec![(start, owners)];
    let mut next = 0;
    while next < found.len() {
        let (at, owners) = found[next].clone();
        next += 1;
        for one in moves {
            let to = one.to[at] as usize;
            let (a, b) = one.swapped;
            let image = |e: &Element| match *e {
                e if e == a => b,
                e if e == b => a,
                e => e,
            };
            let images: Vec<Element> = owners.iter().map(image).collect();
            match (thing_of.get(&images), owners_of.get(&to)) {
                (None, None) => {
                    thing_of.insert(images.clone(), to);
                    owners_of.insert(to, images.clone());
                    found.push((to, images));
                }
                (Some(thing), Some(owners)) if *thing == to && *owners == images => {}
                _ => return None,
            }
        }
    }
    Some(found)
}
