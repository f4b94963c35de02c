//! Draws texts of like processes: which of them is which makes no difference, or does in one place alone.
//!
//! Everything is about a type `Id` of two or three values: processes have it for a parameter, arrays for an index,
//! and variables, messages and actions for values. A share of the texts ([`Share`]) has one place more
//! that tells the values apart.

use std::fmt::Write as _;

use crate::random::Random;

/// How much a text tells the values apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    Symmetric,
    /// But for one cell, one initial value, one guard, or another place.
    Nearly,
}

/// A text from a seed.
pub fn text(seed: u64, share: Share) -> String {
    let mut r = Random::new(seed ^ 0x51ae_7a1c);
    let n = if r.one_in(3) { 3 } else { 2 };
    let mut draw = Draw {
        n,
        has: [2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4].map(|of| r.one_in(of)),
        near: match share {
            Share::Symmetric => None,
            Share::Nearly => Some(r.below(6)),
        },
        r,
    };
    draw.text()
}

struct Draw {
    n: i64,
    /// Which variables there are.
    has: [bool; 11],
    /// The place that tells values apart, until it has been written.
    near: Option<usize>,
    r: Random,
}

const FLAG: usize = 0;
const TURN: usize = 1;
const NEXT: usize = 2;
const COUNTER: usize = 3;
const KNOWS: usize = 4;
const QUEUE: usize = 5;
const MAIL: usize = 6;
const MEETS: usize = 7;
const OWNER: usize = 8;
const VOTES: usize = 9;
const POST: usize = 10;

impl Draw {
    fn text(&mut self) -> String {
        let mut text = format!("type Id = 0..{}\n", self.n - 1);
        let initial = match self.near {
            Some(0) => " = [1, 0]".to_owned(),
            _ => String::new(),
        };
        let initial = if self.n == 2 {
            initial
        } else {
            initial.replace("[1, 0]", "[1, 0, 0]")
        };
        if self.has[FLAG] {
            let _ = writeln!(text, "var flag: array[Id] of 0..1{initial}");
        }
        if self.has[TURN] {
            let _ = writeln!(
                text,
                "var turn: Id{}",
                if self.near == Some(1) { " = 1" } else { "" }
            );
        }
        if self.has[NEXT] {
            text += self.r.pick::<&str>(&[
                "var next: array[Id] of Id\n",
                "var next: array[Id] of Id = [k in Id: k]\n",
            ]);
        }
        if self.has[COUNTER] {
            text += "var counter: 0..2\n";
        }
        if self.has[KNOWS] {
            text += "var knows: array[Id] of array[Id] of bool\n";
        }
        if self.has[QUEUE] {
            let kind = if self.r.one_in(2) { "bag" } else { "queue" };
            let _ = writeln!(text, "channel all: {kind}[2] of Id, 0..1");
        }
        if self.has[MAIL] {
            text += "channel mail[Id]: queue[1] of Id\n";
        }
        if self.has[MEETS] {
            text += "action meet(Id)\n";
        }
        if self.has[OWNER] {
            // Nobody is -1.
            let initial = if self.r.one_in(2) { " = -1" } else { "" };
            let _ = writeln!(text, "var owner: -1..{}{initial}", self.n - 1);
        }
        if self.has[VOTES] {
            text += "var votes: set of Id\n";
        }
        if self.has[POST] {
            text += "channel post[Id]: bag[2] of Id, 0..1\n";
        }
        text += "deadlock ignored\n";
        self.process(&mut text, "p", "i in Id");
        match self.r.below(4) {
            0 => self.process(&mut text, "o", "i in Id"),
            1 => self.process(&mut text, "o", "i in Id, k in Id"),
            2 => self.lonely(&mut text),
            _ => {}
        }
        self.properties(&mut text);
        text
    }

