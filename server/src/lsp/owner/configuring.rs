//! What a user may set, and what follows from it.

use std::thread;

use serde_json::{Value, json};
use tower_lsp::lsp_types::Registration;

use super::state::Owner;
use crate::command_line::memory;
use crate::lsp::outbound::Message;
use crate::lsp::settings::When;

impl Owner {
    /// Takes over what the client says that its user has set.
    pub(super) fn configure(&mut self, given: &Value) {
        if given.is_null() {
            // So a client says that something has changed, and wants to be asked for it.
            if self.client.has_settings {
                self.outbound.say(Message::AskSettings);
            }
            return;
        }
        let before = self.settings;
        let problems = self.settings.update(given);
        self.complain(problems);
        if self.settings == before {
            return;
        }
        tracing::info!("the settings are now {:?}", self.settings);
        self.apply_settings();
        if self.settings.shows_lenses != before.shows_lenses && self.client.refreshes_lenses {
            self.outbound.say(Message::RefreshLenses);
        }
        if self.settings.hints != before.hints && self.client.refreshes_hints {
            self.outbound.say(Message::RefreshHints);
        }
        if self.settings.when == When::Typed && before.when != When::Typed {
            let open: Vec<_> = self.documents.keys().cloned().collect();
            for path in open {
                self.make_due(&path, self.settings.budget);
            }
        }
        self.look_at_files();
    }

    pub(super) fn apply_settings(&mut self) {
        self.disk.is_open = self.settings.reads_outside_workspace;
        let threads = self.settings.threads.unwrap_or_else(searches_at_once);
        let memory = self.settings.memory.or_else(memory_of_searches);
        self.jobs.set_bounds(threads, memory);
        if let Some(kept) = &self.kept {
            let most = self
                .settings
                .keeps_verdicts
                .then_some(self.settings.most_kept);
            kept.set_most(most.unwrap_or(0));
        }
    }

    /// Tells a person what is wrong with what they have set, once while it is.
    pub(super) fn complain(&mut self, problems: Vec<String>) {
        for problem in &problems {
            if !self.complaints.contains(problem) {
                tracing::warn!("{problem}");
                self.outbound.say(Message::Warn(problem.clone()));
            }
        }
        self.complaints = problems;
    }

    /// Asks a client that can for the settings, and to tell when they change.
    pub(super) fn ask_settings(&mut self) {
        if self.client.tells_settings {
            self.outbound.say(Message::Register(vec![Registration {
                id: "stubborn/settings".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(json!({"section": "stubborn"})),
            }]));
        }
        if self.client.has_settings {
            self.outbound.say(Message::AskSettings);
        }
    }
}

/// Each search has a thread of its own, and one core is left for the editor.
fn searches_at_once() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, 4)
}

/// Five eighths of the memory of the machine, or of the container, for all searches together.
fn memory_of_searches() -> Option<u64> {
    let (total, _) = memory();
    (total > 0).then(|| total / 8 * 5)
}
