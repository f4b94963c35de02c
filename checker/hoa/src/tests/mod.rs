//! Reading and writing.

mod examples;
mod limits;
mod random;

use stubborn_automata::Buchi;
use stubborn_automata::Work;

use super::{Refused, read};

/// A header for what begins in state 0, observes `a` and `b` and has this condition, and the body.
fn file(acceptance: &str, body: &str) -> String {
    format!(
        "HOA: v1\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: {acceptance}\n--BODY--\n{body}\n--END--\n"
    )
}

fn buchi(text: &str) -> Buchi {
    match read(text, &Work::unlimited()) {
        Ok(read) => read.buchi,
        Err(refused) => panic!("{refused}"),
    }
}

fn refusal(text: &str) -> Refused {
    match read(text, &Work::unlimited()) {
        Ok(_) => panic!("read: {text}"),
        Err(refused) => refused,
    }
}