    fn process(&mut self, text: &mut String, name: &str, parameters: &str) {
        let first = if self.r.one_in(2) { " = i" } else { "" };
        let _ = writeln!(
            text,
            "process {name}({parameters}) {{\n    var x: 0..1\n    var y: Id{first}"
        );
        let states = 2 + self.r.below(2);
        for state in 0..states {
            let modifier = if state == 0 { "initial " } else { "" };
            let last = if self.r.one_in(3) { "final " } else { "" };
            let _ = writeln!(text, "    {modifier}{last}state s{state} {{");
            for _ in 0..1 + self.r.below(2) {
                let to = if self.r.one_in(2) {
                    (state + 1) % states
                } else {
                    self.r.below(states)
                };
                let step = self.step(name);
                let _ = writeln!(text, "        {step} -> s{to}");
            }
            *text += "    }\n";
        }
        *text += "}\n";
    }

    /// A process that is there once.
    fn lonely(&mut self, text: &mut String) {
        *text += "process one {\n    var y: Id\n    initial final state s0 {\n";
        if self.has[MEETS] {
            *text += "        on meet(?y) -> s1\n";
        } else {
            *text += "        do y = any Id -> s1\n";
        }
        *text += "    }\n    state s1 {\n";
        if self.has[TURN] {
            *text += "        do turn = y -> s0\n";
        } else if self.has[FLAG] {
            *text += "        when flag[y] == 0 do flag[y] = 1 -> s0\n";
        } else {
            *text += "        when p(y)@s0 -> s0\n";
        }
        *text += "    }\n}\n";
    }

    fn step(&mut self, name: &str) -> String {
        let mut step = String::new();
        let mut has_channel = false;
        match self.r.below(7) {
            0 if self.has[MEETS] => {
                let meets = ["on meet(i) ", "on meet(y) ", "on meet(?y) ", "on meet(*) "];
                step += *self.r.pick::<&str>(&meets);
            }
            1 if self.has[QUEUE] => {
                has_channel = true;
                step += *self.r.pick::<&str>(&[
                    "send all(i, x) ",
                    "send all(y, 0) ",
                    "receive all(?y, ?x) ",
                    "receive all(i, *) ",
                ]);
            }
            2 if self.has[MAIL] => {
                has_channel = true;
                step += *self.r.pick::<&str>(&[
                    "send mail[y](i) ",
                    "send mail[i](y) ",
                    "receive mail[i](?y) ",
                    "receive mail[y](?y) ",
                ]);
            }
            3 | 4 if self.has[POST] => {
                has_channel = true;
                step += *self.r.pick::<&str>(&[
                    "send post[y](i, x) ",
                    "send post[i](y, 1) ",
                    "receive post[i](?y, ?x) ",
                    "receive post[i](y, *) ",
                    "receive post[y](?y, x) ",
                ]);
            }
            _ => {}
        }
        if self.r.one_in(2) || (name != "p" && !has_channel) {
            let guard = self.condition("i", "y", "x == 0");
            let _ = write!(step, "when {guard} ");
        }
        let effects: Vec<String> = (0..self.r.below(3)).map(|_| self.effect()).collect();
        if !effects.is_empty() {
            let _ = write!(step, "do {} ", effects.join(", "));
        }
        if step.is_empty() {
            step += "when x == 0 do x = 1";
        }
        step
    }

