//! `stubborn/check`: checks properties of an open file, and answers once that is over. Taking the request
//! back stops the check.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::TextDocumentIdentifier;

use crate::lsp::convert::path;
use crate::lsp::owner::{Asked, Event, Events};
use crate::lsp::standing::PropertyStanding;

pub const METHOD: &str = "stubborn/check";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckParams {
    pub text_document: TextDocumentIdentifier,
    /// With the values of their parameters (`access(2)`), or without them for all values. All properties of
    /// the file where there are none.
    #[serde(default)]
    pub properties: Vec<String>,
    /// Whether to search for as long as it takes.
    #[serde(default)]
    pub unlimited: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckAnswer {
    /// How they stand, of the text as it then is.
    pub properties: Vec<PropertyStanding>,
}

/// A check that its client may take back.
pub struct Check {
    events: Events,
    id: u64,
    answer: oneshot::Receiver<Option<Vec<PropertyStanding>>>,
}

impl Check {
    /// Asks for it.
    pub fn begin(events: &Events, asked: CheckParams) -> Check {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let id = LAST.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        let asked = Asked {
            id,
            root: path(&asked.text_document.uri),
            properties: asked.properties,
            is_limited: !asked.unlimited,
            answer: sender,
        };
        events.send(Event::Ask(Box::new(move |owner| owner.ask_for(asked))));
        Check {
            events: events.clone(),
            id,
            answer,
        }
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Where the file is not open.
    pub async fn answer(mut self) -> Result<CheckAnswer> {
        match (&mut self.answer).await {
            Ok(Some(properties)) => Ok(CheckAnswer { properties }),
            Ok(None) => Err(Error::invalid_params("no open file has this name")),
            Err(_) => Err(Error::internal_error()),
        }
    }
}

impl Drop for Check {
    /// A request that is taken back is a future that is dropped; one that was answered is known no more.
    fn drop(&mut self) {
        let id = self.id;
        let take_back = Box::new(move |owner: &mut crate::lsp::owner::Owner| owner.take_back(id));
        self.events.send(Event::Ask(take_back));
    }
}
