//! What a tool was called with.

use serde_json::{Map, Value};

/// The arguments of a call. What was not taken out of them in the end is none of the tool's.
pub(super) struct Given(pub(super) Map<String, Value>);

impl Given {
    /// Takes out a value, where there is one.
    pub(super) fn value(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// Takes out a text, where there is one.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name}: expected a text")),
        }
    }

    /// Takes out a text that there must be.
    pub(super) fn needed(&mut self, name: &str) -> Result<String, String> {
        self.text(name)?.ok_or_else(|| format!("{name} is missing: expected a text"))
    }

    /// Takes out a list, which there must be.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<Value>, String> {
        match self.value(name) {
            Some(Value::Array(items)) => Ok(items),
            Some(_) => Err(format!("{name}: expected a list")),
            None => Err(format!("{name} is missing: expected a list")),
        }
    }

    /// Moves what is there of these into the arguments of a verb.
    pub(super) fn pass(&mut self, names: &[&str], arguments: &mut Map<String, Value>) {
        for name in names {
            if let Some(value) = self.value(name) {
                arguments.insert((*name).to_owned(), value);
            }
        }
    }

    /// Says what there is that the tool does not take.
    pub(super) fn end(&self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{name:?} is not an argument of this tool")),
        }
    }
}

/// Returns a text of an object of a list.
pub(super) fn text_of(item: &Value, name: &str) -> Result<String, String> {
    match item.get(name) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("{name}: expected a text")),
        None => Err(format!("{name} is missing: expected a text")),
    }
}

/// Returns the texts of a list.
pub(super) fn texts(items: &[Value], name: &str) -> Result<Vec<String>, String> {
    items
        .iter()
        .map(|item| item.as_str().map(ToOwned::to_owned).ok_or_else(|| format!("{name}: expected texts")))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_nobody_took_is_told_of() {
        let mut given = Given(json!({ "text": "a", "tezt": "b", "k": null }).as_object().unwrap().clone());
        assert_eq!(given.needed("text"), Ok("a".to_owned()));
        assert_eq!(given.value("k"), None);
        assert_eq!(given.end(), Err("\"tezt\" is not an argument of this tool".to_owned()));
        assert_eq!(given.needed("text"), Err("text is missing: expected a text".to_owned()));
    }
}
