//! The program `stubborn`: its command line, its language server and its debug adapter.

pub mod command_line;
pub mod dap;
pub mod lsp;
