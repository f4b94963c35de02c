//! Searches that run, wait, take turns and end.

use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use stubborn_system::property::{Formula, Ltl, Property};
use stubborn_system::system::{
    Binary, Effect, Expr, Instance, Location, Place, Step, System, Target, Type, Value, Variable,
    VariableRef,
};

use stubborn_engine::coverage::Extent;
use stubborn_engine::interpreter::replay;
use stubborn_engine::{Outcome, Reason, Verdict};
use stubborn_report::once_more::EveryStep;

use super::*;
use crate::jobs::gate::Gate;
use crate::jobs::properties::sliced;
use crate::jobs::search::{Search, Settled, found_soon};
use crate::jobs::shares::LEAST_MEMORY;

/// A counter from 0 to `top` that goes round.
fn counter(top: i64) -> System {
    let ty = Type::Scalar { lo: 0, hi: top };
    System {
        variables: vec![Variable {
            ty,
            initial: Value::Int(0),
        }],
        instances: vec![counting(top, 0)],
        ..System::default()
    }
}

/// Who counts in the variable with this number.
fn counting(top: i64, variable: u32) -> Instance {
    let ty = Type::Scalar { lo: 0, hi: top };
    let x = VariableRef::Shared(variable);
    let at_top = Expr::Binary(
        Binary::Equal,
        Box::new(Expr::Variable(x)),
        Box::new(Expr::Const(Value::Int(top))),
    );
    let next = Expr::Binary(
        Binary::Add,
        Box::new(Expr::Variable(x)),
        Box::new(Expr::Const(Value::Int(1))),
    );
    let zero = Expr::Const(Value::Int(0));
    let step = Step {
        communication: None,
        guard: None,
        choices: Vec::new(),
        effects: vec![Effect::Assign {
            place: Place {
                variable: x,
                path: Vec::new(),
                ty: ty.clone(),
            },
            ty: ty.clone(),
            value: Expr::If(Box::new(at_top), Box::new(zero), Box::new(next)),
        }],
        target: Target::To(0),
    };
    Instance {
        process: variable,
        locals: Vec::new(),
        steps: vec![step],
        locations: vec![Location {
            steps: vec![0],
            is_final: false,
        }],
        initial: 0,
        alphabet: Vec::new(),
    }
}

fn below(top: i64) -> Property {
    below_of(0, top)
}

fn below_of(variable: u32, top: i64) -> Property {
    Property::Invariant(is_below(variable, top))
}

/// What a monitor watches for.
fn always_below_of(variable: u32, top: i64) -> Property {
    Property::Ltl(Ltl {
        propositions: vec![is_below(variable, top)],
        formula: Formula::Always(Box::new(Formula::Proposition(0))),
    })
}

fn is_below(variable: u32, top: i64) -> Expr {
    Expr::Binary(
        Binary::Less,
        Box::new(Expr::Variable(VariableRef::Shared(variable))),
        Box::new(Expr::Const(Value::Int(top))),
    )
}

fn wanted(system: &System, properties: &[Property]) -> Wanted {
    Wanted {
        name: "counter.stb".into(),
        fingerprint: Fingerprint::of(system),
        system: Arc::new(system.clone()),
        properties: sliced(system, properties, &|| {}),
        likely: HashSet::new(),
        slow: HashMap::new(),
        purpose: Purpose::Verdicts,
    }
}

fn table() -> (JobTable, Receiver<(JobId, News)>) {
    let (sender, receiver) = channel();
    let tell = move |id, news| drop(sender.send((id, news)));
    (JobTable::new(tell), receiver)
}

fn run_to_the_end(table: &mut JobTable, news: &Receiver<(JobId, News)>) {
    while table.live().next().is_some() {
        let (id, what) = news.recv().unwrap();
        table.receive(id, what);
    }
}

fn key(system: &System, property: &Property) -> Key {
    sliced(system, [property], &|| {})[0].key
}

fn verdict(table: &JobTable, system: &System, property: &Property) -> Verdict {
    let known = table.verdicts().get(key(system, property));
    match &known.expect("an answer").answer {
        Answer::Outcome(outcome) => outcome.verdict.clone(),
        Answer::Refused(why) => panic!("{why}"),
    }
}

