//! What happens where this program itself is at fault: a panic becomes words for a bug report.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};

thread_local! {
    /// What the hook was told last on this thread.
    static NOTED: Cell<Option<String>> = const { Cell::new(None) };
}

/// Takes note of a panic for [`caught`], which otherwise cannot say where it was. For the hook.
pub fn note(panic: &PanicHookInfo<'_>) {
    NOTED.set(Some(panic.to_string()));
}

/// What `work` gives, or the words of its panic, on one line.
///
/// A payload without a message is no panic: the database unwinds so when its inputs change, and
/// that passes through.
///
/// # Errors
/// Where `work` panics.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    NOTED.take();
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let Some(message) = message(&*panic) else {
            resume_unwind(panic);
        };
        let told = NOTED.take().unwrap_or_else(|| message.to_owned());
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

fn message(panic: &(dyn Any + Send)) -> Option<&str> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
}

/// Introduction of an internal error.
pub(super) const DEFECT: &str = "a defect of stubborn itself, which we would like to hear of";

#[cfg(test)]
mod tests {
    use super::*;

    fn panic<T>(payload: impl Any + Send) -> T {
        resume_unwind(Box::new(payload))
    }

    #[test]
    fn the_words_of_a_panic_are_kept() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(
            caught(|| panic("so\n  it is")),
            Err::<(), _>("so it is".to_owned())
        );
        assert_eq!(
            caught(|| panic("so".to_owned())),
            Err::<(), _>("so".to_owned())
        );
    }

    #[test]
    fn a_payload_without_a_message_passes_through() {
        struct Cancelled;
        let outside = catch_unwind(|| caught(|| panic::<()>(Cancelled)));
        let payload = outside.expect_err("it unwinds");
        assert!(payload.is::<Cancelled>());
    }
}
