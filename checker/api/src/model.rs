//! Models in the Stubborn language.

use std::fmt;
use std::sync::Arc;

use stubborn_engine::{Caller, CheckError, Sink};
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Code, Severity};
use stubborn_model::program::{ParsedFile, Program};
use stubborn_model::{Analysis, analyze};
use stubborn_report::{Named, ProblemReport as Problem, Texts, qualify};

use crate::{Options, Report, StateSpace};

/// Path of the text that [`Model::parse`] reads.
const PATH: &str = "model.stb";

/// A model in the Stubborn language, without errors, with its properties.
///
/// ```
/// use stubborn_checker::Model;
///
/// let model = Model::parse("var x: 0..3\nprocess p { x = 3; stop }\ninvariant small: x < 3")?;
/// let names: Vec<&str> = model.properties().collect();
/// assert_eq!(names, ["errors", "deadlock", "termination", "small"]);
/// # Ok::<(), stubborn_checker::Errors>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    program: Program,
    settings: Settings,
    texts: Texts,
    warnings: Vec<Problem>,
    parameters: Vec<(String, String)>,
    model: stubborn_model::Model,
}

impl Model {
    /// Reads a model that uses no other file.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let errors = Model::parse("var x: bool\nprocess p { x = 7; stop }").unwrap_err();
    /// let place = errors.problems()[0].place.as_ref().unwrap();
    /// assert_eq!(place.range.start.line, 2);
    /// assert!(errors.to_string().starts_with("model.stb:2:17: "));
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the text.
    pub fn parse(text: &str) -> Result<Model, Errors> {
        Model::open(PATH, |path| (path == PATH).then_some(text))
    }

    /// Reads a model, or testers of a model (`*.tester`), with all files that it uses. `read`
    /// returns the text of the file with a path, or `None` if there is no such file; the first
    /// path is the given one, and those of used files are relative to the same folder.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use stubborn_checker::Model;
    ///
    /// let files = HashMap::from([
    ///     ("models/types.stb", "type Id = 0..2"),
    ///     ("models/main.stb", "use \"types.stb\"\nprocess p(i in Id) { stop }"),
    /// ]);
    /// let model = Model::open("models/main.stb", |path| files.get(path).copied())?;
    /// assert!(model.properties().any(|name| name == "termination"));
    ///
    /// let errors = Model::open("models/other.stb", |path| files.get(path).copied()).unwrap_err();
    /// assert_eq!(errors.to_string(), "there is no file `models/other.stb`");
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    ///
    /// To read from the file system, write `Model::open(path, |path|
    /// std::fs::read_to_string(path).ok())`.
    ///
    /// # Errors
    /// Everything that is wrong with the texts, including files that do not exist.
    pub fn open<T: Into<Arc<str>>>(
        path: &str,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<Model, Errors> {
        let mut file = |path: &str| Some(Arc::new(ParsedFile::new(path, read(path)?)));
        let Some(root) = file(path) else {
            return Err(Errors::no_file(path));
        };
        Model::analyze(Program::assemble(root, &mut file), Settings::default())
    }

    fn analyze(program: Program, settings: Settings) -> Result<Model, Errors> {
        let files = program.files.iter();
        let texts = Texts::with_lines(files.map(|file| {
            let path = Arc::from(file.path.as_str());
            (path, file.text.clone(), file.lines.clone())
        }));
        let analysis = analyze(&program, &settings);
        let parameters = stubborn_report::parameters(&analysis);
        let Analysis {
            problems, model, ..
        } = analysis;
        let problems = problems.iter().map(|one| Problem::new(one, &texts));
        let problems: Vec<Problem> = problems.collect();
        let has_errors = problems.iter().any(|one| one.severity == Severity::Error);
        match model {
            Some(model) if !has_errors => Ok(Model {
                program,
                settings,
                texts,
                warnings: problems,
                parameters,
                model,
            }),
            _ => Err(Errors(problems)),
        }
    }

    /// The same model with another value of a `param`.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let model = Model::parse("param N: 1..5 = 2\nprocess p(i in 1..N) { stop }")?;
    /// let larger = model.with_param("N", 4)?;
    /// let states = |model: &Model| model.explore(&Options::default()).unwrap().states;
    /// assert!(states(&larger) > states(&model));
    ///
    /// let errors = model.with_param("N", 9).unwrap_err();
    /// assert!(errors.to_string().ends_with("9 is outside 1..5, the range of the parameter `N`"));
    /// assert!(model.with_param("M", 3).is_err());
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    ///
    /// # Errors
    /// No `param` has this name, its range does not have this value, or the model is wrong with it.
    pub fn with_param(&self, name: &str, value: i64) -> Result<Model, Errors> {
        let mut settings = self.settings.clone();
        let parameters = &mut settings.parameters;
        parameters.push((name.to_owned(), value.to_string()));
        Model::analyze(self.program.clone(), settings)
    }

    /// Names of the properties, in the order of the text; those that need no mention in it
    /// (`errors`, `deadlock`, `termination`) come first.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.model.properties.iter().map(|named| &*named.name)
    }