#[test]
fn several_properties_share_one_search() {
    let (mut table, news) = table();
    let system = counter(9);
    table.require(&wanted(&system, &[below(20), below(5)]), None);
    run_to_the_end(&mut table, &news);
    assert_eq!(verdict(&table, &system, &below(20)), Verdict::Holds);
    assert!(verdict(&table, &system, &below(5)).is_violated());
    assert_eq!(table.statistics().searches, 1);
    assert_eq!(table.statistics().states, 10);
}

#[test]
fn what_is_known_is_not_searched_again_and_a_new_property_is_searched_alone() {
    let (mut table, news) = table();
    let system = counter(9);
    table.require(&wanted(&system, &[below(20)]), None);
    run_to_the_end(&mut table, &news);
    let before = table.statistics();
    table.require(&wanted(&system, &[below(20)]), None);
    run_to_the_end(&mut table, &news);
    assert_eq!(table.statistics().states, before.states);
    assert_eq!(table.statistics().reused, 1);

    table.require(&wanted(&system, &[below(20), below(30)]), None);
    let properties = table
        .running
        .values()
        .map(|job| job.wanted.properties.len());
    assert_eq!(properties.collect::<Vec<_>>(), [1]);
    run_to_the_end(&mut table, &news);
    assert_eq!(verdict(&table, &system, &below(30)), Verdict::Holds);
}

#[test]
fn what_is_being_searched_is_not_searched_twice() {
    let (mut table, news) = table();
    let wanted = wanted(&counter(100_000), &[below(200_000)]);
    table.require(&wanted, None);
    table.require(&wanted, None);
    run_to_the_end(&mut table, &news);
    assert_eq!(table.statistics().searches, 1);
}

#[test]
fn a_search_that_nobody_waits_for_is_given_up_and_leaves_no_verdict() {
    let (mut table, news) = table();
    let system = counter(i64::from(i32::MAX));
    let property = below(1 << 40);
    table.require(&wanted(&system, std::slice::from_ref(&property)), None);
    table.retain(|_| false, |_| false);
    while !table.running.is_empty() {
        let (id, what) = news.recv().unwrap();
        table.receive(id, what);
    }
    assert_eq!(table.statistics().cancelled, 1);
    assert_eq!(table.verdicts().get(key(&system, &property)), None);
}

#[test]
fn a_search_that_a_person_stops_leaves_its_properties_undecided() {
    let (mut table, news) = table();
    let system = counter(i64::from(i32::MAX));
    let wanted = wanted(&system, &[below(1 << 40)]);
    table.require(&wanted, None);
    let (id, _) = table.running().next().unwrap();
    table.stop(id);
    while !table.running.is_empty() {
        let (id, what) = news.recv().unwrap();
        table.receive(id, what);
    }
    assert_eq!(
        verdict(&table, &system, &below(1 << 40)),
        Verdict::Undecided(Reason::Cancelled)
    );
    table.require(&wanted, Some(Duration::ZERO));
    assert_eq!(table.running.len(), 1, "it can be asked for again");
    table.stop_all();
}

#[test]
fn what_is_under_way_is_told_until_somebody_stops_it_be_it_held_or_not() {
    let (mut table, news) = table();
    let (first, second) = (counter(i64::from(i32::MAX)), counter(1 << 30));
    let first_id = table.require(&wanted(&first, &[below(1 << 40)]), None);
    let second_id = table.require(&wanted(&second, &[below(1 << 40)]), None);
    let (first_id, second_id) = (first_id.unwrap(), second_id.unwrap());
    let under_way = |table: &JobTable| -> Vec<_> {
        let all = table.under_way();
        all.map(|search| (search.id, search.waits, search.open))
            .collect()
    };
    // What was asked for last has its turn.
    assert_eq!(
        under_way(&table),
        [(first_id, true, 1), (second_id, false, 1)]
    );
    let keys = HashSet::from([key(&first, &below(1 << 40))]);
    assert_eq!(table.deciding(&keys), [first_id]);
    for id in [first_id, second_id] {
        assert!(!table.stop(id), "it says what it has come to");
    }
    assert!(under_way(&table).is_empty());
    while !table.is_idle() {
        let (id, what) = news.recv().unwrap();
        table.receive(id, what);
    }
    for system in [&first, &second] {
        let verdict = verdict(&table, system, &below(1 << 40));
        assert_eq!(verdict, Verdict::Undecided(Reason::Cancelled));
    }
}

