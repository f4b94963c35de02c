//! What is known of an earlier session, and what is not believed of it.

use std::fs;

use stubborn_engine::{Caller, Options, Trace, TraceStep, check};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;
use tempfile::TempDir;

use super::*;
use crate::jobs::sliced;

/// Each kind of property, some violated; what watches for actions stands in a tester file.
const MODEL: &str = "\
var x: 0..5
var y: 0..1
process counter { loop { either { when x < 5 do x = x + 1 } or { do x = 0 } } }
process other { loop { y = any 0..1 } }
invariant low: x < 3
invariant in_range: x <= 5
progress back: may x == 0
progress ahead: must x == 5
progress never: must x > 5
";

const MONITORS: &str = "\
ltl once: eventually x == 4
ltl again: always eventually x == 4
ltl small: always x < 4
buchi top { observe top = x == 5
    initial state below { -> below -> there }
    reject state there when top }
testing changes { observe top = x == 5
    initial state below when not top { change top -> there }
    reject state there }
";

/// Who sells tea and coffee, rinses and runs out of tea.
const MACHINE: &str = "\
enum Drink { tea, coffee }
action coin
action serve(Drink)
process machine {
    initial final state idle { on coin -> paid }
    state paid { -> paid -> ready -> no_tea }
    state ready { on serve(*) -> idle }
    state no_tea { on serve(coffee) -> idle }
}
recurrence served: infinitely machine@paid implies infinitely serve(tea)
";

/// Each condition of a tester, violated, and some that is not; and what the machine does not refine.
const WATCHERS: &str = "\
use \"model.stb\"
tester nothing_served {
    initial state idle { on coin -> idle on serve(*) -> served }
    reject state served
}
tester nothing_free {
    initial state idle { on coin -> paid on serve(*) -> free }
    state paid { on serve(*) -> idle on coin -> paid }
    reject state free
}
tester tea_lover {
    initial state idle { on coin -> paid on serve(*) -> idle }
    deadlock state paid { on serve(tea) -> idle on coin -> paid }
}
tester hurried {
    initial state idle { on coin -> paid on serve(*) -> idle }
    livelock state paid { on serve(*) -> idle on coin -> paid }
}
tester no_coffee_again {
    initial state idle { on serve(tea) -> idle on serve(coffee) -> sad on coin -> idle }
    infinite state sad { on serve(tea) -> idle on serve(coffee) -> sad on coin -> sad }
}
specification free { initial state idle { on serve(*) -> idle } }
specification perfect {
    initial state idle { on coin -> paid }
    state paid { on serve(*) -> idle }
}
specification sated {
    initial state idle { on coin -> paid }
    state paid { on serve(tea) -> idle on serve(coffee) -> full }
    state full { on coin -> last }
    state last { on serve(*) -> none }
    state none
}
refines free in traces
refines perfect in traces
refines perfect in failures
refines perfect in divergences
refines sated in infinite traces
refines free in cffd
";

/// The verdicts of a model, as one session finds and keeps them.
struct Session {
    system: Arc<System>,
    properties: Vec<Sliced>,
    outcomes: Vec<Outcome>,
}

fn session(text: &str) -> Session {
    let file = Arc::new(ParsedFile::new("model.stb", text));
    session_of(&Program::assemble(file, &mut |_| None))
}

fn session_beside(model: &str, tester: &str) -> Session {
    let tester = Arc::new(ParsedFile::new("watchers.tester", tester));
    let mut load = |path: &str| Some(Arc::new(ParsedFile::new(path, model)));
    session_of(&Program::assemble(tester, &mut load))
}

fn session_of(program: &Program) -> Session {
    let model = stubborn_model::analyze(program, &Settings::default()).model;
    let model = model.expect("a text without errors");
    let system = Arc::clone(&model.system);
    let stated = model.properties.iter().map(|one| &one.property);
    let all: Vec<Property> = stated.cloned().collect();
    let properties = sliced(&system, &all, &|| {});
    let found =
        check(&system, &all, &Options::default(), Caller::default()).expect("a small system");
    let kept = |(one, outcome): (&Sliced, &Outcome)| one.kept(&system, outcome);
    let outcomes = properties.iter().zip(&found).map(kept).collect();
    Session {
        system,
        properties,
        outcomes,
    }
}

