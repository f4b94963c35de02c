//! What the program's exit tells a script.

use std::process::ExitCode;

use stubborn_report::Report;

/// In the order of precedence, the strongest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All that was checked holds, or is violated as expected.
    Holds,
    /// A limit was reached first, and nothing was found violated.
    Undecided,
    /// Something is undecided because one of several processes was lost, or never came.
    Broken,
    /// Something is violated, or holds against expectation.
    Violated,
    /// The input or the command line is wrong.
    Wrong,
    /// Ctrl-C has ended the search.
    Interrupted,
}

impl Status {
    pub fn of(report: &Report) -> Status {
        let verdicts = report
            .properties
            .iter()
            .map(|property| match property.is_as_expected() {
                Some(true) => Status::Holds,
                None => Status::Undecided,
                Some(false) => Status::Violated,
            });
        let errors = report.has_errors().then_some(Status::Wrong);
        let cut = report.is_cut().then_some(Status::Undecided);
        let all = verdicts.chain(errors).chain(cut);
        all.max().unwrap_or(Status::Holds)
    }

    /// The same where Ctrl-C may have ended the search.
    pub fn or_interrupted(self, is_interrupted: bool) -> Status {
        match is_interrupted {
            true => Status::Interrupted,
            false => self,
        }
    }

    /// The same where processes may have been lost: what is undecided then is not so because of a limit.
    pub fn or_broken(self, is_broken: bool) -> Status {
        match self {
            Status::Undecided if is_broken => Status::Broken,
            status => status,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Holds => 0,
            Status::Broken | Status::Violated => 1,
            Status::Undecided => 2,
            Status::Interrupted => 130,
            Status::Wrong => 3,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_input_comes_before_a_violation_and_that_before_a_limit() {
        assert!(Status::Wrong > Status::Violated);
        assert!(Status::Violated > Status::Undecided);
        assert_eq!(Status::Undecided.or_broken(true), Status::Broken);
        assert_eq!(Status::Violated.or_broken(true), Status::Violated);
        assert!(Status::Undecided > Status::Holds);
    }
}