#[test]
fn a_quick_check_does_not_wait_for_one_without_a_limit() {
    let (mut table, news) = table();
    let endless = counter(i64::from(i32::MAX));
    table.require(&wanted(&endless, &[below(1 << 40)]), None);
    let small = counter(9);
    let quick = wanted(&small, &[below(20)]);
    table.require(&quick, Some(Duration::from_secs(60)));
    assert_eq!(table.running.len(), 2);
    while table.is_pending(quick.properties[0].key) {
        let (id, what) = news.recv().unwrap();
        table.receive(id, what);
    }
    assert_eq!(verdict(&table, &small, &below(20)), Verdict::Holds);
    table.stop_all();
}

/// How many searches run and are not held.
fn turns(table: &JobTable) -> usize {
    let running = table.running.values();
    running.filter(|job| !job.gate.is_held()).count()
}

#[test]
fn a_slow_search_is_held_for_a_quick_one_and_goes_on_where_it_was() {
    let (mut table, news) = table();
    let slow = wanted(&counter(i64::from(i32::MAX)), &[below(1 << 40)]);
    let slow_id = table.require(&slow, Some(Duration::from_secs(600)));
    let slow_id = slow_id.expect("a search");
    // It has told how far it is: it had more than its first turn.
    while table.running[&slow_id].progress.states == 0 {
        let (id, what) = news.recv().expect("news");
        assert_eq!(id, slow_id);
        table.receive(id, what);
    }
    let quick = Wanted {
        name: "quick.stb".into(),
        ..wanted(&counter(9), &[below(20)])
    };
    table.require(&quick, Some(Duration::from_secs(600)));
    let standing = &table.standing()[&slow.properties[0].key];
    let Standing::Held(states, first) = standing else {
        panic!("{standing:?}");
    };
    assert!(*states > 0);
    assert_eq!(&**first, "quick.stb");
    while table.is_pending(quick.properties[0].key) {
        let (id, what) = news.recv().expect("news");
        table.receive(id, what);
    }
    assert!(!table.running[&slow_id].gate.is_held());
    let known = table.running[&slow_id].progress.states;
    // How far it is is told by the clock: at first perhaps before it has gone on.
    while table.running[&slow_id].progress.states == known {
        let (id, what) = news.recv().expect("news");
        assert_eq!(id, slow_id);
        table.receive(id, what);
    }
    assert!(table.running[&slow_id].progress.states > known);
    assert_eq!(table.statistics().searches, 2);
    table.stop_all();
}

#[test]
fn while_a_text_is_understood_no_search_goes_on_or_ends_and_none_is_said_to_wait() {
    let (mut table, news) = table();
    let slow = wanted(&counter(i64::from(i32::MAX)), &[below(1 << 40)]);
    let budget = Some(Duration::from_secs(600));
    let slow_id = table.require(&slow, budget).expect("a search");
    let (id, what) = news.recv().expect("news");
    table.receive(id, what);
    table.pause(true);
    let (was, quick) = (
        table.running[&slow_id].gate.active(),
        wanted(&counter(9), &[below(20)]),
    );
    table.set_bounds(2, None);
    let quick_id = table.require(&quick, budget).expect("a search");
    assert_eq!(turns(&table), 2);
    let standing = &table.standing()[&slow.properties[0].key];
    assert!(matches!(standing, Standing::Running(_)), "{standing:?}");
    let stands = |id: JobId| table.running[&id].gate.active();
    assert_eq!((stands(slow_id), stands(slow_id)), (was, was));
    assert_eq!(stands(quick_id), stands(quick_id));
    table.pause(false);
    while table.is_pending(quick.properties[0].key) {
        let (id, what) = news.recv().expect("news");
        table.receive(id, what);
    }
    assert_eq!(verdict(&table, &counter(9), &below(20)), Verdict::Holds);
    table.pause(true);
    table.stop_all();
    run_to_the_end(&mut table, &news);
    while !table.is_idle() {
        let (id, what) = news.recv().expect("it ends though it stands");
        table.receive(id, what);
    }
}

