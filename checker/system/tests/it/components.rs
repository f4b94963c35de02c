//! Strongly connected components, against the pairs of nodes that lead to each other.

use stubborn_random::random::Random;
use stubborn_system::components::Components;

#[test]
fn nodes_are_in_one_component_where_each_leads_to_the_other() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let count = 1 + random.below(7);
        let edges: Vec<Vec<u32>> = (0..count)
            .map(|_| (0..count as u32).filter(|_| random.one_in(4)).collect())
            .collect();
        // One step or more.
        let mut leads = vec![vec![false; count]; count];
        for (from, next) in edges.iter().enumerate() {
            for &to in next {
                leads[from][to as usize] = true;
            }
        }
        for via in 0..count {
            for from in 0..count {
                for to in 0..count {
                    leads[from][to] |= leads[from][via] && leads[via][to];
                }
            }
        }
        let components = Components::of(&edges);
        for goal in 0..count {
            let mut goals = vec![false; count];
            goals[goal] = true;
            let leading = components.leading_to(&goals);
            for from in 0..count {
                assert_eq!(leading[from], from == goal || leads[from][goal]);
                assert_eq!(
                    components.component(from as u32) == components.component(goal as u32),
                    from == goal || leads[from][goal] && leads[goal][from]
                );
            }
            assert_eq!(components.is_on_cycle(goal as u32), leads[goal][goal]);
        }
    }
}
