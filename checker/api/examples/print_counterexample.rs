//! Prints the counterexample of a property in two ways: as a table, and step by step.

use std::error::Error;

use stubborn_checker::{Model, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::parse(include_str!("broken_lock.stb"))?;
    let report = model.check(&Options::default())?;
    let mutex = report.property("mutex").ok_or("the model has it")?;
    println!("{}", mutex.why.as_deref().unwrap_or("mutex holds"));
    let Some(trace) = &mutex.trace else {
        return Ok(());
    };
    println!("\n{trace}");
    for (number, step) in (1..).zip(trace.every_step(0)) {
        let line = step.place.range.start.line;
        for (name, statement) in step.by.iter().zip(&step.statements) {
            println!("{number}. {name} takes `{statement}` in line {line}");
        }
        for (name, value) in &step.changes {
            println!("   {name} is now {value}");
        }
    }
    Ok(())
}
