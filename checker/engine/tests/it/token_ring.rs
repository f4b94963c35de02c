//! Graf and Steffen's token ring, which Valmari's "On-the-Fly Verification with Stubborn Sets"
//! (CAV '93) ends with: of 9n·2^(n-2) states, stubborn sets leave 5n.
//!
//! The papers do not give the ring. This formulation has both counts: stations pass a token round,
//! each uses the resource with its buffer's help, and the buffer finishes while the token goes on.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_engine::Label;
use stubborn_engine::packed::Packed;
use stubborn_engine::reduction::{Awaits, Stubborn};
use stubborn_engine::related::{Related, Tester};
use stubborn_engine::successors::{Successors, Visit, Wanted};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::system::{
    ActionPattern, Argument, Communication, Failure, Instance, Location, Step, System, Target,
};

const RING: &str = "
    param N: 2..8 = 2
    type Id = 0..N-1
    action tk(Id)
    action ps(Id)
    action psh(Id)
    action pe(Id)
    action ppl(Id)
    // The token is at station 0 at first.
    process first {
        state waiting        { on tk(0)     -> has_token }
        initial state has_token { on ps(0)  -> starts }
        state starts         { on psh(0)    -> passes }
        state passes         { on tk(1 % N) -> pulls }
        state pulls          { on ppl(0)    -> waiting }
    }
    process station(i in 1..N-1) {
        initial state waiting { on tk(i)    -> has_token }
        state has_token      { on ps(i)     -> starts }
        state starts         { on psh(i)    -> passes }
        state passes         { on tk((i + 1) % N) -> pulls }
        state pulls          { on ppl(i)    -> waiting }
    }
    process buffer(i in Id) {
        initial state empty  { on psh(i) -> full }
        state full           { on pe(i)  -> done }
        state done           { on ppl(i) -> empty }
    }
    process resource {
        initial state free   { for i in Id on ps(i) -> used }
        state used           { for i in Id on pe(i) -> free }
    }
";

fn ring(n: i64) -> System {
    let file = Arc::new(ParsedFile::new("ring.stb", RING));
    let program = Program::assemble(file, &mut |_| None);
    let given = Settings {
        parameters: vec![("N".into(), n.to_string())],
    };
    let analysis = stubborn_model::analyze(&program, &given);
    let model = analysis.model.expect("the ring has a meaning");
    (*model.system).clone()
}

#[derive(Default)]
struct Targets(Vec<Vec<u64>>);

impl Visit for Targets {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.0.extend(outcome.ok().map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }
}

fn states<S: Successors>(steps: &S) -> usize {
    let mut scratch = steps.scratch();
    let mut found = HashSet::from([steps.initial().to_vec()]);
    let mut open = vec![steps.initial().to_vec()];
    while let Some(state) = open.pop() {
        let mut targets = Targets::default();
        let _ = steps.visit(&state, &mut scratch, &mut targets);
        let new = targets.0.into_iter();
        open.extend(new.filter(|target| found.insert(target.clone())));
    }
    found.len()
}

/// A tester of one state that sees these actions and finds nothing wrong.
fn beside_tester(mut system: System, visible: &[u32]) -> System {
    let steps = visible.iter().map(|action| Step {
        communication: Some(Communication::On {
            action: *action,
            arguments: vec![Argument::Skip],
        }),
        guard: None,
        choices: vec![],
        effects: vec![],
        target: Target::To(0),
    });
    let alphabet = visible.iter().map(|action| ActionPattern {
        action: *action,
        arguments: vec![None],
    });
    system.instances.push(Instance {
        process: 99,
        locals: vec![],
        steps: steps.collect(),
        locations: vec![Location {
            steps: (0..visible.len() as u32).collect(),
            is_final: true,
        }],
        initial: 0,
        alphabet: alphabet.collect(),
    });
    system
}

fn related<'a>(packed: &'a Packed<'a>) -> Related<'a> {
    let related = Related::new(packed, &[], &mut |_| ControlFlow::Continue(()));
    related.continue_value().expect("nothing breaks it off")
}

#[test]
fn stubborn_sets_leave_five_states_for_each_customer() {
    for n in 2..=8 {
        let system = ring(n);
        let packed = Packed::new(&system).expect("the ring is small");
        assert_eq!(states(&packed), (9 * n as usize) << (n - 2));
        assert_eq!(states(&Stubborn::new(related(&packed))), 5 * n as usize);
    }
}

#[test]
fn so_they_do_beside_a_tester_that_sees_who_uses_the_resource() {
    for n in 2..=8 {
        // ps and pe.
        let system = beside_tester(ring(n), &[1, 3]);
        let packed = Packed::new(&system).expect("the ring is small");
        let monitor = system.instances.len() as u32 - 1;
        for awaits in [Awaits::Ending, Awaits::Livelock] {
            let related = related(&packed);
            let tester = Tester::new(&related, monitor, vec![awaits]);
            let stubborn = Stubborn::beside(related, tester);
            assert_eq!(states(&stubborn), 5 * n as usize);
        }
    }
}
