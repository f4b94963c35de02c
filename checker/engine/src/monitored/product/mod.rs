//! A system with a monitor beside it, as the searches see it.

pub mod automaton;
mod bits;
pub mod one_word;
pub mod tester;
pub mod visibility;

pub use automaton::{AutomatonProduct, Watcher};
pub use bits::{AnyProduct, Product};
pub use one_word::InOneWord;
pub use tester::{TesterProduct, WithTester};
pub use visibility::{Beside, OfSystem};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::Packed;
    use crate::reduction::Stubborn;
    use crate::related::{Related, Tester};

    fn is_shared<T: Sync>() {}

    #[test]
    fn threads_may_share_every_model() {
        is_shared::<Packed<'_>>();
        is_shared::<Stubborn<Related<'_>>>();
        is_shared::<Stubborn<TesterProduct<'_, Related<'_>>, OfSystem<Tester>>>();
        is_shared::<AutomatonProduct<'_, Related<'_>>>();
    }
}