impl Session {
    fn keep(&self, kept: &Kept) {
        for (one, outcome) in self.properties.iter().zip(&self.outcomes) {
            kept.keep(&self.system, one, outcome);
        }
        kept.finish(Duration::from_secs(60));
    }

    fn find(&self, kept: &Kept) -> Vec<Option<Outcome>> {
        let find = |one| kept.find(&self.system, one, &|| true);
        self.properties.iter().map(find).collect()
    }
}

fn kept_in(place: &TempDir) -> Kept {
    let kept = Kept::start(place.path().join("verdicts"), "build").expect("a thread");
    kept.set_most(64 << 20);
    kept
}

fn place() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// All files that are kept.
fn files(place: &TempDir) -> Vec<PathBuf> {
    let within = |path: PathBuf| {
        let entries = fs::read_dir(path).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path())
    };
    let mut files: Vec<PathBuf> = within(place.path().join("verdicts"))
        .flat_map(within)
        .collect();
    files.sort();
    files
}

#[test]
fn what_one_session_has_decided_another_one_knows() {
    for (session, violated) in [
        (session(MODEL), 3),
        (session(&format!("{MODEL}{MONITORS}")), 8),
        (session_beside(MACHINE, WATCHERS), 10),
    ] {
        let place = place();
        session.keep(&kept_in(&place));
        let is_violated = |outcome: &&Outcome| outcome.verdict.is_violated();
        assert_eq!(
            session.outcomes.iter().filter(is_violated).count(),
            violated
        );
        for (found, outcome) in session.find(&kept_in(&place)).iter().zip(&session.outcomes) {
            assert_eq!(found.as_ref(), Some(outcome));
        }
    }
}

#[test]
fn of_a_monitor_each_condition_that_is_violated_is_known_again() {
    let place = place();
    let session = session_beside(MACHINE, WATCHERS);
    session.keep(&kept_in(&place));
    let found = session.find(&kept_in(&place)).into_iter().flatten();
    let mut conditions: Vec<String> = found
        .filter_map(|outcome| match outcome.verdict {
            Verdict::Violated { finding, .. } => Some(format!("{finding:?}")),
            _ => None,
        })
        .collect();
    conditions.sort();
    conditions.dedup();
    let expected = ["Deadlock", "Infinite", "Livelock", "Reject"].map(|c| format!("Watched({c})"));
    assert_eq!(
        conditions[..2],
        ["NoTerminalReachable", "RecurrenceViolated"]
    );
    assert_eq!(conditions[2..], expected);
}

#[test]
fn what_is_kept_is_not_taken_again_for_newer_figures() {
    let place = place();
    let mut session = session(MODEL);
    session.keep(&kept_in(&place));
    let expected: Vec<Option<Outcome>> = session
        .outcomes
        .iter_mut()
        .map(|outcome| {
            outcome.states += 1;
            let known = outcome.clone();
            // As long as it was, and no run of anything.
            if let Verdict::Violated { trace, .. } = &mut outcome.verdict {
                let nobody = |steps: &[TraceStep]| {
                    let mut steps = steps.to_vec();
                    steps.iter_mut().for_each(|step| step.participants.clear());
                    steps
                };
                let (steps, cycle) = (nobody(trace.steps()), nobody(trace.cycle()));
                *trace = Arc::new(Trace::new(trace.start().clone(), steps, cycle));
            }
            Some(known)
        })
        .collect();
    session.keep(&kept_in(&place));
    assert_eq!(session.find(&kept_in(&place)), expected);
}

#[test]
fn nothing_is_known_of_another_slice_or_another_property() {
    let place = place();
    session(MODEL).keep(&kept_in(&place));
    // One more value makes another slice for all that look at `x`; `y` is in the slice of none.
    let other = session(&MODEL.replace("x: 0..5", "x: 0..6"));
    assert!(other.find(&kept_in(&place)).iter().all(Option::is_none));
    let same = session(&MODEL.replace("y: 0..1", "y: 0..2"));
    let invariant = |(one, found): (&Sliced, Option<Outcome>)| match one.property {
        Property::Invariant(_) => Some(found.is_some()),
        _ => None,
    };
    let found = same.find(&kept_in(&place));
    let invariants: Vec<bool> = same
        .properties
        .iter()
        .zip(found)
        .filter_map(invariant)
        .collect();
    assert_eq!(invariants, [true, true]);
}

