//! What whole checks beside monitors are held to, for the engine that can be mutated.

#[path = "../../../random/tests/it/monitors/ask.rs"]
mod ask;
#[path = "../../../random/tests/it/monitors/leads.rs"]
mod leads;
#[path = "../../../random/tests/it/monitors/look.rs"]
pub mod look;
#[path = "../../../random/tests/it/monitors/process.rs"]
mod process;
#[path = "../../../random/tests/it/monitors/product.rs"]
mod product;
#[path = "../../../random/tests/it/monitors/replay.rs"]
mod replay;
#[path = "../../../random/tests/it/monitors/space.rs"]
pub mod space;
#[path = "../../../random/tests/it/monitors/tableau.rs"]
pub mod tableau;
#[path = "../../../random/tests/it/monitors/tally.rs"]
pub mod tally;