#[test]
fn a_quick_search_has_its_turn_however_many_slow_ones_there_are() {
    let (mut table, news) = table();
    let budget = Some(Duration::from_secs(600));
    for less in 1..=30 {
        let slow = counter(i64::from(i32::MAX) - less);
        table.require(&wanted(&slow, &[below(1 << 40)]), budget);
    }
    let quick = wanted(&counter(9), &[below(20)]);
    table.require(&quick, budget);
    // It was asked for last, and has had nothing of its time.
    let begun = table
        .running
        .values()
        .find(|job| job.decides(quick.properties[0].key));
    assert!(!begun.expect("it has begun").gate.is_held());
    while table.is_pending(quick.properties[0].key) {
        let (id, what) = news.recv().expect("news");
        table.receive(id, what);
    }
    assert_eq!(verdict(&table, &counter(9), &below(20)), Verdict::Holds);
    table.stop_all();
}

#[test]
fn what_is_lost_with_the_search_of_another_text_is_told() {
    let (mut table, _news) = table();
    let system = counter(i64::from(i32::MAX));
    let both = wanted(&system, &[below(1 << 40), below(1 << 41)]);
    let budget = Some(Duration::from_secs(600));
    table.require(&both, budget);
    let stays = both.properties[0].key;
    assert_eq!(table.retain(|key| key == stays, |_| true), []);
    let lost = table.retain(|key| key == stays, |_| false);
    assert_eq!(lost, [(stays, budget)]);
}

#[test]
fn of_many_slow_searches_each_has_its_turn() {
    let (mut table, news) = table();
    let all: Vec<Wanted> = (1..=10)
        .map(|less| wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]))
        .collect();
    for one in &all {
        table.require(one, Some(Duration::from_secs(600)));
        assert_eq!(turns(&table), 1);
    }
    let mut heard = HashSet::new();
    while heard.len() < all.len() {
        let (id, what) = news.recv().expect("news");
        table.receive(id, what);
        heard.insert(id);
        assert_eq!(turns(&table), 1);
    }
    table.stop_all();
}

#[test]
fn time_in_which_a_search_is_held_is_not_of_its_budget() {
    let (mut table, news) = table();
    let budget = Duration::from_millis(300);
    let begun = Instant::now();
    let all: Vec<Wanted> = (1..=3)
        .map(|less| wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]))
        .collect();
    for one in &all {
        table.require(one, Some(budget));
    }
    run_to_the_end(&mut table, &news);
    for one in &all {
        let known = table.verdicts().get(one.properties[0].key);
        let Answer::Outcome(outcome) = &known.expect("an answer").answer else {
            panic!("it was searched");
        };
        assert_eq!(outcome.verdict, Verdict::Undecided(Reason::Time));
    }
    // One after the other they had all of it; together they would have had it in one.
    assert!(begun.elapsed() > 2 * budget);
}

/// Two who count, each in a variable of its own.
fn counters(tops: [i64; 2]) -> System {
    let mut both = counter(tops[0]);
    both.variables.extend(counter(tops[1]).variables);
    both.instances.push(counting(tops[1], 1));
    both
}

/// In which order the properties are decided, the one with this number having been violated before.
fn order(
    system: &System,
    properties: &[Property],
    likely: usize,
    budget: Option<u64>,
) -> Vec<usize> {
    let (mut table, news) = table();
    let mut wanted = wanted(system, properties);
    wanted.likely.insert(wanted.properties[likely].key);
    table.require(&wanted, budget.map(Duration::from_millis));
    let mut order = Vec::new();
    while table.live().next().is_some() {
        let (id, what) = news.recv().expect("news");
        if let News::Decided { property, .. } = &what {
            order.push(*property);
        }
        table.receive(id, what);
    }
    order
}

#[test]
fn what_was_violated_before_comes_first_of_what_a_monitor_watches_for_and_of_all_without_a_budget()
{
    let all = [below(20), always_below_of(0, 20), always_below_of(1, 5)];
    let order = |budget| order(&counters([9, 9]), &all, 2, budget);
    assert_eq!(order(Some(60_000)), [0, 2, 1]);
    assert_eq!(order(None), [2, 0, 1]);
}

