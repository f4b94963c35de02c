//! Generated from `checker/syntax/stubborn.ungram` by `cargo xtask codegen`; do not edit.

use super::generated::*;
use super::names::{HasName, HasParams};

impl HasName for ConstDecl {}

impl HasName for ParamDecl {}

impl HasName for TypeDecl {}

impl HasName for EnumDecl {}

impl HasName for Variant {}

impl HasName for ChannelDecl {}

impl HasName for ActionDecl {}

impl HasName for DefDecl {}

impl HasParams for DefDecl {}

impl HasName for MacroDecl {}

impl HasParams for MacroDecl {}

impl HasName for ProcessDecl {}

impl HasParams for ProcessDecl {}

impl HasName for Binding {}

impl HasName for InvariantDecl {}

impl HasParams for InvariantDecl {}

impl HasName for ProgressDecl {}

impl HasParams for ProgressDecl {}

impl HasName for ReachableDecl {}

impl HasParams for ReachableDecl {}

impl HasName for LtlDecl {}

impl HasParams for LtlDecl {}

impl HasName for RecurrenceDecl {}

impl HasParams for RecurrenceDecl {}

impl HasName for FairDecl {}

impl HasParams for FairDecl {}

impl HasName for BoundDecl {}

impl HasName for TesterDecl {}

impl HasParams for TesterDecl {}

impl HasName for SpecificationDecl {}

impl HasParams for SpecificationDecl {}

impl HasName for BuchiDecl {}

impl HasParams for BuchiDecl {}

impl HasName for TestingDecl {}

impl HasParams for TestingDecl {}

impl HasName for ObserveDecl {}

impl HasName for State {}

impl HasName for Step {}

impl HasName for Label {}

impl HasName for FieldDecl {}
