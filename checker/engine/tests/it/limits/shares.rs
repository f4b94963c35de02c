//! How searches share the time that there is.

use super::*;

/// Its time passes as it is asked: a millisecond each time, and ten once it was asked so often.
struct Ticking {
    begun: Instant,
    asked: AtomicU64,
    slows: u64,
    searches: AtomicU64,
    told: Mutex<Vec<(usize, bool)>>,
}

impl Ticking {
    fn new(slows: u64) -> Ticking {
        Ticking {
            begun: Instant::now(),
            asked: AtomicU64::new(0),
            slows,
            searches: AtomicU64::new(0),
            told: Mutex::default(),
        }
    }

    fn caller(&self) -> Caller<'_> {
        Caller::timed_by(self).observed_by(self)
    }

    /// The plain search of so many milliseconds of this clock.
    fn limits(&self, milliseconds: u64) -> Options {
        limited(Limits {
            deadline: Some(self.begun + Duration::from_millis(milliseconds)),
            ..Limits::default()
        })
    }
}

impl Observer for Ticking {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Decided(property, outcome) => {
                let mut told = self.told.lock().expect("nobody has panicked");
                told.push((property, matches!(outcome.verdict, Verdict::Undecided(_))));
            }
            Event::Searched(..) => {
                self.searches.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

impl Clock for Ticking {
    fn now(&self) -> Instant {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let slow = asked.saturating_sub(self.slows);
        self.begun + Duration::from_millis(asked + 9 * slow)
    }
}

/// Processes that count, each its own variable from 0 to the number that it is given, with a property of
/// each. What the variables could hold, by which searches are ordered, grows from one to the next.
pub fn counting(to: &[i64]) -> (System, Vec<Property>) {
    let numbers = || 0..to.len() as u32;
    let of = |number: u32| range(0, 1 << (30 + number));
    let process = |number: u32| {
        let one_more = add(shared(number), int(1));
        let count = set(VariableRef::Shared(number), of(number), one_more);
        let guard = less(shared(number), int(to[number as usize]));
        instance(vec![vec![with(when(guard, 0), vec![count])]])
    };
    let system = System {
        variables: numbers().map(|number| variable(of(number))).collect(),
        instances: numbers().map(process).collect(),
        ..System::default()
    };
    let counts = |number: u32| Property::Invariant(not(less(shared(number), int(0))));
    (system, numbers().map(counts).collect())
}

/// So far that no search comes there.
const FAR: i64 = 1 << 30;

#[test]
fn a_small_slice_without_an_end_does_not_take_the_time_of_what_fails_soon() {
    // It counts as far as no search comes.
    let (counter, all) = (VariableRef::Shared(0), range(0, i64::MAX - 1));
    let count = set(counter, all.clone(), add(shared(0), int(1)));
    let counting = instance(vec![vec![with(go(0), vec![count])]]);
    let far = VariableRef::Shared(1);
    let fails = with(go(1), vec![set(far, range(0, 1), int(2))]);
    let system = System {
        variables: vec![variable(all), variable(range(0, 1))],
        instances: vec![counting, instance(vec![vec![fails], vec![]])],
        ..System::default()
    };
    let counts = Property::Invariant(not(less(shared(0), int(0))));
    let properties = [counts, Property::Errors];
    let ticking = Ticking::new(u64::MAX);
    let options = ticking.limits(400);
    let outcomes =
        check(&system, &properties, &options, ticking.caller()).expect("its states are small");
    assert_eq!(outcomes[0].verdict, Verdict::Undecided(Reason::Time));
    assert!(outcomes[1].verdict.is_violated(), "{:?}", outcomes[1]);
    // Each is told once, and what is not decided when there is no more time.
    let told = ticking.told.into_inner().expect("nobody has panicked");
    assert_eq!(told, [(1, false), (0, true)]);
}

#[test]
fn what_is_left_of_the_time_goes_to_a_search_that_had_more_than_its_share() {
    // The last needs a third of the time. It has nearly all of the first quarter, and not twice that in
    // the half of the rest that is its share.
    let (system, properties) = counting(&[FAR, 1, 1, 1, 1, 1, 1, 1, 1, 300_000]);
    let ticking = Ticking::new(u64::MAX);
    let found = check(
        &system,
        &properties,
        &ticking.limits(2000),
        ticking.caller(),
    )
    .expect("small states");
    assert_eq!(found[0].verdict, Verdict::Undecided(Reason::Time));
    assert_eq!(found[9].verdict, Verdict::Holds);
}

#[test]
fn what_is_undecided_is_told_as_the_search_left_it_that_came_furthest() {
    let (system, properties) = counting(&[FAR, FAR]);
    let states = |slows| {
        let ticking = Ticking::new(slows);
        let found = check(
            &system,
            &properties,
            &ticking.limits(2000),
            ticking.caller(),
        );
        found.expect("small states").remove(0).states
    };
    // After the first quarter of the time the machine is a tenth as quick.
    let (quick, slow) = (states(u64::MAX), states(500));
    assert!(quick > 200_000 && slow > 100_000, "{quick} and {slow}");
}

#[test]
fn what_has_a_run_too_long_for_the_whole_is_searched_there_though_it_was_cut_before() {
    // It goes round in many steps, and notes each round in a variable that the recurrence can do
    // without. The first round of searches is too short for both properties.
    const STEPS: i64 = 10_000;
    let (at, odd) = (VariableRef::Shared(0), VariableRef::Shared(1));
    let on = set(at, range(0, STEPS), add(shared(0), int(1)));
    let other = binary(Binary::Remainder, add(shared(1), int(1)), int(8));
    let back = vec![
        set(at, range(0, STEPS), int(0)),
        set(odd, range(0, 7), other),
    ];
    let goes_on = || less(shared(0), int(STEPS));
    let round = vec![
        with(when(goes_on(), 0), vec![on]),
        with(when(not(goes_on()), 0), back),
    ];
    let system = System {
        variables: vec![variable(range(0, STEPS)), variable(range(0, 7))],
        instances: vec![instance(vec![round])],
        ..System::default()
    };
    let steps = StepSet {
        patterns: vec![StepPattern::At(0, vec![0])],
    };
    let recurrence = Property::Recurrence(steps, StepSet::default());
    let small = Property::Invariant(less(shared(1), int(8)));
    let properties = [recurrence, small];
    let ticking = Ticking::new(u64::MAX);
    let found = check(
        &system,
        &properties,
        &ticking.limits(60_000),
        ticking.caller(),
    )
    .expect("small states");
    assert_eq!(found[0].verdict, Verdict::Undecided(Reason::Time));
    assert_eq!(
        (found[0].states, &found[1].verdict),
        (80_008, &Verdict::Holds)
    );
    let told = ticking.told.into_inner().expect("nobody has panicked");
    assert_eq!(told, [(1, false), (0, true)]);
    // Of the slice twice, of the whole for the one, and of the whole for the other.
    assert_eq!(ticking.searches.into_inner(), 4);
}
