//! Memory that will be asked for.

/// Has the processor fetch what stands at this place, if there is one, into its caches, and waits for
/// nothing. Whether it does changes no result.
#[inline(always)]
pub fn prefetch<T>(all: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = all.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads and writes nothing that a program can see, and faults at no address;
        // this one is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(one).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, at);
}
