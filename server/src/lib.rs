//! The program `stubborn`: what its commands share.

pub mod command_line;
pub mod dap;
pub mod database;
pub mod defect;
pub mod files;
pub mod jobs;
pub mod lsp;
pub mod once_more;
pub mod picture;
pub mod report;
pub mod stepping;
