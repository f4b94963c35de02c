//! What an automaton can be called in a file of the model: a name that nothing in its texts has.

use std::collections::HashSet;

use stubborn_model::program::Program;

/// The words of a program's texts, none of which is a free name. That those of comments are among them does no harm.
pub struct Words(HashSet<String>);

impl Words {
    pub fn of(program: &Program) -> Words {
        let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
        let texts = program.files.iter().map(|file| &*file.text);
        let words = texts.flat_map(|text| text.split(move |c| !is_in_name(c)));
        Words(words.map(str::to_owned).collect())
    }

    /// Whether the texts do not have it.
    pub fn leave(&self, name: &str) -> bool {
        !self.0.contains(name)
    }

    /// `served_0` for `served(0)`, `answered_buchi` for `answered`, which is taken; with a number behind it where that is
    /// taken too.
    pub fn free(&self, name: &str, form: &str) -> String {
        let told = match name.split_once('(') {
            Some((base, values)) => format!("{base} {}", values.replace('-', "minus_")),
            None => format!("{name} {form}"),
        };
        let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
        let parts = told.split(|c| !is_in_name(c));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let wanted = parts.join("_");
        if self.leave(&wanted) {
            return wanted;
        }
        let mut numbered = (2..).map(|number: u32| format!("{wanted}_{number}"));
        numbered
            .find(|name| self.leave(name))
            .unwrap_or_else(|| wanted.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stubborn_model::program::ParsedFile;

    use super::*;

    #[test]
    fn a_name_is_free_where_no_text_has_it() {
        let text = "ltl served(i in -1..1): true\nvar f_1_red: bool\n".to_owned();
        let file = Arc::new(ParsedFile::new("m.stb", text));
        let words = Words::of(&Program::assemble(file, &mut |_| None));
        assert_eq!(words.free("served(0)", "buchi"), "served_0");
        assert_eq!(words.free("served(-1)", "buchi"), "served_minus_1");
        assert_eq!(words.free("f(1,red)", "buchi"), "f_1_red_2");
        assert_eq!(words.free("served", "testing"), "served_testing");
    }
}
