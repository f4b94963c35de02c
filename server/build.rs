//! Hash of the sources of all crates of the program, for verdicts that outlive a session.
//!
//! A verdict depends on the checker, on the crates that it uses and on the compiler, and its stored
//! form on the server's crates. A kept verdict is read only by a program of the very same sources,
//! so a corrected checker finds none of its predecessor's, without a number to raise by hand. A
//! version does not change between releases; the program's own bytes would serve as well, but are a
//! hundred megabytes in a debug build, to be read at each start.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> io::Result<()> {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = own.parent().unwrap_or(&own);
    let mut crates = vec![own.clone()];
    for folder in [&root.join("checker"), &own] {
        for entry in fs::read_dir(folder)? {
            crates.push(entry?.path());
        }
    }
    crates.retain(|folder| folder.join("Cargo.toml").is_file());
    let mut paths = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    for folder in crates {
        paths.extend([folder.join("Cargo.toml"), folder.join("src")]);
    }
    let mut files = Vec::new();
    for path in &paths {
        println!("cargo::rerun-if-changed={}", path.display());
        sources(path, &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file);
        add(name.to_string_lossy().as_bytes());
        add(&fs::read(file)?);
    }
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    add(&Command::new(compiler).arg("-vV").output()?.stdout);
    for name in ["TARGET", "PROFILE"] {
        add(env::var(name).unwrap_or_default().as_bytes());
    }
    println!(
        "cargo::rustc-env=STUBBORN_BUILD={}",
        hasher.finalize().to_hex()
    );
    Ok(())
}

/// The files that the program is made from, at this path or below it.
fn sources(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            sources(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}
