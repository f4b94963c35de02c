//! A name: what it is, its value and its documentation.

use stubborn_model::names::symbols::{Symbol, SymbolKind};

/// A declaration as it could stand in a text, and what is said of it there.
pub fn of_symbol(symbol: &Symbol) -> String {
    let Symbol { name, ty, .. } = symbol;
    let typed = |what: &str| match &**ty {
        "" => format!("{what} {name}"),
        ty => format!("{what} {name}: {ty}"),
    };
    let mut code = match symbol.kind {
        SymbolKind::Constant => typed("const"),
        SymbolKind::Param => typed("param"),
        SymbolKind::Type => match &**ty {
            "" => format!("type {name}"),
            ty => format!("type {name} = {ty}"),
        },
        SymbolKind::Enumeration => format!("enum {name}"),
        SymbolKind::EnumerationValue => typed("(value)"),
        SymbolKind::Field => typed("(field)"),
        SymbolKind::Variable => typed("var"),
        SymbolKind::LocalVariable => typed("(local) var"),
        SymbolKind::Channel => typed("channel"),
        SymbolKind::Action => match &**ty {
            "" => format!("action {name}"),
            ty if ty.starts_with('(') => format!("action {name}{ty}"),
            ty => format!("action {name}({ty})"),
        },
        SymbolKind::Definition => typed("def"),
        SymbolKind::Macro => typed("macro"),
        SymbolKind::Process => typed("process"),
        SymbolKind::Parameter => typed("(parameter)"),
        SymbolKind::Bound => typed("(bound)"),
        SymbolKind::State => typed("state"),
        SymbolKind::Label => format!("{name}:"),
        SymbolKind::Property => typed("(property)"),
        SymbolKind::Assumption => typed("(assumption)"),
        SymbolKind::Tester => typed("tester"),
        SymbolKind::Observed => typed("observe"),
    };
    if let Some(value) = &symbol.value {
        code.push_str(&format!(" = {value}"));
    }
    let mut text = format!("```stubborn\n{code}\n```");
    if let Some(documentation) = &symbol.documentation {
        text.push_str("\n\n");
        text.push_str(documentation.trim());
    }
    text
}