#[test]
fn what_is_damaged_is_not_known_and_goes() {
    let place = place();
    let session = session(MODEL);
    session.keep(&kept_in(&place));
    let written = files(&place);
    for (number, file) in written.iter().enumerate() {
        let mut bytes = fs::read(file).expect("a file");
        match number % 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => bytes.clear(),
            _ => bytes.reverse(),
        }
        fs::write(file, bytes).expect("a file");
    }
    assert!(session.find(&kept_in(&place)).iter().all(Option::is_none));
    assert_eq!(files(&place), [""; 0].map(PathBuf::from));
}

#[test]
fn a_verdict_under_the_name_of_another_is_not_believed() {
    let place = place();
    let session = session(MODEL);
    session.keep(&kept_in(&place));
    let written = files(&place);
    let first = fs::read(&written[0]).expect("a file");
    for (at, file) in written.iter().enumerate() {
        let next = written
            .get(at + 1)
            .map(|next| fs::read(next).expect("a file"));
        fs::write(file, next.unwrap_or_else(|| first.clone())).expect("a file");
    }
    assert!(session.find(&kept_in(&place)).iter().all(Option::is_none));
}

/// Writes for the first violated property what is no run of it, as a forger could who knows the format.
fn forged(session: &Session, place: &TempDir, forge: impl Fn(&mut Entry)) -> Option<Outcome> {
    let all = session.properties.iter().zip(&session.outcomes);
    let mut violated = all.filter(|(_, outcome)| outcome.verdict.is_violated());
    let (property, outcome) = violated.next().expect("a violation");
    let found = Found {
        system: Arc::clone(&session.system),
        property: property.clone(),
        outcome: outcome.clone(),
    };
    let mut forgery = entry(&found, None).expect("it is kept");
    forge(&mut forgery);
    let name = Name::new("build", property.key);
    let bytes = forgery.encode(name).expect("it is short");
    let folder = Folder::new(place.path().join("verdicts"));
    folder.write(&name.digits(), &bytes).expect("a file");
    kept_in(place).find(&session.system, property, &|| true)
}

#[test]
fn a_violation_whose_run_is_none_is_not_believed() {
    let (place, session) = (place(), session(MODEL));
    type Forge = fn(&mut Vec<stubborn_engine::runs::path::Taken>, &mut Option<usize>);
    let forgeries: [Forge; 7] = [
        |steps, _| drop(steps.pop()),
        |steps, _| steps[0].participants[0].0 = 77,
        |steps, _| steps[0].participants[0].1 = 77,
        |steps, _| steps[0].participants.clear(),
        |steps, _| steps[0].action = Some((3, vec![1])),
        |steps, _| steps[0].way = u32::MAX,
        |_, cycle| *cycle = Some(0),
    ];
    for forge in forgeries {
        let found = forged(&session, &place, |entry| {
            if let Decided::Violated { path, .. } = &mut entry.verdict {
                forge(&mut path.steps, &mut path.cycle);
            }
        });
        assert_eq!(found, None);
        assert!(files(&place).is_empty());
    }
    assert!(forged(&session, &place, |_| {}).is_some());
}

#[test]
fn a_violation_of_another_sort_than_the_run_shows_is_not_believed() {
    let (place, session) = (place(), session(MODEL));
    let found = forged(&session, &place, |entry| {
        if let Decided::Violated { finding, .. } = &mut entry.verdict {
            *finding = stubborn_engine::Finding::GoalAvoidedByCycle;
        }
    });
    assert_eq!(found, None);
}

#[test]
fn what_is_undecided_is_not_kept() {
    let place = place();
    let mut session = session(MODEL);
    for outcome in &mut session.outcomes {
        outcome.verdict = Verdict::Undecided(stubborn_engine::Reason::Time);
    }
    session.keep(&kept_in(&place));
    assert!(files(&place).is_empty());
}

#[test]
fn what_is_switched_off_neither_reads_nor_writes() {
    let place = place();
    let session = session(MODEL);
    let off = kept_in(&place);
    off.set_most(0);
    session.keep(&off);
    assert!(files(&place).is_empty());
    session.keep(&kept_in(&place));
    assert!(session.find(&off).iter().all(Option::is_none));
    assert!(!files(&place).is_empty());
}