/// Of three properties, with as many states each as the last full search had: the first holds, the second cannot be
/// violated either, the third is.
const SLOW: u64 = 1_000;

fn three() -> (System, [Property; 3]) {
    let properties = [below(9), below_of(1, 30), below_of(0, 5)];
    (counters([8, 8]), properties)
}

/// What rounds beside a search find of these properties, whose last search had so many states, how many states they had
/// and how often they told of something.
fn of_rounds(
    system: &System,
    properties: &[Property],
    states: u64,
) -> (Vec<(usize, Outcome)>, u64, usize) {
    let mut wanted = wanted(system, properties);
    let slow = wanted.properties.iter().map(|one| (one.key, states));
    wanted.slow = slow.collect();
    let search = Search {
        wanted,
        budget: None,
        max_memory: None,
        kept: None,
    };
    let (gate, settled) = (Gate::default(), Settled::default());
    let told = std::sync::Mutex::new(0);
    let tell = |_| *told.lock().expect("nobody panics") += 1;
    let options = stubborn_engine::Options::default();
    let open: Vec<usize> = (0..properties.len()).collect();
    let (found, generated) = found_soon(&search, &open, &options, (&gate, &settled), &tell);
    (found, generated, told.into_inner().expect("nobody panics"))
}

#[test]
fn what_took_long_is_looked_for_in_a_round_of_a_tenth_of_the_states() {
    let (system, properties) = three();
    let (found, states, told) = of_rounds(&system, &properties, SLOW);
    let [(2, outcome)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(outcome.round.map(|round| round.number), Some(1));
    assert!(
        outcome.verdict.is_violated() && states <= SLOW / 10,
        "{outcome:?}"
    );
    assert_eq!(told, 1);
}

#[test]
fn what_a_round_has_found_is_told_until_the_whole_search_has_the_shortest_run() {
    let (system, properties) = three();
    let (mut table, news) = table();
    let mut wanted = wanted(&system, &properties);
    for one in &wanted.properties {
        wanted.slow.insert(one.key, SLOW);
    }
    table.require(&wanted, None);
    let mut told = vec![Vec::new(); properties.len()];
    while table.live().next().is_some() {
        let (id, what) = news.recv().expect("news");
        if let News::Decided {
            property, outcome, ..
        } = &what
        {
            let steps = match &outcome.verdict {
                Verdict::Violated { trace, .. } => Some(trace.len()),
                _ => None,
            };
            told[*property].push((outcome.round.map(|round| round.number), steps));
        }
        table.receive(id, what);
    }
    assert_eq!(told[0], [(None, None)]);
    assert_eq!(told[1], [(None, None)]);
    // The whole search may be the sooner of the two.
    let (last, before) = told[2].split_last().expect("it is told");
    assert_eq!(*last, (None, Some(5)));
    assert!(
        before.iter().all(|(round, _)| *round == Some(1)),
        "{before:?}"
    );
}

#[test]
fn however_many_properties_shared_a_search_their_rounds_take_a_part_of_it() {
    let properties: Vec<Property> = (40..80).map(below).collect();
    let (_, states, _) = of_rounds(&counters([30, 30]), &properties, 961);
    assert!(states > 0 && states <= 2 * 96, "{states}");
}

/// A search ends before the head start is over that it has, and then no round begins.
#[test]
fn a_round_waits_for_the_search_to_end_and_no_longer_than_it_is_told_to() {
    let settled = Settled::default();
    settled.wait(Duration::from_millis(1));
    std::thread::scope(|scope| {
        scope.spawn(|| settled.wait(Duration::MAX));
        settled.end();
    });
}

#[test]
fn nothing_waits_for_half_of_the_time_behind_what_was_violated_before() {
    let all = [always_below_of(0, 1 << 40), below_of(1, 20)];
    let system = counters([i64::from(i32::MAX), 9]);
    let (mut table, news) = table();
    let mut wanted = wanted(&system, &all);
    wanted.likely.insert(wanted.properties[0].key);
    table.require(&wanted, Some(Duration::from_secs(600)));
    let decided = news.iter().find_map(|(_, what)| match what {
        News::Decided { property, .. } => Some(property),
        _ => None,
    });
    assert_eq!(decided, Some(1), "the other one takes all of its time");
    table.stop_all();
}

#[test]
fn what_is_decided_stands_whatever_becomes_of_the_search() {
    let outcome = |verdict| {
        Box::new(Outcome {
            verdict,
            states: 3,
            edges: 3,
            full: true,
            reduction: stubborn_engine::Reduction::None,
            round: None,
            symmetry: stubborn_engine::Permuted::No,
            sharing: None,
            within: 0,
            runs: None,
            depth: None,
            seconds: 0.0,
        })
    };
    let broken = Verdict::Undecided(Reason::Internal("a defect".to_owned()));
    for answer in [
        Answer::Refused("too large".to_owned()),
        Answer::Outcome(outcome(broken)),
    ] {
        let (mut table, _) = table();
        let system = counter(9);
        let id = table.require(&wanted(&system, &[below(20)]), None);
        let id = id.expect("a search");
        let decided = News::Decided {
            property: 0,
            outcome: outcome(Verdict::Holds),
            found_before: false,
        };
        table.receive(id, decided);
        let finished = News::Finished {
            answers: vec![Some(answer)],
            states: 3,
        };
        assert!(!table.receive(id, finished).verdicts);
        assert_eq!(verdict(&table, &system, &below(20)), Verdict::Holds);
    }
}

#[test]
fn a_defect_that_one_property_meets_leaves_the_others_their_verdicts() {
    let (mut table, news) = table();
    let system = counters([9, 9]);
    // No text makes a property of a binder that is not there.
    let defect = Property::Invariant(Expr::Bound(7));
    let all = [always_below_of(0, 20), defect, always_below_of(1, 5)];
    let budget = Some(Duration::from_secs(600));
    table.require(&wanted(&system, &all), budget);
    run_to_the_end(&mut table, &news);
    assert_eq!(verdict(&table, &system, &all[0]), Verdict::Holds);
    assert!(matches!(
        verdict(&table, &system, &all[1]),
        Verdict::Undecided(Reason::Internal(_))
    ));
    assert!(verdict(&table, &system, &all[2]).is_violated());
}

#[test]
fn no_search_takes_the_memory_of_those_that_come_after_it() {
    let (sender, news) = channel();
    let tell = move |id, news| drop(sender.send((id, news)));
    let mut table = JobTable::new(tell);
    table.set_bounds(1, Some(1 << 30));
    for less in 1..=5 {
        let wanted = wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]);
        table.require(&wanted, Some(Duration::from_secs(600)));
    }
    let held: Vec<u64> = table
        .running
        .values()
        .filter_map(|job| job.memory)
        .collect();
    assert!(held.iter().all(|bytes| *bytes > 0));
    // A small search finds room however many came before it.
    let all = Shares::of(1 << 30).all(Kind::Limited);
    assert!(held.iter().all(|bytes| *bytes >= LEAST_MEMORY), "{held:?}");
    assert!(held.iter().sum::<u64>() <= all + LEAST_MEMORY * held.len() as u64);
    table.stop_all();
    drop(news);
}

