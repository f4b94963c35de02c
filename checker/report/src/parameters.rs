//! The parameters of a model.

use stubborn_model::Analysis;
use stubborn_model::names::SymbolKind;

/// The values that the `param`s have, in the order of the text.
pub fn parameters(analysis: &Analysis) -> Vec<(String, String)> {
    let symbols = analysis.symbols.iter();
    let parameters = symbols.filter(|symbol| symbol.kind == SymbolKind::Param);
    let with_values = parameters.filter_map(|symbol| {
        let value = symbol.value.as_ref()?;
        Some((symbol.name.to_string(), value.to_string()))
    });
    with_values.collect()
}
