//! Models in the Stubborn language.

use std::fmt;
use std::sync::Arc;

use stubborn_engine::packed::Packed;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Code, Severity};
use stubborn_model::program::{ParsedFile, Program};
use stubborn_model::{
    Analysis, Interrupted, Memory, NamedProperty, analyze_remembering, analyze_within,
};
use stubborn_report::stepping::Stepped;
use stubborn_report::{About, ProblemReport as Problem, Texts};
use stubborn_system::system::System;

use crate::parameters::settings;

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
    analysis: Analysis,
}

impl Model {
    /// Reads a model that uses no other file.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let errors = Model::parse("var x: bool\nprocess p { x = 7; stop }").unwrap_err();
    /// let place = errors.problems[0].place.as_ref().unwrap();
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
        Model::without_errors(Program::assemble(root, &mut file), Settings::default())
    }

    fn without_errors(program: Program, settings: Settings) -> Result<Model, Errors> {
        let analysis = stubborn_model::analyze(&program, &settings);
        let model = Model::new(program, settings, analysis);
        let mut problems = model.problems().into_iter();
        match problems.any(|one| one.severity == Severity::Error) {
            true => Err(model.errors()),
            false => Ok(model),
        }
    }

    /// Reads programs about one model, with values for its `param`s. They may have errors, which take
    /// away properties or everything. What the programs share is analyzed once.
    ///
    /// # Errors
    /// `is_to_end` has ended the analysis.
    pub fn analyze(
        programs: Vec<Program>,
        values: &[(String, String)],
        is_to_end: &dyn Fn() -> bool,
    ) -> Result<Vec<Model>, Interrupted> {
        let is_alone = programs.len() == 1;
        let mut memory: Option<Memory> = None;
        let models = programs.into_iter().map(|program| {
            let settings = settings(values, &program);
            let analysis = if is_alone {
                analyze_within(&program, &settings, is_to_end)?
            } else {
                let before = memory.as_ref();
                let found = analyze_remembering(&program, &settings, before, is_to_end);
                let (analysis, remembered) = found?;
                memory = Some(remembered);
                analysis
            };
            Ok(Model::new(program, settings, analysis))
        });
        models.collect()
    }

    fn new(program: Program, settings: Settings, analysis: Analysis) -> Model {
        Model {
            texts: Texts::of(&program),
            program,
            settings,
            analysis,
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
        Model::without_errors(self.program.clone(), settings)
    }

    /// Names of the properties, in the order of the text; those that need no mention in it
    /// (`errors`, `deadlock`, `termination`) come first.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.named_properties().iter().map(|named| &*named.name)
    }

    /// The properties, in the order of the text.
    pub fn named_properties(&self) -> &[NamedProperty] {
        self.meaning().map_or(&[], |model| &model.properties)
    }

    /// Names and values of the `param`s, in the order of the text.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let model = Model::parse("param N: 1..5 = 2\nprocess p(i in 1..N) { stop }")?;
    /// assert_eq!(model.parameters(), [("N".to_owned(), "2".to_owned())]);
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    pub fn parameters(&self) -> Vec<(String, String)> {
        stubborn_report::parameters(&self.analysis)
    }

    /// Warnings and hints about the text, and errors if there are any.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let model = Model::parse("var unused: bool\nprocess p { stop }")?;
    /// assert!(model.problems()[0].message.contains("`unused`"));
    /// # Ok::<(), stubborn_checker::Errors>(())
    /// ```
    pub fn problems(&self) -> Vec<Problem> {
        let problems = self.analysis.problems.iter();
        problems.map(|one| Problem::new(one, &self.texts)).collect()
    }

    /// The files of the model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Texts of the files, with their lines.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Analysis of the files.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Values that were given for `param`s.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// System, names and properties; `None` if an error leaves no meaning.
    pub fn meaning(&self) -> Option<&stubborn_model::Model> {
        self.analysis.model.as_ref()
    }

    /// Number of bits of a state, if the model has a meaning.
    ///
    /// ```
    /// # use stubborn_checker::Model;
    /// let bits = |text| Model::parse(text).unwrap().state_bits();
    /// assert!(bits("var x: 0..200\nprocess p { x = 9 }") > bits("var x: bool\nprocess p { x = true }"));
    /// ```
    pub fn state_bits(&self) -> Option<u32> {
        let packed = Packed::new(self.system()?).ok()?;
        let parts = packed.parts().into_iter();
        Some(parts.map(|(_, bits)| bits.count_ones()).sum())
    }

    pub(crate) fn system(&self) -> Option<&Arc<System>> {
        self.meaning().map(|model| &model.system)
    }

    /// The model as reports are about it; `None` if an error leaves no meaning.
    pub fn about(&self) -> Option<About<'_>> {
        Some(About::new(self.meaning()?, &self.texts))
    }

    /// The model for walking along its runs.
    ///
    /// # Errors
    /// Everything that is wrong with the texts, if that leaves no meaning.
    pub fn stepped(&self) -> Result<Stepped, Errors> {
        let Some(model) = self.meaning().cloned() else {
            return Err(self.errors());
        };
        let (program, settings) = (self.program.clone(), self.settings.clone());
        Ok(Stepped::new(program, settings, self.texts.clone(), model))
    }

    /// Everything that is wrong with the texts.
    pub fn errors(&self) -> Errors {
        Errors {
            problems: self.problems(),
            texts: self.texts.clone(),
        }
    }
}

/// Everything that is wrong with a text: at least one error, and the warnings beside it.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    /// The errors and warnings, in the order of the text.
    ///
    /// ```
    /// use stubborn_checker::{Model, Severity};
    ///
    /// let errors = Model::parse("process p { x = 1 }").unwrap_err();
    /// let first = &errors.problems[0];
    /// assert_eq!((first.code, first.severity), ("unknown-name", Severity::Error));
    /// ```
    pub problems: Vec<Problem>,
    /// Texts that they are about.
    pub texts: Texts,
}

impl Errors {
    fn no_file(path: &str) -> Errors {
        Errors::from(vec![Problem {
            code: Code::MissingFile.as_str(),
            severity: Severity::Error,
            message: format!("there is no file `{path}`"),
            place: None,
            related: Vec::new(),
        }])
    }

    /// The errors alone.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        let problems = self.problems.iter();
        problems.filter(|one| one.severity == Severity::Error)
    }
}

impl From<Vec<Problem>> for Errors {
    fn from(problems: Vec<Problem>) -> Errors {
        Errors {
            problems,
            texts: Texts::default(),
        }
    }
}

/// One line for each error: `file:line:column: message`.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors().enumerate() {
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
