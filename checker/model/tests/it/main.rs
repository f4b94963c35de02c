//! From texts to systems and messages, one module for each subject.

mod any_text;
mod bodies;
mod body_messages;
mod deletions;
mod equivalents;
mod expected;
mod extents;
mod fairness;
mod hints;
mod interrupts;
mod limits;
mod listing;
mod memory;
mod mistakes;
mod property_messages;
mod recurrences;
mod specifications;
mod step_messages;
mod support;
mod templates;
mod tester_messages;
mod where_messages;
mod where_values;
