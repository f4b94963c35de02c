//! `stubborn/statistics`: what the searches of the session have cost, and what was spared.

pub use stubborn_ide::jobs::Statistics as StatisticsAnswer;

use crate::lsp::owner::Owner;

pub const METHOD: &str = "stubborn/statistics";

pub fn answer(owner: &Owner) -> StatisticsAnswer {
    owner.statistics()
}
