//! The program `stubborn`: what its commands share.

pub mod command_line;
pub mod dap;
pub mod lsp;
