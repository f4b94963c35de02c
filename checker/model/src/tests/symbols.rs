//! What an editor shows of names.

use expect_test::expect;

use super::{program, read};
use stubborn_system::source::FileId;

#[test]
fn each_name_has_its_kind_type_value_and_documentation() {
    let text = "\
/// How many there are.
param N: 2..6 = 3
const table: array[0..1] of bool = [true, false]
type Id = 0..N-1
enum Color { red, green }
/// Who waits.
var gate: array[Id] of Color
channel c: queue[2] of Id, bool
action enter(Id)
def busy(i in Id): gate[i] == red
invariant one: exists k in Id: busy(k)
";
    let program = program(text);
    let reading = read(&program, &[]);
    let mut shown = String::new();
    for symbol in reading.symbols.iter() {
        let uses = reading.symbols.references(symbol.span).count();
        shown += &format!(
            "{:?} {}: {} = {:?}, {:?}, used {uses} times\n",
            symbol.kind,
            symbol.name,
            symbol.ty,
            symbol.value.as_deref().unwrap_or(""),
            symbol.documentation.as_deref().unwrap_or(""),
        );
    }
    expect![[r#"
        Param N: 2..6 = "3", "How many there are.", used 1 times
        Constant table: array[0..1] of bool = "[true, false]", "", used 0 times
        Type Id: 0..2 = "", "", used 5 times
        Enumeration Color:  = "", "", used 1 times
        EnumerationValue red: Color = "", "", used 1 times
        EnumerationValue green: Color = "", "", used 0 times
        Variable gate: array[0..2] of Color = "", "Who waits.", used 1 times
        Channel c: queue[2] of 0..2, bool = "", "", used 0 times
        Action enter: (0..2) = "", "", used 0 times
        Definition busy: bool = "", "", used 1 times
        Parameter i: 0..2 = "", "", used 1 times
        Property one:  = "", "", used 0 times
        Bound k: 0..2 = "", "", used 1 times
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_name_has_its_documentation_whatever_stands_between_it_and_its_lines() {
    let long = "-".repeat(300);
    let blanks = ["", "  ", "\u{feff}", "\u{b}\u{c} \t", "/* a\n b */ "];
    for (between, end) in blanks
        .iter()
        .flat_map(|between| ["\n", "\r\n", "\r"].map(|end| (between, end)))
    {
        for line in ["", &long] {
            let text =
                format!("var y: bool{end}/// Who waits.{line}{end}{between}var x: bool{end}");
            let program = program(&text);
            let reading = read(&program, &[]);
            let x = reading.symbols.iter().find(|symbol| &*symbol.name == "x");
            let found = x.and_then(|x| x.documentation.as_deref());
            assert_eq!(found, Some(&*format!("Who waits.{line}")), "{text:?}");
        }
    }
}

#[test]
fn a_use_leads_to_its_declaration() {
    let text = "var gate: bool\ninvariant i: not gate\n";
    let program = program(text);
    let reading = read(&program, &[]);
    let offset = text.rfind("gate").unwrap() as u32 + 2;
    let (span, symbol) = reading.symbols.at_offset(FileId(0), offset).unwrap();
    assert_eq!(span.start, text.rfind("gate").unwrap() as u32);
    assert_eq!(symbol.span.start, 4);
}
