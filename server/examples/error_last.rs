//! Prints the states of a nested depth-first search with error last until it finds a violation.
//!
//!     cargo run --release -p stubborn --example error_last -- \
//!         examples/philosophers.tester 10 'never_starves(0)' reverse

#[path = "../../tests/papers/error_last.rs"]
mod error_last;

use std::path::Path;

use stubborn_engine::Order;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tester, n, property, order] = &arguments[..] else {
        panic!("a tester file, its N, a property, and `forward` or `reverse`");
    };
    let order = match order.as_str() {
        "reverse" => Order::Reverse,
        _ => Order::Forward,
    };
    let n = n.parse().expect("a number");
    let outcome = error_last::searched(Path::new(tester), n, property, order);
    assert!(outcome.verdict.is_violated(), "{:?}", outcome.verdict);
    println!("{}", outcome.states);
}
