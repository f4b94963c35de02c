//! Which items an item matters to.

use rustc_hash::FxHashSet;

use crate::names::declarations::ItemId;

/// For each item those that use it, as one list in which they follow each other.
#[derive(Debug)]
pub(crate) struct Users {
    /// Where the users of an item begin, and behind the last where they end.
    first: Vec<u32>,
    users: Vec<ItemId>,
}

impl Users {
    /// From pairs of a user and what it uses, which are gone through twice. Takes time in proportion to
    /// them and to the largest item.
    pub fn new(uses: impl Iterator<Item = (ItemId, ItemId)> + Clone) -> Users {
        let mut first = Vec::new();
        for (_, used) in uses.clone() {
            let behind = used.0 as usize + 2;
            if first.len() < behind {
                first.resize(behind, 0);
            }
            first[used.0 as usize + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut next = first.clone();
        let mut users = vec![ItemId(0); sum as usize];
        for (user, used) in uses {
            let place = &mut next[used.0 as usize];
            users[*place as usize] = user;
            *place += 1;
        }
        Users { first, users }
    }

    fn of(&self, item: ItemId) -> &[ItemId] {
        let at = item.0 as usize;
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(from), Some(to)) => &self.users[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// These items, and what uses them, however far.
    pub fn reached_from(&self, items: impl Iterator<Item = ItemId>) -> FxHashSet<ItemId> {
        let mut reached: FxHashSet<ItemId> = items.collect();
        let mut open: Vec<ItemId> = reached.iter().copied().collect();
        while let Some(item) = open.pop() {
            for user in self.of(item) {
                if reached.insert(*user) {
                    open.push(*user);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_uses_an_item_is_reached_from_it_and_nothing_else(
            uses in prop::collection::vec((0..12_u32, 0..12_u32), 0..24),
            from in prop::collection::vec(0..14_u32, 0..3),
        ) {
            let uses: Vec<_> = uses.iter().map(|(one, other)| (ItemId(*one), ItemId(*other))).collect();
            let mut expected: FxHashSet<ItemId> = from.iter().map(|item| ItemId(*item)).collect();
            for _ in 0..12 {
                let users = uses.iter().filter(|(_, used)| expected.contains(used));
                let users: Vec<ItemId> = users.map(|(user, _)| *user).collect();
                expected.extend(users);
            }
            let reached = Users::new(uses.iter().copied())
                .reached_from(from.iter().map(|item| ItemId(*item)));
            prop_assert_eq!(reached, expected);
        }
    }
}
