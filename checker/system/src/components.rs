//! Strongly connected components of small graphs: of automata, and of what calls what.

/// The strongly connected components of a graph whose nodes are numbered from 0.
pub struct Components<'a> {
    edges: &'a [Vec<u32>],
    /// Of each node. What a component leads to has smaller numbers.
    of: Vec<u32>,
    /// Of each node.
    on_cycle: Vec<bool>,
    /// The nodes, those of a component together, the components ascending.
    order: Vec<u32>,
}

impl Components<'_> {
    /// Tarjan's algorithm (1972), with a stack of its own.
    pub fn of(edges: &[Vec<u32>]) -> Components<'_> {
        const NEW: u32 = u32::MAX;
        let count = edges.len();
        let mut components = Components {
            edges,
            of: vec![NEW; count],
            on_cycle: vec![false; count],
            order: Vec::with_capacity(count),
        };
        let mut number = vec![NEW; count];
        let mut low = vec![NEW; count];
        let mut open: Vec<u32> = Vec::new();
        let (mut numbers, mut found) = (0, 0);
        for root in 0..count as u32 {
            if number[root as usize] != NEW {
                continue;
            }
            // A node and how many of its edges have been followed.
            let mut path: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((node, followed)) = path.last_mut() {
                let at = *node as usize;
                if *followed == 0 && number[at] == NEW {
                    number[at] = numbers;
                    low[at] = numbers;
                    numbers += 1;
                    open.push(*node);
                }
                if let Some(&next) = edges[at].get(*followed) {
                    *followed += 1;
                    if number[next as usize] == NEW {
                        path.push((next, 0));
                    } else if components.of[next as usize] == NEW {
                        low[at] = low[at].min(number[next as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    low[before as usize] = low[before as usize].min(low[at]);
                }
                if low[at] == number[at] {
                    let first = components.order.len();
                    while let Some(member) = open.pop() {
                        components.of[member as usize] = found;
                        components.order.push(member);
                        if member as usize == at {
                            break;
                        }
                    }
                    let alone = components.order.len() == first + 1;
                    for &member in &components.order[first..] {
                        components.on_cycle[member as usize] =
                            !alone || edges[member as usize].contains(&member);
                    }
                    found += 1;
                }
            }
        }
        components
    }

    /// The number of a node's component.
    pub fn component(&self, node: u32) -> u32 {
        self.of[node as usize]
    }

    /// Whether a node leads back to itself.
    pub fn is_on_cycle(&self, node: u32) -> bool {
        self.on_cycle[node as usize]
    }

    /// For each node, whether it leads to one of some nodes or is one.
    pub fn leading_to(&self, goals: &[bool]) -> Vec<bool> {
        let mut leads = vec![false; self.edges.len()];
        let mut rest = &self.order[..];
        while let Some(&first) = rest.first() {
            let same = |&&node: &&u32| self.component(node) == self.component(first);
            let size = rest.iter().take_while(same).count();
            let (members, others) = rest.split_at(size);
            let any = members.iter().any(|&node| {
                let next = &self.edges[node as usize];
                goals[node as usize] || next.iter().any(|&next| leads[next as usize])
            });
            for &node in members {
                leads[node as usize] = any;
            }
            rest = others;
        }
        leads
    }
}
