//! Expressions that somebody asks of a state of a model, which stand in none of its files: what a person
//! watches while they go along a run, or has it stop at.
//!
//! They are read as those of a property are, by the elaborator, with the names of the given file or of one
//! instance around them. For that the text becomes one more file of the program, which sees all that the given
//! one sees and declares nothing itself.

use std::sync::Arc;

use stubborn_syntax::Interrupted;
use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::{Elaborator, Settings};
use crate::interrupt::Interrupt;
use crate::memory::Recalled;
use crate::names::Env;
use crate::problem::{Problem, Severity};
use crate::processes;
use crate::program::{ParsedFile, Program};
use crate::types::{ArrayTy, Ty};
use stubborn_system::source::FileId;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Expr, InstanceId, Type};

/// Whose names an expression may use by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Around {
    /// What the given file sees.
    File,
    /// The instance's own parameters and variables too, which come first.
    Instance(InstanceId),
}

/// An expression that has been read, over the System of the program's [`Model`](crate::Model).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub expr: Expr,
    /// How its value is written.
    pub shape: Shape,
    /// How its cells are indexed; scalars may have any value.
    pub ty: Type,
    /// Whether it is a truth value.
    pub is_condition: bool,
}

/// Reads an expression. Takes the time of laying out the processes, which is less than an analysis does.
///
/// # Errors
/// What is wrong with it, as a sentence; or reading was ended.
pub fn read_expression(
    program: &Program,
    settings: &Settings,
    around: Around,
    text: &str,
    is_to_end: &dyn Fn() -> bool,
) -> Result<Result<Asked, String>, Interrupted> {
    let file = Arc::new(ParsedFile::within(
        "expression",
        format!("{BEFORE}{text}\n"),
        is_to_end,
    )?);
    let mut items = file.parse.tree().items();
    if let Some(error) = file.parse.errors.first() {
        let message = match &error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message.clone(),
        };
        return Ok(Err(message));
    }
    let condition = match (items.next(), items.next()) {
        (Some(ast::Item::Invariant(one)), None) => one.condition(),
        _ => None,
    };
    let Some(expr) = condition else {
        return Ok(Err(format!("`{}` is not one expression", text.trim())));
    };
    let with_it = program.with_apart(file);
    let own = FileId(program.files.len() as u32);
    let mut elaborator = Elaborator::within(&with_it, settings, Interrupt::new(is_to_end));
    elaborator.number_enumerations();
    let processes = processes::lay_out(&mut elaborator, &Recalled::default());
    elaborator.interrupt.has_ended()?;
    let env = match around {
        Around::File => Some(Env::of_file(own)),
        Around::Instance(instance) => {
            let laid_out = processes.iter().flat_map(processes::Process::laid_out);
            let mut all = laid_out.skip(instance as usize);
            all.next().map(|one| one.env.in_file(own))
        }
    };
    let Some(env) = env else {
        return Ok(Err("there is no such instance".to_owned()));
    };
    let typed = elaborator.in_scope(&env, |this| this.expr(&expr, None));
    let is_unknown = typed.ty.is_unknown();
    let (shape, ty) = (elaborator.shape_of(&typed.ty), widest(&typed.ty));
    elaborator.interrupt.has_ended()?;
    let is_error = |problem: &Problem| {
        problem.severity == Severity::Error && problem.span.is_some_and(|span| span.file == own)
    };
    let (problems, ..) = elaborator.finish();
    Ok(match problems.into_iter().find(is_error) {
        Some(problem) => Err(problem.message),
        // What it mentions has a mistake of its own.
        None if is_unknown => Err(format!("`{}` has no meaning", expr.syntax().text())),
        None => Ok(Asked {
            is_condition: typed.ty == Ty::Bool,
            expr: typed.expr,
            shape,
            ty,
        }),
    })
}

/// What stands before an expression in a file.
const BEFORE: &str = "invariant asked: ";

