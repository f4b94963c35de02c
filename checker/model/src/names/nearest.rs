//! The known name that is nearest to an unknown one.

use crate::elaborate::Elaborator;

/// Limit of the work of comparing unknown names with others in one analysis, a tenth of a second:
/// suggestions for very many mistakes are not worth more.
pub(crate) const MOST_COMPARED: u64 = 1_000_000;
/// Work of seeing that two names have little in common,
const A_LOOK: u64 = 2;
/// and of comparing each character of one with each of the other.
fn in_full(name: &str, candidate: &str) -> u64 {
    (name.len() * candidate.len()) as u64
}

impl Elaborator<'_> {
    /// As [`nearest`]; none where very many names have been looked for.
    pub(crate) fn nearest<'n>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let has_left = || self.compared.get() < MOST_COMPARED;
        let count = |work| self.compared.set(self.compared.get() + work);
        nearest_of(
            name,
            candidates.into_iter().take_while(|_| has_left()),
            count,
        )
    }
}

/// The candidate that was most likely meant, or `None` where none is near: at most a third of the
/// name's characters may differ (one of a short name), or nothing but their case.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_of(name, candidates, |_| ())
}

/// The same; tells how much was compared.
fn nearest_of<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
    compared: impl Fn(u64),
) -> Option<&'n str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            compared(A_LOOK);
            let distance = if candidate.eq_ignore_ascii_case(name) {
                0
            } else if cannot_be_near(name, candidate, allowed) {
                return None;
            } else {
                compared(in_full(name, candidate));
                // A swap of two neighbours is one difference.
                strsim::osa_distance(name, candidate)
            };
            // Every other name of one or two characters would be near such a name.
            let different = distance >= name.chars().count().max(candidate.chars().count());
            (distance <= allowed && !different).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Whether more characters than allowed must differ: by the lengths, or by the characters that are
/// in the one and not in the other, each of which one difference can account for.
fn cannot_be_near(name: &str, candidate: &str, allowed: usize) -> bool {
    // A character has up to four bytes.
    if name.is_ascii() && candidate.is_ascii() && name.len().abs_diff(candidate.len()) > allowed {
        return true;
    }
    let letters = |text: &str| {
        let letters = text.bytes().filter(u8::is_ascii);
        letters.fold(0_u128, |letters, byte| letters | 1 << byte)
    };
    let (a, b) = (letters(name), letters(candidate));
    let only = |a: u128, b: u128| (a & !b).count_ones() as usize;
    only(a, b).max(only(b, a)) > allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_of_two_letters_is_near() {
        assert_eq!(nearest("gaet", ["last", "gate", "Id"]), Some("gate"));
    }

    #[test]
    fn case_alone_is_nearest() {
        assert_eq!(nearest("id", ["it", "Id"]), Some("Id"));
    }

    #[test]
    fn a_name_with_nothing_in_common_is_not_suggested() {
        assert_eq!(nearest("k", ["j", "i"]), None);
        assert_eq!(nearest("critical", ["idle", "test"]), None);
    }

    #[test]
    fn very_long_names_are_compared_too() {
        let long = "a".repeat(500);
        assert_eq!(nearest(&long, ["b"]), None);
    }
}
