//! Strongly connected components of a graph (Tarjan 1972), with a stack of its own.

/// The component of each node, numbered so that an edge never leads to a higher number, and whether
/// a component has an edge within itself.
pub(super) struct Components {
    pub(super) of: Vec<u32>,
    pub(super) cyclic: Vec<bool>,
}

pub(super) fn components(next: &[Vec<u32>]) -> Components {
    const NEW: u32 = u32::MAX;
    let mut of = vec![NEW; next.len()];
    let mut cyclic = Vec::new();
    let mut number = vec![NEW; next.len()];
    let mut low = vec![0; next.len()];
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut numbered = 0;
    for root in 0..next.len() as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.last_mut() {
            let at = *node as usize;
            if *edge == 0 {
                number[at] = numbered;
                low[at] = numbered;
                numbered += 1;
                open.push(*node);
            }
            if let Some(&target) = next[at].get(*edge) {
                *edge += 1;
                let to = target as usize;
                if number[to] == NEW {
                    path.push((target, 0));
                } else if of[to] == NEW {
                    low[at] = low[at].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == number[at] {
                let component = cyclic.len() as u32;
                let mut size = 0;
                while let Some(member) = open.pop() {
                    of[member as usize] = component;
                    size += 1;
                    if member as usize == at {
                        break;
                    }
                }
                cyclic.push(size > 1 || next[at].contains(&(at as u32)));
            }
        }
    }
    Components { of, cyclic }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_where_one_can_come_back() {
        let next = [vec![1], vec![2, 3], vec![1], vec![4], vec![4], vec![]].map(|n: Vec<u32>| n);
        let found = components(&next);
        assert_eq!(found.of, [3, 2, 2, 1, 0, 4]);
        assert_eq!(found.cyclic, [true, false, true, false, false]);
    }
}