/// What a file takes on the disk.
fn length(file: PathBuf) -> u64 {
    taken(fs::metadata(file).expect("a file").len())
}

#[test]
fn no_more_is_kept_than_is_allowed() {
    let place = place();
    let kept = kept_in(&place);
    let most = 1 << 20;
    kept.set_most(most);
    for top in 6..70 {
        session(&MODEL.replace("x: 0..5", &format!("x: 0..{top}"))).keep(&kept);
    }
    let all: u64 = files(&place).into_iter().map(length).sum();
    assert!(most / 2 < all && all <= most, "{all}");
}

#[test]
fn no_more_is_kept_than_is_allowed_however_many_write() {
    let (place, most) = (place(), 1 << 20);
    let folder = Folder::new(place.path().join("verdicts"));
    for number in 0..most / taken(1) {
        let name = blake3::hash(&number.to_le_bytes()).to_hex();
        folder.write(&name, b"of another session").expect("a file");
    }
    let writers = (6..14).map(|top| {
        let kept = kept_in(&place);
        kept.set_most(most);
        let session = session(&MODEL.replace("x: 0..5", &format!("x: 0..{top}")));
        (kept, session)
    });
    let writers: Vec<_> = writers.collect();
    // What the models have not in common is written by each.
    let key = |at: usize, writer: usize| writers[writer].1.properties[at].key;
    let of_each = (0..writers[0].1.properties.len()).filter(|at| key(*at, 0) != key(*at, 1));
    // Each has looked at how much there is after the first, and may then write as much as the others.
    for at in of_each.take(4) {
        for (kept, session) in &writers {
            kept.keep(
                &session.system,
                &session.properties[at],
                &session.outcomes[at],
            );
            kept.finish(Duration::from_secs(60));
        }
    }
    let all: u64 = files(&place).into_iter().map(length).sum();
    assert!(all <= most, "{all}");
    let share = most / SHARE;
    assert_eq!(all, most - WRITERS * share + taken(1) * (1 + 3 * WRITERS));
}

#[test]
fn who_finishes_waits_for_all_that_is_to_be_written() {
    let place = place();
    let (session, kept) = (session(MODEL), kept_in(&place));
    for _ in 0..2 * MOST_WAITING {
        kept.keep(
            &session.system,
            &session.properties[0],
            &session.outcomes[0],
        );
    }
    kept.finish(Duration::from_secs(60));
    assert_eq!(*kept.waiting.count.lock(), 0);
}

#[test]
fn several_that_write_the_same_do_each_other_no_harm() {
    let place = place();
    let session = session(MODEL);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let kept = kept_in(&place);
                for _ in 0..5 {
                    session.keep(&kept);
                    assert!(session.find(&kept).iter().all(Option::is_some));
                }
            });
        }
    });
    assert_eq!(files(&place).len(), session.properties.len());
}

#[test]
fn who_stops_while_a_run_is_taken_again_takes_nothing_away() {
    let place = place();
    let session = session(MODEL);
    session.keep(&kept_in(&place));
    let before = files(&place);
    for one in session.properties.iter() {
        kept_in(&place).find(&session.system, one, &|| false);
    }
    assert_eq!(files(&place), before);
}

#[test]
fn a_violation_is_kept_by_a_run_of_as_many_steps_as_allowed() {
    let text = |steps: usize| {
        format!(
            "var x: 0..{steps}
            process p {{ initial state s {{ when x < {steps} do x = x + 1 -> s }} }}
            invariant low: x < {steps}"
        )
    };
    let is_known = |steps: usize| {
        let (place, session) = (place(), session(&text(steps)));
        session.keep(&kept_in(&place));
        let found = session.find(&kept_in(&place));
        let lengths = found
            .into_iter()
            .flatten()
            .filter_map(|found| match found.verdict {
                Verdict::Violated { trace, .. } => Some(trace.len()),
                _ => None,
            });
        lengths.max()
    };
    let around = [MOST_STEPS - 1, MOST_STEPS, MOST_STEPS + 1];
    assert_eq!(
        around.map(is_known),
        [Some(around[0]), Some(around[1]), None]
    );
}
