//! Graphviz.

use super::graph::Picture;

/// The picture in the language of Graphviz, with a line feed at its end.
pub fn dot(picture: &Picture, name: &str) -> String {
    let mut text = format!(
        "digraph {} {{\n  node [shape=box, style=rounded, fontname=\"sans-serif\"]\n  edge [fontname=\"sans-serif\"]\n",
        quoted(name)
    );
    for (number, node) in picture.nodes.iter().enumerate() {
        let mut lines = vec![node.label.clone()];
        let values = picture.variables.iter().zip(&node.values);
        lines.extend(values.map(|(name, value)| format!("{name} = {value}")));
        let mut attributes = vec![format!("label={}", quoted(&lines.join("\n")))];
        let marks = node.marks;
        let mut styles = vec!["rounded"];
        if marks.is_initial {
            styles.push("bold");
        }
        if marks.is_failure {
            styles.push("dashed");
        }
        attributes.push(format!("style={}", quoted(&styles.join(","))));
        if marks.is_terminal {
            attributes.push("peripheries=2".to_owned());
        }
        if marks.is_violation {
            attributes.push("color=\"#c0392b\"".to_owned());
            attributes.push("penwidth=2".to_owned());
        }
        text.push_str(&format!("  {number} [{}]\n", attributes.join(", ")));
    }
    for edge in &picture.edges {
        let mut attributes = vec![format!("label={}", quoted(&edge.labels.join("\n")))];
        if !edge.run.is_empty() {
            attributes.push("color=\"#c0392b\"".to_owned());
            attributes.push("penwidth=2".to_owned());
        }
        text.push_str(&format!(
            "  {} -> {} [{}]\n",
            edge.from,
            edge.to,
            attributes.join(", ")
        ));
    }
    text.push_str("}\n");
    text
}

pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::graph::{Edge, Marks, Node};
    use super::*;

    #[test]
    fn quotes_and_ends_of_lines_are_kept_from_ending_a_string() {
        assert_eq!(quoted("a \"b\"\nc\\"), "\"a \\\"b\\\"\\nc\\\\\"");
    }

    #[test]
    fn marks_and_texts_are_said_in_its_language() {
        let node = |label: &str, value: &str, marks| Node {
            label: label.to_owned(),
            values: vec![value.to_owned()],
            marks,
            ..Node::default()
        };
        let picture = Picture {
            variables: vec!["x".to_owned()],
            nodes: vec![
                node(
                    "0",
                    "0",
                    Marks {
                        is_initial: true,
                        ..Marks::default()
                    },
                ),
                node(
                    "1",
                    "\"a\"",
                    Marks {
                        is_terminal: true,
                        is_violation: true,
                        ..Marks::default()
                    },
                ),
            ],
            edges: vec![Edge {
                from: 0,
                to: 1,
                labels: vec!["p: x = 1".to_owned(), "q: x = 1".to_owned()],
                place: None,
                run: vec![1],
            }],
        };
        expect![[r##"
            digraph "m" {
              node [shape=box, style=rounded, fontname="sans-serif"]
              edge [fontname="sans-serif"]
              0 [label="0\nx = 0", style="rounded,bold"]
              1 [label="1\nx = \"a\"", style="rounded", peripheries=2, color="#c0392b", penwidth=2]
              0 -> 1 [label="p: x = 1\nq: x = 1", color="#c0392b", penwidth=2]
            }
        "##]]
        .assert_eq(&dot(&picture, "m"));
    }
}
