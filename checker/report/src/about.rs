//! The model that a report is about.

use std::sync::Arc;

use stubborn_model::Model;
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::System;

use super::place::Texts;

/// Model that a report is about: numbers, their names, and the texts that these are in.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The system, which has numbers alone.
    pub system: &'a Arc<System>,
    /// Names and positions of what the system has.
    pub map: &'a Arc<SourceMap>,
    /// Texts that the positions are in.
    pub texts: &'a Texts,
}

impl<'a> About<'a> {
    /// A model with its texts.
    pub fn new(model: &'a Model, texts: &'a Texts) -> About<'a> {
        About {
            system: &model.system,
            map: &model.source_map,
            texts,
        }
    }
}
