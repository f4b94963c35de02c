//! An answer to each request, also to those that nobody here knows.
//!
//! The protocol's library answers none whose method begins with `$/`, which is right for
//! notifications alone; a client would wait for ever.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_service::Service;

/// Passes all messages on, and answers what comes back without an answer.
pub struct Unknown<S>(pub S);

impl<S> Service<Request> for Unknown<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Option<Response>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let id = request.id().cloned();
        let is_reserved = request.method().starts_with("$/");
        let answer = self.0.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(match (answer, id) {
                (None, Some(id)) if is_reserved => {
                    Some(Response::from_error(id, Error::method_not_found()))
                }
                (answer, _) => answer,
            })
        })
    }
}