/// The values that something of a type may have, as far as the type of an expression tells.
fn widest(ty: &Ty) -> Type {
    match ty {
        Ty::Bool => Type::BOOL,
        Ty::Int | Ty::Enumeration(_) | Ty::Unknown => Type::scalar(i64::MIN, i64::MAX),
        Ty::Array(array) => {
            let ArrayTy { range, cell, .. } = &**array;
            let cells = range.hi.saturating_sub(range.lo).saturating_add(1);
            Type::Array {
                lo: range.lo,
                len: u32::try_from(cells).unwrap_or(u32::MAX),
                cell: Arc::new(widest(cell)),
            }
        }
        Ty::Set(set) => Type::Array {
            lo: set.range.lo,
            len: u32::try_from(set.range.size()).unwrap_or(u32::MAX),
            cell: Arc::new(Type::BOOL),
        },
        Ty::List(list) => Type::Record(
            [
                Type::scalar(0, i64::from(list.capacity)),
                Type::Array {
                    lo: 0,
                    len: list.capacity,
                    cell: Arc::new(widest(&list.element)),
                },
            ]
            .into(),
        ),
        Ty::Record(fields) => Type::Record(fields.iter().map(|(_, ty)| widest(ty)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::program_of;

    const MODEL: (&str, &str) = (
        "m.stb",
        "enum Colour { red, green }\n\
         type Id = 0..2\n\
         var x: 0..9\n\
         var gate: array[Id] of 0..3\n\
         var lamp: record { colour: Colour, lit: bool }\n\
         channel c: queue[2] of Id\n\
         def low(k in 0..9): k < 3\n\
         process p(i in Id where i > 0) { var j: 0..3 on_it: j = i }\n\
         process q { var x: bool x = true }\n",
    );

    fn read(around: Around, text: &str) -> Result<Asked, String> {
        let program = program_of(&[MODEL, ("t.tester", "use \"m.stb\"\nconst K = 7\n")]);
        let settings = Settings::default();
        read_expression(&program, &settings, around, text, &|| false).expect("nothing ends it")
    }

    #[test]
    fn an_expression_has_the_names_of_the_given_file_and_of_all_that_it_uses() {
        for text in [
            "x == 3 and low(x)",
            "p(1)@on_it",
            "len(c) + K",
            "forall i in Id: gate[i] == 0",
            "lamp with { lit: true }",
            "p(2).j",
        ] {
            assert!(read(Around::File, text).is_ok(), "{text}");
        }
        let colour = read(Around::File, "lamp.colour").expect("it is read");
        assert_eq!(colour.shape.scalar(1), "green");
        assert!(!colour.is_condition);
        assert!(
            read(Around::File, "lamp.lit")
                .expect("it is read")
                .is_condition
        );
        let Type::Array { lo, len, .. } = read(Around::File, "gate").expect("it is read").ty else {
            panic!("an array");
        };
        assert_eq!((lo, len), (0, 3));
    }

    #[test]
    fn an_instance_adds_its_own_names_which_come_first() {
        let own = |instance, text| read(Around::Instance(instance), text).map(|one| one.expr);
        // Of `p` there are instances for 1 and 2.
        assert_eq!(own(0, "i"), read(Around::File, "1").map(|one| one.expr));
        assert_eq!(own(1, "i"), read(Around::File, "2").map(|one| one.expr));
        assert_eq!(
            own(1, "j"),
            read(Around::File, "p(2).j").map(|one| one.expr)
        );
        assert!(
            read(Around::Instance(2), "x")
                .expect("it is read")
                .is_condition
        );
        assert!(
            !read(Around::Instance(0), "x")
                .expect("it is read")
                .is_condition
        );
        assert!(own(3, "x").is_err());
    }

    #[test]
    fn what_is_no_expression_of_the_model_is_told_in_a_sentence() {
        for text in [
            "",
            "x ==",
            "y",
            "j",
            "x and true",
            "always x == 0",
            "x == 0 var z: bool",
            "x == 0\ninvariant other: true",
            "gate[7]",
            "p(0)@on_it and",
            "asked",
            "1 / 0",
        ] {
            let told = read(Around::File, text);
            assert!(
                told.as_ref().is_err_and(|why| !why.is_empty()),
                "{text}: {told:?}"
            );
        }
        let told = read(Around::File, "gat[0]").expect_err("there is none");
        assert!(told.contains("`gate`"), "{told}");
    }

    #[test]
    fn reading_ends_where_it_is_to_end() {
        let program = program_of(&[MODEL]);
        let read = read_expression(&program, &Settings::default(), Around::File, "x", &|| true);
        assert!(read.is_err());
    }
}
