//! A model as text, in varying layout, and where its steps and statements begin in it.

use std::collections::HashMap;

use crate::model::*;
use crate::random::Random;
use crate::spell;
use crate::value::{Type, Value};

/// Line and column of each step and statement, from 1.
pub type Positions = HashMap<usize, (usize, usize)>;

pub fn text(model: &Model) -> (String, Positions) {
    let mut w = Writer {
        model,
        text: String::new(),
        line: 1,
        column: 1,
        indent: 0,
        positions: Positions::new(),
        random: Random::new(model.layout),
        symbols: model.layout.is_multiple_of(4),
        inside: None,
    };
    w.model();
    (w.text, w.positions)
}

pub(crate) struct Writer<'a> {
    pub model: &'a Model,
    text: String,
    line: usize,
    column: usize,
    indent: usize,
    positions: Positions,
    random: Random,
    /// Whether `&&` is written for `and`, and so on.
    pub symbols: bool,
    /// The process whose variables are seen.
    pub inside: Option<usize>,
}

enum Item {
    Plain(String),
    Macro(usize),
    Process(usize),
    Property(usize),
    Recurrence(usize),
    Deadlock,
    Termination,
}

impl Writer<'_> {
    fn put(&mut self, s: &str) {
        for c in s.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                if self.column == 1 {
                    self.text.push_str(&"    ".repeat(self.indent));
                    self.column += 4 * self.indent;
                }
                self.column += 1;
            }
            self.text.push(c);
        }
    }

    fn mark(&mut self, id: usize) {
        let column = if self.column == 1 {
            1 + 4 * self.indent
        } else {
            self.column
        };
        self.positions.insert(id, (self.line, column));
    }

    fn expr(&self, e: &Expr) -> String {
        spell::expr(self, e)
    }

    fn model(&mut self) {
        let m = self.model;
        let mut free: Vec<Item> = Vec::new();
        let mut plain = |s: String| free.push(Item::Plain(s));
        for c in &m.constants {
            plain(c.text.clone());
        }
        for (name, text) in &m.aliases {
            plain(format!("type {name} = {text}"));
        }
        for (name, values) in &m.enums {
            plain(format!("enum {name} {{ {} }}", values.join(", ")));
        }
        for v in &m.variables {
            plain(self.variable(v));
        }
        for c in &m.channels {
            plain(self.channel(c));
        }
        for a in &m.actions {
            let types: Vec<_> = a.arguments.iter().map(|t| t.text.clone()).collect();
            let types = if types.is_empty() {
                "".into()
            } else {
                format!("({})", types.join(", "))
            };
            plain(format!("action {}{types}", a.name));
        }
        for d in &m.definitions {
            plain(format!(
                "def {}{}: {}",
                d.name,
                parameters(&d.parameters),
                self.expr(&d.body)
            ));
        }
        for (k, d) in m.macros.iter().enumerate() {
            if d.inside.is_none() {
                free.push(Item::Macro(k));
            }
        }
        if !matches!(m.deadlock, DeadlockSetting::Checked) {
            free.push(Item::Deadlock);
        }
        if m.termination_not_required {
            free.push(Item::Termination);
        }
        // Processes and properties keep their order; all else may stand anywhere.
        let mut items = Vec::new();
        let scattered = self.random.one_in(2);
        if !scattered {
            items.append(&mut free);
        }
        for k in (0..m.processes.len()).filter(|k| !m.processes[*k].gone) {
            items.push(Item::Process(k));
        }
        items.extend((0..m.properties.len()).map(Item::Property));
        items.extend((0..m.recurrences.len()).map(Item::Recurrence));
        for item in free {
            let at = self.random.below(items.len() + 1);
            items.insert(at, item);
        }
        for item in items {
            match item {
                Item::Plain(s) => self.put(&s),
                Item::Macro(k) => self.macro_(k),
                Item::Process(k) => self.process(k),
                Item::Property(k) => self.property(&m.properties[k]),
                Item::Recurrence(k) => self.recurrence(&m.recurrences[k]),
                Item::Termination => self.put("termination not required"),
                Item::Deadlock => match &m.deadlock {
                    DeadlockSetting::Allowed(e) => {
                        let e = self.expr(e);
                        self.put(&format!("deadlock allowed when {e}"));
                    }
                    _ => self.put("deadlock ignored"),
                },
            }
            self.put("\n");
            if self.random.one_in(3) {
                self.put("\n");
            }
            if self.random.one_in(9) {
                self.put("// what follows was drawn by lot /* and not written -> by hand\n");
            }
        }
    }

    fn variable(&self, v: &Variable) -> String {
        let first = v
            .first
            .as_ref()
            .map_or(String::new(), |e| format!(" = {}", self.expr(e)));
        format!("var {}: {}{first}", v.name, v.ty.text)
    }

    fn channel(&self, c: &Channel) -> String {
        let index = c
            .index
            .as_ref()
            .map_or(String::new(), |t| format!("[{}]", t.text));
        let kind = if c.is_bag { "bag" } else { "queue" };
        let fields: Vec<_> = c.fields.iter().map(|t| t.text.as_str()).collect();
        let message = |m: &Vec<Expr>| {
            let values: Vec<_> = m.iter().map(|e| self.expr(e)).collect();
            if values.len() == 1 {
                values[0].clone()
            } else {
                format!("[{}]", values.join(", "))
            }
        };
        let first: Vec<_> = c.first.iter().map(message).collect();
        let first = if first.is_empty() {
            "".into()
        } else {
            format!(" = [{}]", first.join(", "))
        };
        let fields = fields.join(", ");
        format!(
            "channel {}{index}: {kind}[{}] of {fields}{first}",
            c.name, c.capacity
        )
    }

    fn macro_(&mut self, k: usize) {
        let m = &self.model.macros[k];
        self.put(&format!("macro {}{} ", m.name, parameters(&m.parameters)));
        self.block(&m.body, m.effects_alone);
    }

    fn process(&mut self, k: usize) {
        let p = &self.model.processes[k];
        self.inside = Some(k);
        self.put(&format!(
            "process {}{} {{\n",
            p.name,
            parameters_where(&p.parameters, &p.left_out, &|v| self
                .expr(&Expr::Literal(v.clone())))
        ));
        self.indent += 1;
        for v in &p.locals {
            let line = format!("{}\n", self.variable(v));
            self.put(&line);
        }
        for (n, m) in self.model.macros.iter().enumerate() {
            if m.inside == Some(k) {
                self.macro_(n);
                self.put("\n");
            }
        }
        if !p.alphabet.is_empty() {
            let one = |a: &usize| {
                let a = &self.model.actions[*a];
                let stars = vec!["*"; a.arguments.len()].join(", ");
                if stars.is_empty() {
                    a.name.clone()
                } else {
                    format!("{}({stars})", a.name)
                }
            };
            let list: Vec<_> = p.alphabet.iter().map(one).collect();
            self.put(&format!("alphabet {}\n", list.join(", ")));
        }
        match &p.body {
            Body::States(states) => {
                for (n, s) in states.iter().enumerate() {
                    self.state(n, s, states);
                }
            }
            Body::Statements(list) => self.statements(list, false),
        }
        self.indent -= 1;
        self.put("}");
        self.inside = None;
    }

    fn state(&mut self, n: usize, s: &State, states: &[State]) {
        let modifiers = match (n == 0, s.is_final) {
            (true, true) if self.random.one_in(2) => "final initial ",
            (true, true) => "initial final ",
            (true, false) => "initial ",
            (false, true) => "final ",
            (false, false) => "",
        };
        self.put(&format!("{modifiers}state {}", s.name));
        if s.steps.is_empty() && self.random.one_in(2) {
            self.put("\n");
            return;
        }
        self.put(" {\n");
        self.indent += 1;
        for (step, target) in &s.steps {
            self.mark(step.id);
            let clauses = self.clauses(step);
            let end = if self.random.one_in(4) { ";" } else { "" };
            let sep = if clauses.is_empty() { "" } else { " " };
            self.put(&format!("{clauses}{sep}-> {}{end}\n", states[*target].name));
        }
        self.indent -= 1;
        self.put("}\n");
    }

    /// The clauses of a step, in the order of §4.
    fn clauses(&mut self, step: &Step) -> String {
        let mut list = Vec::new();
        if !step.each.is_empty() {
            let each: Vec<_> = step
                .each
                .iter()
                .map(|(n, t)| format!("{n} in {}", t.text))
                .collect();
            list.push(format!("for {}", each.join(", ")));
        }
        let index = |i: &Option<Expr>| {
            i.as_ref()
                .map_or("".into(), |e| format!("[{}]", self.expr(e)))
        };
        let exprs = |l: &[Expr]| {
            l.iter()
                .map(|e| self.expr(e))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let arguments = |l: &[Argument]| {
            let one = |a: &Argument| match a {
                Argument::Value(e) => self.expr(e),
                Argument::Into(p) => format!("?{}", spell::place(self, p)),
                Argument::Any => "*".to_string(),
            };
            l.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        match &step.sync {
            Sync::Free => {}
            Sync::On(a, l) => {
                let name = &self.model.actions[*a].name;
                let l = if l.is_empty() {
                    "".into()
                } else {
                    format!("({})", arguments(l))
                };
                list.push(format!("on {name}{l}"));
            }
            Sync::Send(c, i, l) => {
                let name = &self.model.channels[*c].name;
                list.push(format!("send {name}{}({})", index(i), exprs(l)));
            }
            Sync::Receive(c, i, l, onward) => {
                let name = &self.model.channels[*c].name;
                list.push(format!("receive {name}{}({})", index(i), arguments(l)));
                if let Some(onward) = onward {
                    let name = &self.model.channels[onward.channel].name;
                    let (index, values) = (index(&onward.index), exprs(&onward.values));
                    list.push(format!("send {name}{index}({values})"));
                }
            }
        }
        if let Some(e) = &step.guard {
            list.push(format!("when {}", self.expr(e)));
        }
        if !step.effects.is_empty() {
            let braces = self.random.one_in(3);
            let between = match braces {
                true => [", ", "; ", "\n        "][self.random.below(3)],
                false => ", ",
            };
            let effects = self.effects(&step.effects, between);
            list.push(if braces {
                format!("do {{ {effects} }}")
            } else {
                format!("do {effects}")
            });
        }
        list.join(" ")
    }

    fn effects(&self, list: &[Effect], between: &str) -> String {
        let one = |e: &Effect| match e {
            Effect::Assign(p, e) => format!("{} = {}", spell::place(self, p), self.expr(e)),
            Effect::Choose(p, t) => format!("{} = any {}", spell::place(self, p), t.text),
            Effect::If(e, a, b) => {
                let then = self.effects(a, ", ");
                let mut s = format!("if {} {{ {then} }}", self.expr(e));
                if !b.is_empty() {
                    s += &format!(" else {{ {} }}", self.effects(b, "; "));
                }
                s
            }
            Effect::For(n, t, a) => {
                format!("for {n} in {} {{ {} }}", t.text, self.effects(a, "; "))
            }
            Effect::Assert(e) => format!("assert {}", self.expr(e)),
            Effect::Call(m, l) => {
                let l: Vec<_> = l.iter().map(|e| self.expr(e)).collect();
                format!("{}({})", self.model.macros[*m].name, l.join(", "))
            }
        };
        list.iter().map(one).collect::<Vec<_>>().join(between)
    }

    fn block(&mut self, list: &[Statement], bare: bool) {
        self.put("{\n");
        self.indent += 1;
        self.statements(list, bare);
        self.indent -= 1;
        self.put("}");
    }

    /// Statements, one a line or now and then two. With `bare`, effects are written without `do`.
    fn statements(&mut self, list: &[Statement], bare: bool) {
        for (k, s) in list.iter().enumerate() {
            self.mark(s.id);
            for (name, is_final) in &s.labels {
                let is_final = if *is_final { "final " } else { "" };
                self.put(&format!("{is_final}{name}: "));
            }
            let ends_in_brace = self.statement(s, bare);
            let next_on_line = k + 1 < list.len() && self.random.one_in(5);
            let semicolon = next_on_line || !ends_in_brace && self.random.one_in(2);
            let begins_with_clause = list.get(k + 1).is_some_and(|s| {
                s.labels.is_empty() && matches!(s.kind, Kind::Step(_) | Kind::Skip)
            });
            if semicolon || begins_with_clause {
                self.put(";");
            }
            self.put(if next_on_line { " " } else { "\n" });
        }
    }

    /// Whether it ends in a brace that nothing can continue.
    fn statement(&mut self, s: &Statement, bare: bool) -> bool {
        match &s.kind {
            Kind::Step(step) => {
                let free = step.each.is_empty() && matches!(step.sync, Sync::Free);
                let short = bare || self.random.one_in(2);
                let line = match (&step.guard, step.effects.as_slice()) {
                    (None, [Effect::For(..) | Effect::Call(..)]) if free && bare => {
                        self.effects(&step.effects, ", ")
                    }
                    (None, [Effect::Assert(_)]) if free && short => {
                        self.effects(&step.effects, ", ")
                    }
                    (None, effects)
                        if free
                            && short
                            && !effects.is_empty()
                            && effects
                                .iter()
                                .all(|e| matches!(e, Effect::Assign(..) | Effect::Choose(..))) =>
                    {
                        self.effects(&step.effects, ", ")
                    }
                    (Some(e), effects) if free && short => {
                        let e = self.expr(e);
                        match effects {
                            [] => format!("await {e}"),
                            _ => format!("await {e} do {{ {} }}", self.effects(effects, "; ")),
                        }
                    }
                    (None, []) if free => "skip".into(),
                    // `for` by itself is no statement.
                    (None, []) if matches!(step.sync, Sync::Free) => {
                        format!("{} when true", self.clauses(step))
                    }
                    _ => self.clauses(step),
                };
                self.put(&line);
                false
            }
            Kind::Skip => {
                self.put("skip");
                false
            }
            Kind::Stop => {
                self.put("stop");
                false
            }
            Kind::Break => {
                self.put("break");
                false
            }
            Kind::If(e, a, b) => {
                let e = self.expr(e);
                self.put(&format!("if {e} "));
                self.block(a, bare);
                match b.as_slice() {
                    [] => {}
                    [only] if matches!(only.kind, Kind::If(..)) && only.labels.is_empty() => {
                        self.put(" else ");
                        self.mark(only.id);
                        self.statement(only, bare);
                    }
                    _ => {
                        self.put(" else ");
                        self.block(b, bare);
                    }
                }
                true
            }
            Kind::While(e, a) => {
                let e = self.expr(e);
                self.put(&format!("while {e} "));
                self.block(a, false);
                true
            }
            Kind::Loop(a) => {
                self.put("loop ");
                self.block(a, false);
                true
            }
            Kind::Either(branches) => {
                for (k, b) in branches.iter().enumerate() {
                    self.put(if k == 0 { "either " } else { " or " });
                    if let Some((n, t)) = &b.each {
                        self.put(&format!("for {n} in {} ", t.text));
                    }
                    self.block(&b.body, false);
                }
                true
            }
            Kind::Call(m, l) => {
                let l: Vec<_> = l.iter().map(|e| self.expr(e)).collect();
                self.put(&format!("{}({})", self.model.macros[*m].name, l.join(", ")));
                false
            }
        }
    }

    fn property(&mut self, p: &Property) {
        let (word, modal) = match p.kind {
            PropertyKind::Invariant => ("invariant", ""),
            PropertyKind::May => ("progress", "may "),
            PropertyKind::Must => ("progress", "must "),
            PropertyKind::Reachable => ("reachable", ""),
        };
        let line = format!(
            "{word} {}{}: {modal}{}",
            p.name,
            parameters_where(&p.parameters, &p.left_out, &|v| self
                .expr(&Expr::Literal(v.clone()))),
            self.expr(&p.body)
        );
        self.put(&line);
    }

    fn recurrence(&mut self, r: &Recurrence) {
        let line = format!(
            "recurrence {}{}: infinitely {} implies infinitely {}",
            r.name,
            parameters(&r.parameters),
            self.events(&r.infinitely),
            self.events(&r.implies)
        );
        self.put(&line);
    }

    fn events(&mut self, list: &[Event]) -> String {
        let mut texts: Vec<String> = list.iter().map(|e| self.event(e)).collect();
        if list.len() == 1 && self.random.one_in(2) {
            return texts.remove(0);
        }
        format!("{{{}}}", texts.join(", "))
    }

    fn event(&self, e: &Event) -> String {
        let applied = |name: &str, wanted: &[Option<Expr>]| {
            let one = |e: &Option<Expr>| e.as_ref().map_or("*".into(), |e| self.expr(e));
            let list: Vec<_> = wanted.iter().map(one).collect();
            match list.as_slice() {
                [] => name.to_string(),
                list => format!("{name}({})", list.join(", ")),
            }
        };
        match e {
            Event::Action(a, wanted) => applied(&self.model.actions[*a].name, wanted),
            Event::At(p, wanted, places) => {
                let at = match places.as_slice() {
                    [one] => one.clone(),
                    several => format!("{{{}}}", several.join(", ")),
                };
                format!("{}@{at}", applied(&self.model.processes[*p].name, wanted))
            }
        }
    }
}

/// Parameters with the values that they have not.
fn parameters_where(
    list: &[(String, Type)],
    left_out: &[Vec<Value>],
    literal: &dyn Fn(&Value) -> String,
) -> String {
    let all = parameters(list);
    if left_out.is_empty() {
        return all;
    }
    let stays = left_out.iter().map(|values| {
        let differs = list.iter().zip(values);
        let differs = differs.map(|((name, _), value)| format!("{name} != {}", literal(value)));
        let differs: Vec<_> = differs.collect();
        match &differs[..] {
            [one] => one.clone(),
            _ => format!("({})", differs.join(" or ")),
        }
    });
    let stays: Vec<_> = stays.collect();
    format!(
        "{} where {})",
        all.trim_end_matches(')'),
        stays.join(" and ")
    )
}

fn parameters(list: &[(String, Type)]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let list: Vec<_> = list
        .iter()
        .map(|(n, t)| format!("{n} in {}", t.text))
        .collect();
    format!("({})", list.join(", "))
}
