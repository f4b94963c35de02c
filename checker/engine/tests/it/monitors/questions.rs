//! Who shows a run beside a monitor is asked all the way whether to go on.

use std::cell::Cell;
use std::sync::Arc;

use super::model;
use stubborn_engine::runs::lifting::projected;
use stubborn_engine::sliced::on_whole;
use stubborn_engine::{Caller, Options, Verdict, check};
use stubborn_system::slice::{Dependencies, Slice};

const STEPS: usize = 60;

/// Somebody counts to the end and stops; the property is called `p`.
fn counter(property: &str) -> String {
    format!(
        "action tick
        var t: 0..{STEPS}
        process counter {{ initial final state here {{ on tick when t < {STEPS} do t = t + 1 -> here }} }}
        {property}"
    )
}

/// How often it is asked while a violation of the slice becomes one of the whole System, and whether
/// it is one there.
fn asked(property: &str) -> (usize, bool) {
    let model = model(&counter(property)).model;
    let named = model.properties.iter().find(|named| named.name == "p");
    let property = &named.expect("the property").property;
    let asked = std::slice::from_ref(property);
    let outcomes = check(&model.system, asked, &Options::default(), Caller::default());
    let Verdict::Violated { finding, trace } = &outcomes.expect("its states are small")[0].verdict
    else {
        panic!("{property:?} is violated");
    };
    assert_eq!(trace.len(), STEPS);
    let slice = Slice::new(
        &model.system,
        &Dependencies::new(&model.system).cone([property]),
    );
    let known = Verdict::Violated {
        finding: finding.clone(),
        trace: Arc::new(projected(&slice, trace)),
    };
    let asked = Cell::new(0);
    let on_the_way = || asked.set(asked.get() + 1);
    let whole = on_whole(&model.system, &slice, property, &known, &on_the_way);
    (asked.get(), whole.is_violated())
}

#[test]
fn every_pass_through_a_run_asks_at_each_step_whether_to_go_on() {
    // The run is taken in the whole System, compared and asked about, and the monitor goes along it.
    for (passes, property) in [
        (2, format!("ltl p: always t < {STEPS}")),
        (
            4,
            format!(
                "buchi p {{ observe top = t == {STEPS}
                    initial state below {{ -> below -> there }}
                    reject state there when top }}"
            ),
        ),
        (
            4,
            format!(
                "testing p {{ observe top = t == {STEPS}
                    initial state below when not top {{ change top -> there }}
                    reject state there }}"
            ),
        ),
        (
            4,
            "tester p { initial deadlock state here { on tick -> here } }".to_owned(),
        ),
    ] {
        let (asked, is_violated) = asked(&property);
        assert!(is_violated, "{property}");
        assert!(asked >= passes * STEPS, "{asked}: {property}");
    }
}