    /// A condition about two members and something else.
    fn condition(&mut self, i: &str, y: &str, other: &str) -> String {
        if matches!(self.near, Some(2 | 3)) && self.r.one_in(2) {
            self.near = None;
            return self
                .r
                .pick(&[
                    format!("{i} == 0"),
                    format!("{y} != 1"),
                    format!("{i} < {y}"),
                    format!("{y} > 0"),
                ])
                .clone();
        }
        let mut all = vec![
            other.to_owned(),
            format!("{y} == {i}"),
            format!("p({y})@s1"),
            format!("p({i}).x == 0 or p({y})@s0"),
            format!("(forall k in Id: k == {i} or not p(k)@s1)"),
            "count(k in Id: p(k)@s1) <= 1".to_owned(),
            "sum(k in Id: p(k).x) < 2".to_owned(),
            format!("(exists k in Id: k != {i} and p(k).y == {i})"),
        ];
        if self.has[FLAG] {
            all.push(format!("flag[{i}] == 0"));
            all.push(format!("flag[{y}] == 1"));
            all.push(format!("(forall k in Id: k == {i} or flag[k] == 0)"));
        }
        if self.has[TURN] {
            all.push(format!("turn == {i}"));
            all.push(format!("turn != {y}"));
            all.push("p(turn)@s0".to_owned());
        }
        if self.has[NEXT] {
            all.push(format!("next[{i}] == {y}"));
            all.push(format!("next[next[{y}]] == {i}"));
            all.push(format!("(exists k in Id: next[k] == {i})"));
        }
        if self.has[COUNTER] {
            all.push("counter < 2".to_owned());
        }
        if self.has[KNOWS] {
            all.push(format!("knows[{i}][{y}]"));
            all.push(format!("(forall k in Id: not knows[k][{i}])"));
        }
        if self.has[QUEUE] {
            all.push("not empty(all)".to_owned());
        }
        if self.has[MAIL] {
            all.push(format!("empty(mail[{y}])"));
            all.push("(exists k in Id: full(mail[k]))".to_owned());
        }
        if self.has[OWNER] {
            all.push(format!("owner == {i}"));
            all.push("owner >= 0".to_owned());
            all.push(format!("(owner == -1 or owner == {y})"));
            all.push("not -1 < owner".to_owned());
        }
        if self.has[VOTES] {
            all.push(format!("{y} in votes"));
            all.push("len(votes) * 2 > len({k in Id: true})".to_owned());
            all.push(format!("votes == {{k in Id: p(k)@s1 or k == {i}}}"));
        }
        if self.has[POST] {
            all.push(format!("empty(post[{y}])"));
            all.push("(forall k in Id: not full(post[k]))".to_owned());
        }
        let one = self.r.pick(&all).clone();
        match self.r.below(4) {
            0 => format!("not ({one})"),
            1 => format!("{one} and {}", self.r.pick(&all)),
            _ => one,
        }
    }

    fn effect(&mut self) -> String {
        if matches!(self.near, Some(4 | 5)) && self.r.one_in(2) {
            self.near = None;
            return self.r.pick(&["y = 0", "x = y % 2", "y = 1"]).to_string();
        }
        let mut all = vec![
            "x = 1 - x",
            "x = 0",
            "y = i",
            "y = any Id",
            "assert x == 0 or y == i",
        ];
        if self.has[FLAG] {
            all.extend([
                "flag[i] = 1",
                "flag[y] = 0",
                "flag[i] = 1 - flag[i]",
                "for k in Id { flag[k] = 0 }",
                "for k in Id { flag[k] = 1 - flag[k] }",
                "for k in Id { assert flag[k] == 0 or k == y }",
            ]);
        }
        if self.has[TURN] {
            all.extend(["turn = i", "turn = y", "y = turn"]);
        }
        if self.has[NEXT] {
            all.extend(["next[i] = y", "y = next[i]", "next[y] = i", "y = next[y]"]);
        }
        if self.has[COUNTER] {
            all.extend([
                "counter = (counter + 1) % 3",
                "counter = counter + 1",
                "counter = 0",
            ]);
        }
        if self.has[KNOWS] {
            all.extend([
                "knows[i][y] = true",
                "knows[y] = knows[i]",
                "for k in Id { knows[k][i] = false }",
                "for k in Id { knows[i][k] = knows[k][y] }",
                "knows[y] = [k in Id: k == i]",
            ]);
            if self.has[FLAG] {
                all.extend([
                    "for k in Id { if flag[k] == 0 { knows[k][i] = true } }",
                    "for k in Id { flag[k] = if knows[i][k] then 1 else 0 }",
                    "for k in Id { knows[i][k] = flag[k] == 1 }",
                ]);
            }
        }
        if self.has[OWNER] {
            all.extend(["owner = i", "owner = -1", "owner = y"]);
            all.push("if owner >= 0 { y = owner; owner = -1 }");
        }
        if self.has[VOTES] {
            all.extend([
                "votes = {i}",
                "votes = votes + {y}",
                "votes = votes - {i}",
                "votes = {}",
            ]);
            if self.has[FLAG] {
                all.push("votes = {k in Id: flag[k] == 1}");
            }
        }
        self.r.pick(&all).to_string()
    }

