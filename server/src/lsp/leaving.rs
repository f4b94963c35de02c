//! How the client says good-bye: `shutdown`, then `exit`, after which the server ends at once and
//! does not wait for the end of the input.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::sync::Notify;
use tower_lsp::jsonrpc::Request;

/// Passes all messages on, and takes note of the last ones.
pub struct Leaving<S> {
    inner: S,
    left: Arc<Left>,
}

/// How far the client has left.
#[derive(Default)]
pub struct Left {
    has_shut_down: AtomicBool,
    exit: Notify,
}

impl<S> Leaving<S> {
    pub fn watch(inner: S) -> (Leaving<S>, Arc<Left>) {
        let left = Arc::<Left>::default();
        let service = Leaving {
            inner,
            left: Arc::clone(&left),
        };
        (service, left)
    }
}

impl Left {
    /// Ends when the client has said `exit`.
    pub async fn exited(&self) {
        self.exit.notified().await;
    }

    /// The protocol's exit status: 0 only after a `shutdown`.
    pub fn code(&self) -> std::process::ExitCode {
        u8::from(!self.has_shut_down.load(Ordering::Relaxed)).into()
    }
}

impl<S: tower_service::Service<Request>> tower_service::Service<Request> for Leaving<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> S::Future {
        match request.method() {
            "shutdown" => self.left.has_shut_down.store(true, Ordering::Relaxed),
            "exit" => self.left.exit.notify_one(),
            _ => {}
        }
        self.inner.call(request)
    }
}