/// The same, for which nobody waits.
fn aside(system: &System, properties: &[Property], purpose: Purpose) -> Wanted {
    Wanted {
        purpose,
        ..wanted(system, properties)
    }
}

#[test]
fn a_search_that_nobody_waits_for_stands_while_somebody_waits_for_another() {
    let (mut table, news) = table();
    table.set_bounds(4, Some(1 << 30));
    let budget = Some(Duration::from_secs(600));
    let slow = [i64::from(i32::MAX), i64::from(i32::MAX) - 1].map(counter);
    let beside = Purpose::Seeing(EveryStep { beside: u64::MAX });
    let asides = [Purpose::Aside, beside];
    let asides: Vec<JobId> = (slow.iter().zip(asides))
        .filter_map(|(system, purpose)| {
            table.require(&aside(system, &[below(1 << 40)], purpose), budget)
        })
        .collect();
    assert_eq!((turns(&table), table.has_leisure()), (2, true));
    let waited_for = wanted(&counter(i64::from(i32::MAX) - 2), &[below(1 << 40)]);
    let id = table.require(&waited_for, budget).expect("a search");
    let is_held = |table: &JobTable, id: &JobId| table.running[id].gate.is_held();
    assert!(asides.iter().all(|id| is_held(&table, id)));
    assert!(!is_held(&table, &id) && !table.has_leisure());
    // It has the memory that it would have if there were no others.
    let all = Shares::of(1 << 30).all(Kind::Limited);
    assert_eq!(table.running[&id].memory, Some(all / 2));
    table.stop(id);
    assert!(!asides.iter().any(|id| is_held(&table, id)));
    table.stop_all();
    run_to_the_end(&mut table, &news);
    assert_eq!(table.statistics().cancelled, 0);
}

