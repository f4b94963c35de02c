//! Requests of clients: the answer to each, and the capabilities that announce them.
//!
//! A request is answered from a [`View`](super::view::View) of one moment by a function of
//! [`features`](stubborn_ide::features); `convert` translates its question from the protocol and
//! its answer into it. A new request is a function in one of these files, a field in
//! [`capabilities`](capabilities::capabilities), and a line in the table of `service`.

pub mod call_hierarchy;
pub mod capabilities;
pub mod check;
pub mod code_action;
pub mod code_lens;
pub mod completion;
pub mod evaluate;
pub mod execute_command;
pub mod explanation;
pub mod formatting;
pub mod hover;
pub mod initialize;
pub mod inlay_hint;
pub mod navigation;
pub mod picture;
pub mod pull;
pub mod rename;
pub mod semantic_tokens;
pub mod signature_help;
pub mod statistics;
pub mod structure;
pub mod text;
pub mod trace;
pub mod trace_text;
