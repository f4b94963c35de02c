//! Disk in memory for tests, which can fail.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use stubborn_space::disk::Disk;

use crate::search::disk::Sizes;

/// Sizes with which nearly every layer of a small system is written and merged.
pub const TINY: Sizes = Sizes {
    block: 4,
    chunk: 6,
    chunks: 2,
    targets: 2,
    recent: 100,
};

/// The same for states of `words` words.
pub fn tiny(words: usize) -> Sizes {
    Sizes {
        block: TINY.block * words,
        chunk: TINY.chunk * words,
        ..TINY
    }
}

/// Kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Each request is an error from then on.
    Error,
    /// If that request reads, one bit differs from what was written.
    Bit,
}

#[derive(Default)]
pub struct InMemory(Mutex<State>);

#[derive(Default)]
struct State {
    files: BTreeMap<u64, Vec<u8>>,
    /// Number of requests, and of bytes that were read and written.
    asked: u64,
    moved: u64,
    /// The highest number of files at a time.
    most_files: usize,
    fault: Option<(u64, Fault)>,
}

impl InMemory {
    /// Disk that fails after this number of requests.
    pub fn failing(after: u64, fault: Fault) -> InMemory {
        let disk = InMemory::default();
        disk.state().fault = Some((after, fault));
        disk
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().expect("no thread panics")
    }

    pub fn asked(&self) -> u64 {
        self.state().asked
    }

    pub fn moved(&self) -> u64 {
        self.state().moved
    }

    pub fn most_files(&self) -> usize {
        self.state().most_files
    }

    pub fn is_empty(&self) -> bool {
        self.state().files.is_empty()
    }
}

impl State {
    /// Counts a request; returns whether a bit is to be wrong.
    fn ask(&mut self) -> io::Result<bool> {
        self.asked += 1;
        match self.fault {
            Some((after, Fault::Error)) if self.asked > after => {
                Err(io::Error::new(io::ErrorKind::StorageFull, "it is full"))
            }
            Some((after, Fault::Bit)) => Ok(self.asked == after + 1),
            _ => Ok(false),
        }
    }
}

impl Disk for InMemory {
    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.ask()?;
        state.moved += bytes.len() as u64;
        let files = &mut state.files;
        files.entry(file).or_default().extend_from_slice(bytes);
        state.most_files = state.most_files.max(state.files.len());
        Ok(())
    }

    fn read(&self, file: u64, from: u64, into: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        let is_wrong = state.ask()?;
        state.moved += into.len() as u64;
        let begin = from as usize;
        let bytes = state.files.get(&file);
        let bytes = bytes.and_then(|bytes| bytes.get(begin..begin + into.len()));
        into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        if is_wrong {
            let at = from as usize * 7 % into.len();
            into[at] ^= 1;
        }
        Ok(())
    }

    /// The file is gone even if the request fails.
    fn remove(&self, file: u64) -> io::Result<()> {
        let mut state = self.state();
        state.files.remove(&file);
        state.ask().map(drop)
    }
}