#[test]
fn what_takes_every_step_has_a_bound_and_then_has_seen_a_part_alone() {
    let (mut table, news) = table();
    let properties = [below(1 << 40)];
    for (top, extent) in [(99_000, Extent::Whole), (101_000, Extent::Part)] {
        let system = counter(top);
        let every_step = EveryStep { beside: 9 };
        let seeing = aside(&system, &properties, Purpose::Seeing(every_step));
        table.require(&seeing, Some(Duration::MAX));
        run_to_the_end(&mut table, &news);
        let slice = key(&system, &properties[0]).slice;
        let seen = table.verdicts().seen(slice).expect("what was seen");
        assert_eq!(seen.extent, extent);
        // It is asked once.
        assert_eq!(table.require(&seeing, Some(Duration::MAX)), None);
    }
    assert_eq!(
        (table.statistics().searches, table.statistics().states),
        (0, 0)
    );
}

#[test]
fn what_memory_left_open_is_searched_again_where_there_is_more_of_it_and_not_otherwise() {
    let (mut table, news) = table();
    let system = counter(i64::from(i32::MAX));
    let wanted = wanted(&system, &[below(1 << 40)]);
    table.set_bounds(1, Some(1));
    table.require(&wanted, None);
    run_to_the_end(&mut table, &news);
    let open = verdict(&table, &system, &below(1 << 40));
    assert_eq!(open, Verdict::Undecided(Reason::Memory(LEAST_MEMORY)));
    assert_eq!(table.require(&wanted, None), None);
    table.set_bounds(1, Some(4 * LEAST_MEMORY));
    assert!(table.require(&wanted, None).is_some());
    // It is being searched, and is given up as any other search is.
    assert!(table.standing().contains_key(&wanted.properties[0].key));
    table.retain(|_| false, |_| false);
    assert_eq!(table.statistics().cancelled, 1);
}

#[test]
fn only_so_many_searches_run_at_a_time() {
    let (mut table, news) = table();
    let systems: Vec<System> = (5..9).map(counter).collect();
    for system in &systems {
        table.require(&wanted(system, &[below(20)]), None);
        assert_eq!(turns(&table), 1);
    }
    run_to_the_end(&mut table, &news);
    for system in &systems {
        assert_eq!(verdict(&table, system, &below(20)), Verdict::Holds);
    }
}

#[test]
fn what_is_known_of_a_slice_is_known_in_another_system_with_the_same_slice() {
    let (mut table, news) = table();
    let system = counter(9);
    let properties = [below(20), below(5)];
    table.require(&wanted(&system, &properties), None);
    run_to_the_end(&mut table, &news);
    let before = table.statistics();

    // Somebody else comes before it, and everything has another number.
    let mut larger = counter(3);
    larger.variables.extend(system.variables.clone());
    larger.instances.push(counting(9, 1));
    let moved: Vec<Property> = [20, 5].map(|top| below_of(1, top)).to_vec();
    assert_eq!(table.require(&wanted(&larger, &moved), None), None);
    assert_eq!(table.statistics().states, before.states);
    assert_eq!(table.statistics().reused, 2);

    let violated = &sliced(&larger, &moved, &|| {})[1];
    let known = table.verdicts().get(violated.key).expect("it is known");
    let Answer::Outcome(kept) = &known.answer else {
        panic!("it was searched");
    };
    let shown = violated.shown(&larger, &kept.verdict, &|| {});
    let Verdict::Violated { trace, .. } = shown else {
        panic!("{shown:?}");
    };
    assert_eq!(replay(&larger, &trace), Ok(()));
    assert!(
        trace
            .steps()
            .iter()
            .all(|step| step.participants == [(1, 0)])
    );
}
