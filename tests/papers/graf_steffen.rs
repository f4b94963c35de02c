//! The token ring of Graf and Steffen with n customers: 9n·2^(n-2) states, and 5n are enough to
//! find what can go wrong in it (A. Valmari, "On-the-fly verification with stubborn sets", CAV
//! 1993, in its conclusion). The paper gives no model; `examples/graf_steffen_ring.stb` is one
//! that has these figures.

use super::explored;

const RING: &str = "graf_steffen_ring.stb";

#[test]
fn the_ring_of_n_customers_has_9n_2_to_the_n_minus_2_states() {
    let edges = [26, 105, 352, 1_060, 2_976, 7_952, 20_480];
    for (n, edges) in (2..).zip(edges) {
        let states = 9 * u64::from(n) * 2_u64.pow(n - 2);
        assert_eq!(explored(RING, n, "none"), (states, edges), "n = {n}");
    }
}
