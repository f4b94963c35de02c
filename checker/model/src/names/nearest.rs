//! The known name that is nearest to an unknown one.

/// The candidate that was most likely meant, or `None` where none is near: at most a third of the
/// name's characters may differ (one of a short name), or nothing but their case.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| {
            let distance = if candidate.eq_ignore_ascii_case(name) {
                0
            } else {
                distance(name, candidate)
            };
            // Of a name of one or two characters every other such name would be near.
            let different = distance >= name.chars().count().max(candidate.chars().count());
            (distance <= allowed && !different).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of two neighbours.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
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
