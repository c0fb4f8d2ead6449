//! Texts at paths of a value: `field`, `parent.child`, `list[0]`, `list[-1]`, `list[*].field`, `*`, `{one,other}`; `$` is all.

use serde_json::Value;

/// Returns the texts that stand at a path.
pub(super) fn texts(value: &Value, path: &str) -> Vec<String> {
    if path.is_empty() || path == "$" {
        return vec![value.to_string()];
    }
    let mut texts = Vec::new();
    collect(value, &tokens(path), &mut texts);
    texts
}

/// Parts a path: a step in brackets or braces is one whole.
fn tokens(path: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut token = String::new();
    let mut rest = path.chars();
    while let Some(letter) = rest.next() {
        let close = match letter {
            '[' => ']',
            '{' => '}',
            '.' => {
                tokens.extend(Some(std::mem::take(&mut token)).filter(|token| !token.is_empty()));
                continue;
            }
            _ => {
                token.push(letter);
                continue;
            }
        };
        tokens.extend(Some(std::mem::take(&mut token)).filter(|token| !token.is_empty()));
        token.push(letter);
        for inner in rest.by_ref() {
            token.push(inner);
            if inner == close {
                break;
            }
        }
        tokens.push(std::mem::take(&mut token));
    }
    tokens.extend(Some(token).filter(|token| !token.is_empty()));
    tokens
}

fn inner(token: &str, open: char, close: char) -> Option<&str> {
    token.strip_prefix(open)?.strip_suffix(close)
}

fn collect(value: &Value, tokens: &[String], texts: &mut Vec<String>) {
    let Some((token, rest)) = tokens.split_first() else {
        match value {
            Value::Null => {}
            Value::String(text) => texts.push(text.clone()),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                texts.push(value.to_string());
            }
        }
        return;
    };
    if let Some(index) = inner(token, '[', ']') {
        let Value::Array(values) = value else { return };
        if index == "*" {
            for value in values {
                collect(value, rest, texts);
            }
        } else if let Ok(index) = index.parse::<isize>() {
            let at =
                if index < 0 { values.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
            if let Some(value) = at.and_then(|at| values.get(at)) {
                collect(value, rest, texts);
            }
        }
    } else if let Some(fields) = inner(token, '{', '}') {
        for field in fields.split(',').map(str::trim) {
            collect(value, &tokens_of_fields(field), texts);
        }
    } else if token == "*" {
        match value {
            Value::Object(fields) => fields.values().for_each(|value| collect(value, rest, texts)),
            Value::Array(values) => values.iter().for_each(|value| collect(value, rest, texts)),
            _ => {}
        }
    } else if let Some(value) = value.get(token) {
        collect(value, rest, texts);
    }
}

fn tokens_of_fields(field: &str) -> Vec<String> {
    field.split('.').filter(|field| !field.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_found_where_paths_lead() {
        let value = json!({"a": {"b": "x", "n": 3}, "l": [{"t": "one"}, {"t": "two"}], "e": null});
        for (path, expected) in [
            ("a.b", vec!["x"]),
            ("a.n", vec!["3"]),
            ("l[*].t", vec!["one", "two"]),
            ("l[0].t", vec!["one"]),
            ("l[-1].t", vec!["two"]),
            ("l[7].t", vec![]),
            ("l[x].t", vec![]),
            ("a[0]", vec![]),
            ("a.*", vec!["x", "3"]),
            ("{a.b, missing, e}", vec!["x"]),
            ("e", vec![]),
            ("missing.b", vec![]),
            ("l", vec![r#"[{"t":"one"},{"t":"two"}]"#]),
        ] {
            assert_eq!(texts(&value, path), expected, "{path}");
        }
        assert_eq!(texts(&json!({"a": 1}), "$"), [r#"{"a":1}"#]);
    }
}
