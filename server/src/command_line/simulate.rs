//! `stubborn simulate`: going along a run in a terminal, step by step, by hand or at random; and taking a saved one
//! again.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;

use stubborn_checker::Errors;
use stubborn_checker::stepping::{
    Asking, Chance, End, Given, LONGEST, Run, State, Stepped, TraceStep, Truth, Turned,
};
use stubborn_model::Around;
use stubborn_report::{counted, named_values, trace_report};

use super::arguments::{Simulate, TraceForm};
use super::models::{read_model, read_text};
use super::only::named_only;
use super::output::{Style, human_run};
use super::problems::command_line_problem;
use super::saved::{follow, made_with_others, read};
use super::status::Status;

/// So many steps are listed.
const MOST_LISTED: usize = 1_000;
/// So many steps are taken at random where nobody says how many.
const STEPS: u64 = 100;
/// A line has no more bytes; what comes behind them is another.
const MOST_TYPED: u64 = 1 << 12;

const HELP: &str = "  NUMBER     take this step
  u          undo the last step
  r [N]      take N steps at random, one where there is no N
  p EXPR     print what an expression comes to here, or a channel or an instance
  s          show the state
  l          list the steps again, as an empty line does
  ?          show this
  q          quit
";

/// Simulates a model, or takes a saved run of it again.
///
/// # Errors
/// Where what is told cannot be written.
pub fn simulate(arguments: &Simulate, to: &mut dyn Write) -> io::Result<Result<Status, Errors>> {
    let definitions = &arguments.definitions;
    let model = read_model(&arguments.file, definitions, &|| false).map_err(Errors::from);
    let model = match model.and_then(|model| model.stepped()) {
        Ok(model) => Arc::new(model),
        Err(errors) => return Ok(Err(errors)),
    };
    if let Some(file) = &arguments.replay {
        return replay(&model, file, arguments, to);
    }
    let mut session = Session::new(model, arguments.seed.unwrap_or(1), to);
    if arguments.random {
        session.tell_start()?;
        session.at_random(arguments.steps.unwrap_or(STEPS))?;
        session.tell_end()?;
    } else {
        session.tell_start()?;
        session.converse(&mut io::stdin().lock(), io::stdin().is_terminal())?;
    }
    Ok(Ok(session.status()))
}

/// Takes a saved run again, and writes it: step by step, or as a whole if a form or names are given.
fn replay(
    model: &Arc<Stepped>,
    file: &Path,
    arguments: &Simulate,
    to: &mut dyn Write,
) -> io::Result<Result<Status, Errors>> {
    let all_refused = |whys: Vec<String>| {
        let problems = whys.into_iter().map(command_line_problem);
        Ok(Err(Errors::from(problems.collect::<Vec<_>>())))
    };
    let refused = |why: String| all_refused(vec![why]);
    let only = match named_only(&arguments.only, model) {
        Ok(only) => only,
        Err(unknown) => return all_refused(unknown),
    };
    let shown = file.display();
    let text = match read_text(file) {
        Ok(text) => text,
        Err(why) => return refused(why),
    };
    let saved = match read(&text, arguments.property.as_deref()) {
        Ok(saved) => saved,
        Err(why) => return refused(format!("`{shown}` cannot be replayed: {why}")),
    };
    let trace = match follow(model, &saved) {
        Ok(trace) => trace,
        Err(departure) => {
            let why = departure.sentence();
            let others = made_with_others(model, &saved);
            let others = others.map_or_else(String::new, |others| format!("; {others}"));
            return refused(format!("`{shown}`: {why}{others}"));
        }
    };
    let (steps, cycle) = (trace.steps().len(), trace.cycle().len());
    if (arguments.trace.is_some() || only.is_some()) && !trace.is_empty() {
        let property = saved.property_of(model);
        let report = trace_report(property, model.about(), &Arc::new(trace));
        let form = arguments.trace.unwrap_or(TraceForm::Table);
        let style = Style::of_output(arguments.color);
        human_run(&report, form, only.as_ref(), style, to)?;
        return Ok(Ok(Status::Holds));
    }
    let given = Given {
        trace: Arc::new(trace),
        property: None,
    };
    let mut session = Session::new(model.clone(), 1, to);
    session.run = Run::along(model.clone(), given);
    session.tell_start()?;
    for at in 0..steps + cycle {
        if at == steps {
            writeln!(session.to, "the cycle begins")?;
        }
        let Some(step) = session.run.next_given().cloned() else {
            break;
        };
        session.take(step)?;
    }
    if cycle > 0 {
        writeln!(session.to, "the cycle closes: as after step {steps}")?;
    }
    let of = match &saved.property {
        Some(property) => format!(" of {property}"),
        None => String::new(),
    };
    let count = counted(steps + cycle, "step");
    writeln!(session.to, "the trace{of} is a run of this model, {count}")?;
    Ok(Ok(Status::Holds))
}

struct Session<'a> {
    run: Run,
    asking: Asking,
    chance: Chance,
    seed: u64,
    to: &'a mut dyn Write,
}