    fn properties(&mut self, text: &mut String) {
        let quantified = self.condition("j", "p(j).y", "p(j).x == 0");
        let _ = writeln!(text, "invariant all: forall j in Id: {quantified}");
        let some = self.condition("j", "p(j).y", "p(j)@s0");
        let _ = writeln!(text, "invariant some: exists j in Id: {some}");
        let of_one = self.condition("j", "p(j).y", "p(j).x == 0");
        let _ = writeln!(text, "invariant each(j in Id): {of_one}");
        let may = self.condition("j", "p(j).y", "p(j)@s1");
        let _ = writeln!(text, "progress may_some: may exists j in Id: {may}");
        let must = self.condition("j", "p(j).y", "p(j)@s1");
        let _ = writeln!(text, "progress must_some: must exists j in Id: {must}");
        let reached = self.condition("j", "p(j).y", "p(j).x == 1");
        let _ = writeln!(text, "reachable for_some: exists j in Id: {reached}");
        let reached = self.condition("j", "p(j).y", "p(j)@s1");
        let _ = writeln!(text, "reachable for_all: forall j in Id: {reached}");
        let _ = writeln!(
            text,
            "progress must_each(j in Id): must {}",
            self.condition("j", "p(j).y", "p(j)@s1")
        );
        let _ = writeln!(
            text,
            "recurrence round(j in Id): infinitely p(j)@s1 implies infinitely p(j)@s0"
        );
        self.monitors(text);
        if self.has[MEETS] {
            text.push_str(
                "recurrence met: infinitely meet(*) implies infinitely {p(0)@s0, p(1)@s0}\n",
            );
        }
    }

    /// What a monitor watches for.
    fn monitors(&mut self, text: &mut String) {
        let some = self.condition("j", "p(j).y", "p(j)@s1");
        let other = self.condition("j", "p(j).y", "p(j).x == 0");
        let of_one = self.condition("j", "p(j).y", "p(j)@s0");
        let _ = match self.r.below(6) {
            5 if self.has[MEETS] => {
                let of = *self.r.pick(&["allowed", "allowed(j in Id)"]);
                let what = if of == "allowed" { "*" } else { "j" };
                let may_stop = *self.r.pick(&["", "            -> a\n"]);
                let how = [
                    "traces",
                    "failures",
                    "divergences",
                    "infinite traces",
                    "cffd",
                ];
                let how = *self.r.pick(&how);
                writeln!(
                    text,
                    "specification {of} {{\n    initial state a {{ on meet({what}) -> b }}\n    \
                     state b {{\n            on meet({what}) -> a\n{may_stop}    }}\n}}\n\
                     refines allowed in {how}"
                )
            }
            0 => writeln!(
                text,
                "ltl comes: always eventually (exists j in Id: {some})\n\
                 ltl answers(j in Id): always ({of_one} implies eventually ({other}))"
            ),
            1 => writeln!(
                text,
                "ltl stays: eventually always (forall j in Id: {some}) or always eventually (exists j in Id: {other})"
            ),
            2 => writeln!(
                text,
                "buchi gives_up {{\n    observe it = (exists j in Id: {some})\n    \
                 initial state before {{ -> before -> after }}\n    \
                 infinite deadlock state after when not it {{ -> after }}\n}}"
            ),
            3 => writeln!(
                text,
                "testing falls_silent(j in Id) {{\n    observe it = {of_one}\n    \
                 initial state quiet when not it {{ change it -> busy }}\n    \
                 initial livelock state busy when it {{ change it -> quiet }}\n}}"
            ),
            _ if self.has[MEETS] => {
                let of = *self.r.pick(&["watch", "watch(j in Id)"]);
                let what = if of == "watch" { "*" } else { "j" };
                let kinds = ["", "reject ", "livelock ", "infinite ", "deadlock "];
                let (a, b, c) = (
                    *self.r.pick(&kinds),
                    *self.r.pick(&kinds),
                    *self.r.pick(&kinds),
                );
                let b = if b == "reject " { "livelock " } else { b };
                let a = if a == "reject " { "" } else { a };
                writeln!(
                    text,
                    "tester {of} {{\n    initial {a}state a {{ on meet({what}) -> b }}\n    \
                     {b}state b {{ on meet({what}) -> a on meet({what}) -> c }}\n    {c}state c\n}}"
                )
            }
            _ => Ok(()),
        };
    }
}
