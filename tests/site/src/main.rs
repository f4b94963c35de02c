//! Builds the documentation's site into `target/site`, and says where it begins.

use std::process::ExitCode;

use stubborn_site::{build, links, repository};

fn main() -> anyhow::Result<ExitCode> {
    let site = std::path::absolute(repository().canonicalize()?.join("target/site"))?;
    let mut wrong = build(&site)?;
    wrong.extend(links::broken(&site)?);
    for line in &wrong {
        eprintln!("{line}");
    }
    println!("{}", site.join("index.html").display());
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}