    /// Names and values of the `param`s, in the order of the text.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let model = Model::parse("param N: 1..5 = 2\nprocess p(i in 1..N) { stop }")?;
    /// assert_eq!(model.parameters(), [("N".to_owned(), "2".to_owned())]);
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    pub fn parameters(&self) -> &[(String, String)] {
        &self.parameters
    }

    /// Warnings and hints about the text.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let model = Model::parse("var unused: bool\nprocess p { stop }")?;
    /// assert!(model.warnings()[0].message.contains("`unused`"));
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Checks every property.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options, Verdict};
    /// let model = Model::parse("var x: 0..3\nprocess p { x = 3; stop }\ninvariant small: x < 3")?;
    /// let report = model.check(&Options::default())?;
    /// assert_eq!(report.property("deadlock").unwrap().verdict, Verdict::Holds);
    /// assert!(matches!(report.property("small").unwrap().verdict, Verdict::Violated(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn check(&self, options: &Options) -> Result<Report, CheckError> {
        let stubborn_model::Model {
            system,
            source_map,
            properties,
        } = &self.model;
        let options = options.for_engine();
        let asked: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
        let outcomes = stubborn_engine::check(system, &asked, &options, Caller::default())?;
        let explained = properties.iter().zip(&outcomes).map(|(named, outcome)| {
            stubborn_report::property(
                Named::new(named),
                outcome,
                options.search,
                system,
                source_map,
                &self.texts,
                &|| {},
            )
        });
        let mut explained: Vec<_> = explained.collect();
        qualify(&mut explained);
        Ok(Report::new(explained))
    }

    /// Counts the states and edges of the state space, without what the options leave out.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let model = Model::parse("var x: 0..9\nprocess p { while x < 9 { x = x + 1 } stop }")?;
    /// let space = model.explore(&Options::default())?;
    /// assert_eq!((space.terminal, space.failing), (1, 0));
    /// assert!(space.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn explore(&self, options: &Options) -> Result<StateSpace, CheckError> {
        let (system, options) = (&self.model.system, options.for_engine());
        let found = stubborn_engine::explore(system, &options, Caller::default(), &mut Counts)?;
        Ok(StateSpace::new(&found))
    }
}

/// Sink that wants nothing but the counts of an exploration.
struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

/// Everything that is wrong with a text: at least one error, and the warnings beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors(Vec<Problem>);

impl Errors {
    fn no_file(path: &str) -> Errors {
        Errors(vec![Problem {
            code: Code::MissingFile.as_str(),
            severity: Severity::Error,
            message: format!("there is no file `{path}`"),
            place: None,
            related: Vec::new(),
        }])
    }

    /// The errors and warnings, in the order of the text.
    ///
    /// ```
    /// use stubborn_checker::{Model, Severity};
    ///
    /// let errors = Model::parse("process p { x = 1 }").unwrap_err();
    /// let first = &errors.problems()[0];
    /// assert_eq!((first.code, first.severity), ("unknown-name", Severity::Error));
    /// ```
    pub fn problems(&self) -> &[Problem] {
        &self.0
    }
}

/// One line for each error: `file:line:column: message`.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.iter();
        let errors = errors.filter(|one| one.severity == Severity::Error);
        for (at, error) in errors.enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            if let Some(place) = &error.place {
                let start = place.range.start;
                write!(f, "{}:{}:{}: ", place.file, start.line, start.column)?;
            }
            write!(f, "{}", error.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