impl<'a> Session<'a> {
    fn new(model: Arc<Stepped>, seed: u64, to: &'a mut dyn Write) -> Session<'a> {
        Session {
            run: Run::new(model.clone()),
            asking: Asking::new(model),
            chance: Chance::new(seed),
            seed,
            to,
        }
    }

    fn tell_start(&mut self) -> io::Result<()> {
        writeln!(self.to, "at the start")?;
        self.tell_state()?;
        for (one, truth) in self.run.conditions() {
            let Turned { sentence, is_wrong } = one.standing(truth);
            if is_wrong {
                writeln!(self.to, "! {sentence}")?;
            }
        }
        Ok(())
    }

    fn tell_state(&mut self) -> io::Result<()> {
        let Stepped { system, map, .. } = &**self.run.model();
        for (name, value) in named_values(system, map, self.run.state()) {
            writeln!(self.to, "    {name} = {value}")?;
        }
        Ok(())
    }

    /// Answers what is typed, line by line.
    fn converse(&mut self, typed: &mut dyn BufRead, is_person: bool) -> io::Result<()> {
        if is_person {
            writeln!(self.to, "? shows what can be typed")?;
        }
        let mut enabled = self.list()?;
        let mut line = Vec::new();
        loop {
            if is_person {
                write!(self.to, "> ")?;
            }
            self.to.flush()?;
            line.clear();
            // What cannot be read any more is at its end.
            let mut typed = (&mut *typed).take(MOST_TYPED);
            if typed.read_until(b'\n', &mut line).unwrap_or(0) == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            let (word, rest) = match line.split_once(char::is_whitespace) {
                Some((word, rest)) => (word, rest.trim()),
                None => (line, ""),
            };
            match (word, rest) {
                ("q", "") => return Ok(()),
                ("?", _) => write!(self.to, "{HELP}")?,
                ("" | "l", "") => enabled = self.list()?,
                ("s", "") => self.tell_state()?,
                ("u", "") => {
                    if self.run.back().is_some() {
                        writeln!(self.to, "back after {}", counted(self.run.len(), "step"))?;
                        enabled = self.list()?;
                    } else {
                        writeln!(self.to, "this is the start: there is nothing to undo")?;
                    }
                }
                ("r", count) => match count {
                    "" => {
                        self.at_random(1)?;
                        enabled = self.list()?;
                    }
                    count => match count.parse() {
                        Ok(count) => {
                            self.at_random(count)?;
                            enabled = self.list()?;
                        }
                        Err(_) => writeln!(self.to, "`{count}` is no number of steps")?,
                    },
                },
                ("p", "") => writeln!(self.to, "what is to be printed? `p x + 1` prints `x + 1`")?,
                ("p", text) => match self.asking.ask(Around::File, self.run.state(), text) {
                    Ok(answer) => writeln!(self.to, "{text} = {}", answer.text)?,
                    Err(why) => writeln!(self.to, "{why}")?,
                },
                (number, "") if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                    let wanted = number.parse::<usize>().ok();
                    let step = wanted.and_then(|number| enabled.get(number.checked_sub(1)?));
                    match step.cloned() {
                        Some(_) if self.run.is_at_limit() => self.tell_too_long()?,
                        Some(step) => {
                            self.take(step)?;
                            enabled = self.list()?;
                        }
                        None => writeln!(self.to, "there is no step {number}")?,
                    }
                }
                _ => writeln!(
                    self.to,
                    "`{line}` is nothing that can be done; ? shows what can"
                )?,
            }
        }
    }

    /// Lists what can be taken, with numbers; or says why there is nothing.
    fn list(&mut self) -> io::Result<Vec<TraceStep>> {
        let enabled = self.run.enabled(MOST_LISTED);
        if enabled.steps.is_empty() {
            self.tell_end()?;
        }
        let width = enabled.steps.len().to_string().len();
        for (at, step) in enabled.steps.iter().enumerate() {
            let told = self.words(self.run.state(), step);
            writeln!(self.to, "  {:width$}  {told}", at + 1)?;
        }
        if enabled.are_more {
            writeln!(self.to, "  … and more")?;
        }
        Ok(enabled.steps)
    }

    fn words(&self, before: &State, step: &TraceStep) -> String {
        self.run.model().in_short(before, step)
    }

    fn tell_end(&mut self) -> io::Result<()> {
        match self.run.end() {
            Some(end) => writeln!(self.to, "{}", end.sentence()),
            None => Ok(()),
        }
    }

    fn tell_too_long(&mut self) -> io::Result<()> {
        writeln!(
            self.to,
            "a run of {LONGEST} steps is as long as one may be here"
        )
    }

    /// Takes a step and tells it, with what turns.
    fn take(&mut self, step: TraceStep) -> io::Result<()> {
        let told = self.words(self.run.state(), &step);
        let turned = self.run.take(step);
        writeln!(self.to, "{}: {told}", self.run.len())?;
        for Turned { sentence, is_wrong } in turned {
            let mark = if is_wrong { "!" } else { "·" };
            writeln!(self.to, "{mark} {sentence}")?;
        }
        Ok(())
    }

    fn at_random(&mut self, count: u64) -> io::Result<()> {
        writeln!(self.to, "at random, seed {}", self.seed)?;
        for _ in 0..count {
            if self.run.is_at_limit() {
                return self.tell_too_long();
            }
            let Some(step) = self.run.draw(&mut self.chance, MOST_LISTED, None) else {
                break;
            };
            self.take(step)?;
        }
        Ok(())
    }

    /// What the run shows as it stands.
    fn status(&self) -> Status {
        let model = self.run.model();
        let is_wrong = |name: &str| {
            let named = model.properties.iter().find(|one| one.name == name);
            named.is_some_and(|one| !one.expected_violated)
        };
        let ends_wrong = match self.run.end() {
            Some(End::Failed(_)) => is_wrong("errors"),
            Some(End::Deadlock(_)) => is_wrong("deadlock"),
            _ => false,
        };
        let mut here = self.run.conditions();
        let is_false = here.any(|(one, truth)| one.is_to_hold && *truth != Truth::True);
        match ends_wrong || is_false {
            true => Status::Violated,
            false => Status::Holds,
        }
    }
}
