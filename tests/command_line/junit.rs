//! What build servers read.

use quick_junit::{NonSuccessKind, Report, TestCaseStatus};

use super::folder::{BROKEN_LOCK, Folder, LOCK};

fn junit(folder: &Folder, arguments: &str) -> (i32, Report) {
    let ran = folder.run(&format!("{arguments} --format junit"));
    assert_eq!(ran.err, "");
    (
        ran.status,
        Report::deserialize_from_str(&ran.out).expect("a JUnit document"),
    )
}

#[test]
fn a_file_is_a_suite_and_a_property_a_test() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, report) = junit(&folder, "check lock.stb");
    assert_eq!(status, 0);
    assert_eq!((report.tests, report.failures, report.errors), (6, 0, 0));
    assert_eq!(report.test_suites[0].name.as_str(), "lock.stb");
    assert_eq!(report.test_suites[0].test_cases[3].name.as_str(), "mutex");
}

#[test]
fn a_violation_is_a_failure_with_its_trace() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (status, report) = junit(&folder, "check lock.stb --property mutex");
    assert_eq!(status, 1);
    assert_eq!((report.tests, report.failures), (1, 1));
    let case = &report.test_suites[0].test_cases[0];
    let TestCaseStatus::NonSuccess {
        kind,
        message,
        description,
        ..
    } = &case.status
    else {
        panic!("{case:?} is no failure")
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    let message = message.as_ref().map(|message| message.as_str());
    assert_eq!(
        message,
        Some("2 customers are in critical at once, after 4 steps")
    );
    let description = description.as_ref().expect("a description").as_str();
    assert!(description.contains("entering → critical"), "{description}");
}

#[test]
fn what_is_undecided_or_wrong_is_an_error() {
    let folder = Folder::with("lock.stb", &format!("{LOCK}invariant wrong: nobody\n"));
    let (status, report) = junit(&folder, "check lock.stb --max-states 2");
    assert_eq!(status, 3);
    assert_eq!((report.tests, report.errors), (7, 7));
    let (status, report) = junit(&folder, "check nothing.stb");
    assert_eq!(status, 3);
    assert_eq!((report.tests, report.errors), (1, 1));
}
