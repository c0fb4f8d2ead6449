//! What a call is given: in the address, where everything is a text, and in the body.

use bygone_query::interface::AsOf;
use bygone_query::interface::memories::{Filter, Whose};
use serde_json::{Map, Value, json};

use super::address::KINDS;
use crate::serve::reply::Problem;
use crate::serve::request::json_object;

/// What a call is given. What nobody asks for is passed over: clients send much that means nothing here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Given(Map<String, Value>);

impl Given {
    /// Reads the body, and puts it beside what the address says.
    pub(super) fn read(mut given: Map<String, Value>, body: &[u8]) -> Result<Given, Problem> {
        if !body.is_empty() {
            given.extend(json_object(body)?);
        }
        Ok(Given(given))
    }

    /// Returns what is given of an object within this one.
    pub(super) fn within(value: &Value) -> Result<Given, Problem> {
        match value {
            Value::Object(object) => Ok(Given(object.clone())),
            _ => Err(Problem::bad_request("expected objects in the list")),
        }
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(wrong(name, "a text")),
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => text.parse().map(Some).map_err(|_| wrong(name, "a number")),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| wrong(name, "a number from 0 on")),
        }
    }

    pub(super) fn decimal(&self, name: &str) -> Result<Option<f64>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| wrong(name, "a number")),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(Some(true)),
                "false" | "0" => Ok(Some(false)),
                _ => Err(wrong(name, "true or false")),
            },
            Some(_) => Err(wrong(name, "true or false")),
        }
    }

    pub(super) fn object(&self, name: &str) -> Result<Option<Map<String, Value>>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object.clone())),
            Some(_) => Err(wrong(name, "an object")),
        }
    }

    pub(super) fn list(&self, name: &str) -> Result<Vec<Value>, Problem> {
        match self.0.get(name) {
            Some(Value::Array(list)) => Ok(list.clone()),
            _ => Err(wrong(name, "a list")),
        }
    }

    /// Returns as of when something is asked.
    pub(super) fn as_of(&self) -> Result<AsOf, Problem> {
        Ok(AsOf { known: self.text("known")?, recorded: self.number("recorded")? })
    }

    /// Returns whose something is to be: said at the top, or, as of the third version, in `filters`.
    pub(super) fn whose(&self) -> Result<Whose, Problem> {
        let filters = Given(self.object("filters")?.unwrap_or_default());
        let named = |name: &str| match self.text(name)? {
            Some(text) => Ok(Some(text)),
            None => filters.text(name),
        };
        Ok(Whose {
            user_id: named("user_id")?,
            agent_id: named("agent_id")?,
            app_id: named("app_id")?,
            run_id: named("run_id")?,
        })
    }

    /// Returns what memories are to have.
    pub(super) fn filter(&self) -> Result<Filter, Problem> {
        let mut filter = match self.0.get("filters") {
            None | Some(Value::Null) => Filter::default(),
            Some(Value::String(text)) => Filter::read(&in_text(text)?).map_err(Problem::from)?,
            Some(filters) => Filter::read(filters).map_err(Problem::from)?,
        };
        for (_, field) in KINDS {
            if let Some(name) = self.text(field)? {
                filter = filter.and(Filter::field(field, &name));
            }
        }
        let mut beside = Map::new();
        if let Some(metadata) = self.object("metadata")? {
            beside.insert("metadata".to_owned(), metadata.into());
        }
        if let Some(categories) =
            self.0.get("categories").filter(|value| !value.is_null() && *value != &json!([]))
        {
            let categories = if categories.is_array() { categories.clone() } else { json!([categories]) };
            beside.insert("categories".to_owned(), json!({ "in": categories }));
        }
        let mut made = Map::new();
        for (name, operator) in [("start_date", "gte"), ("end_date", "lte")] {
            if let Some(day) = self.text(name)? {
                made.insert(operator.to_owned(), day.into());
            }
        }
        if !made.is_empty() {
            beside.insert("created_at".to_owned(), made.into());
        }
        if beside.is_empty() {
            return Ok(filter);
        }
        Ok(filter.and(Filter::read(&beside.into()).map_err(Problem::from)?))
    }
}

fn wrong(name: &str, expected: &str) -> Problem {
    Problem::bad_request(format!("{name}: expected {expected}"))
}

/// Reads an object that stands as a text in an address: JSON, or what Python makes of a dictionary.
fn in_text(text: &str) -> Result<Value, Problem> {
    let python = || {
        let is_plain = !text.contains(['"', '\\']);
        is_plain.then(|| serde_json::from_str(&text.replace('\'', "\"")).ok()).flatten()
    };
    serde_json::from_str(text).ok().or_else(python).ok_or_else(|| wrong("filters", "an object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(value: &Value) -> Given {
        Given::within(value).expect("an object")
    }

    #[test]
    fn a_filter_that_cannot_be_read_is_never_one_that_lets_all_through() {
        for filters in
            [json!("{'a"), json!("x"), json!(7), json!([]), json!({"AND": "x"}), json!("{\"a': 1}")]
        {
            assert!(given(&json!({ "filters": filters })).filter().is_err(), "{filters}");
        }
        for filters in [json!({"user_id": "a"}), json!("{\"user_id\": \"a\"}"), json!("{'user_id': 'a'}")] {
            let filter = given(&json!({ "filters": filters })).filter().expect("a filter");
            assert!(!filter.is_empty(), "{filters}");
        }
    }

    #[test]
    fn an_address_has_texts_for_everything() {
        let given = given(&json!({ "page": "2", "show_expired": "true", "user_id": 7 }));
        assert_eq!(given.number("page"), Ok(Some(2)));
        assert_eq!(given.flag("show_expired"), Ok(Some(true)));
        assert_eq!(given.text("user_id"), Ok(Some("7".to_owned())));
        assert!(given.number("user_id").is_ok() && given.flag("page").is_err());
    }
}
