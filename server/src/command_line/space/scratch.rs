//! A part of a file that has to wait until what stands before it is known.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A temporary file beside the one that it will become a part of. It is removed in the end.
pub struct Scratch {
    path: PathBuf,
    to: Option<BufWriter<File>>,
}

impl Scratch {
    /// Begins the part that waits to be written to `target`.
    pub fn beside(target: &Path) -> io::Result<Scratch> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let path = target.with_file_name(name);
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)?;
        Ok(Scratch {
            path,
            to: Some(BufWriter::new(file)),
        })
    }

    /// Puts all that was written behind what `to` has.
    pub fn append_to(mut self, to: &mut impl Write) -> io::Result<()> {
        let Some(written) = self.to.take() else {
            return Ok(());
        };
        let mut file = written
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut file = io::BufReader::new(file);
        let mut chunk = vec![0; 1 << 16];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(()),
                read => to.write_all(&chunk[..read])?,
            }
        }
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            Some(to) => to.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.to = None;
        // Where it cannot be removed nothing can be done about it.
        let _ = fs::remove_file(&self.path);
    }
}
