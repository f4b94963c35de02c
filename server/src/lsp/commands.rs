//! Names of commands, of the server and of its clients.

/// Checks a file for as long as it takes. Its argument is the file's URI.
pub const CHECK_WITHOUT_LIMIT: &str = "stubborn.checkWithoutLimit";

/// Shows the run that violates a property, as a document where the client can open one. Its arguments are
/// the file's URI and the property's name, and, if it is not about the text as it is, a parameter's name
/// and its value; the answer is a [`Run`].
pub const SHOW_RUN: &str = "stubborn.showRun";

/// A command of the client, for those that have a debugger: steps through the run that violates a property. Its
/// arguments are the file's URI and the property's name.
pub const DEBUG: &str = "stubborn.debug";

/// A command of a client that has a panel (the setting `panel`), with the arguments of [`SHOW_RUN`]: it shows
/// the run there, as `stubborn/trace` tells it.
pub const SHOW_TRACE: &str = "stubborn.showTrace";

/// Checks a file with other values of a parameter. Its arguments are the file's URI, the parameter's name,
/// a list of values, and whether to do so for as long as it takes.
pub const CHECK_VALUES: &str = "stubborn.checkValues";

/// Looks for the smallest value of a parameter that violates a property, and tells it. Its arguments are
/// the file's URI and the parameter's name.
pub const SMALLEST: &str = "stubborn.findSmallestViolation";

/// Looks no further for it; with the same arguments.
pub const STOP: &str = "stubborn.stopFindingSmallestViolation";

/// Stops the searches for a file, whose URI is the argument, or all where there is none. What they have not
/// decided is undecided then.
pub const STOP_CHECKING: &str = "stubborn.stopChecking";
