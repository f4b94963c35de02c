//! The reference interpreter: steps straight from the definition in
//! [`stubborn_model::system`], over plain structured values. It shares no code with the packed
//! successor function, and every trace passes through it before anybody sees it.

pub mod state;
