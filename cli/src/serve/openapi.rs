//! What the server answers, as an OpenAPI document: <https://spec.openapis.org/oas/v3.1.0>. It is made of the registry of verbs
//! and of the definitions of the command line.

use axum::Json;
use serde_json::{Map, Value, json};

use super::mem0;
use super::operation::{Operation, every};
use crate::verb::{Input, Output, VERBS, Verb, about, properties};

/// Answers with the document.
pub(super) async fn serve() -> Json<Value> {
    Json(document())
}

/// Returns the document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for verb in VERBS {
        let mut item = json!({ "post": post(verb) });
        if verb.only_reads() {
            item["get"] = get(verb);
        }
        paths.insert(format!("/v1/{}", verb.name()), item);
    }
    for operation in every() {
        paths.insert(format!("/v1/{}", operation.address()), json!({ "post": interface(&operation) }));
    }
    for (address, methods) in mem0::ADDRESSES {
        let item: Map<String, Value> = methods
            .iter()
            .map(|(method, summary)| ((*method).to_owned(), of_mem0(address, method, summary)))
            .collect();
        paths.insert(format!("{}{address}", mem0::BASE), item.into());
    }
    let text = |about: &str, kind: &str, schema: Value| {
        let mut responses =
            json!({ "200": { "description": about, "content": { kind: { "schema": schema } } } });
        responses["default"] = json!({ "$ref": "#/components/responses/Problem" });
        responses
    };
    paths.insert(
        "/healthz".to_owned(),
        json!({ "get": {
        "operationId": "healthz", "summary": "Whether it runs", "security": [],
        "responses": text("It runs.", "text/plain", json!({ "type": "string" })),
    } }),
    );
    paths.insert(
        "/metrics".to_owned(),
        json!({ "get": {
        "operationId": "metrics", "summary": "Counts, as Prometheus reads them",
        "responses": text("Counts.", "text/plain", json!({ "type": "string" })),
    } }),
    );
    paths.insert(
        "/openapi.json".to_owned(),
        json!({ "get": {
        "operationId": "openapi", "summary": "This document", "security": [],
        "responses": text("This document.", "application/json", json!({ "type": "object" })),
    } }),
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Bygone",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A memory for agents that keeps what was said and when, and answers what was true when, and what was known when. Every verb is a command of the command line, and its rows are those that the command prints with --json.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "security": [{ "key": [] }, {}],
        "paths": paths,
        "components": {
            "securitySchemes": { "key": {
                "type": "http", "scheme": "bearer",
                "description": "A key that `bygone keys create` made. Without keys, this machine needs none.",
            } },
            "parameters": { "space": space(), "idempotency_key": {
                "name": "Idempotency-Key", "in": "header", "required": false, "schema": { "type": "string" },
                "description": "Tells this request from every other one: sent again, it is not done again.",
            } },
            "schemas": {
                "Answer": {
                    "type": "object",
                    "required": ["exit", "next", "remarks", "rows"],
                    "properties": {
                        "exit": { "enum": [0, 1], "description": "0: it was done; 1: the answer is no, or not known." },
                        "next": {
                            "type": ["string", "null"],
                            "description": "The cursor of the next page: sent as `cursor` with the same request.",
                        },
                        "remarks": { "type": "array", "items": { "type": "string" } },
                        "rows": { "type": "array", "items": { "type": "object" } },
                    },
                },
                "Problem": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                        "error": {
                            "type": "object",
                            "required": ["code", "message"],
                            "properties": { "code": { "type": "string" }, "message": { "type": "string" } },
                        },
                        "rows": {
                            "type": "array", "items": { "type": "object" },
                            "description": "What there is in spite of it: a receipt, or what stands in the way.",
                        },
                    },
                },
            },
            "responses": { "Problem": {
                "description": "It was not done: 400 it was asked for wrongly, 401 and 403 the key, 404 there is no such verb, 409 the change was refused, 413 it was too large, 422 what was given cannot be read, 503 ask again.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
            } },
        },
    })
}

fn space() -> Value {
    json!({
        "name": "Bygone-Space", "in": "header", "required": false,
        "schema": { "type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$", "default": "default" },
        "description": "The space.",
    })
}

/// What every verb takes besides its own arguments.
fn paging() -> [(&'static str, Value); 2] {
    [
        ("cursor", json!({ "type": "string", "description": "Where to go on, as the answer before said." })),
        (
            "page_size",
            json!({
                "type": "integer", "minimum": 1, "maximum": 10_000, "default": 1_000,
                "description": "How many rows at most.",
            }),
        ),
    ]
}

fn post(verb: &Verb) -> Value {
    let (mut properties, required) = properties(verb);
    properties.extend(paging().map(|(name, schema)| (name.to_owned(), schema)));
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let mut content = json!({ "application/json": { "schema": schema } });
    if verb.input != Input::None {
        let about = "What is read, with the other arguments in the query part of the address.";
        content["application/octet-stream"] = json!({ "schema": { "type": "string", "description": about } });
    }
    let mut operation = operation(verb, "post");
    let mut parameters = vec![json!({ "$ref": "#/components/parameters/space" })];
    if verb.takes("idempotency_key") {
        parameters.push(json!({ "$ref": "#/components/parameters/idempotency_key" }));
    }
    operation["parameters"] = parameters.into();
    operation["requestBody"] = json!({ "required": !required.is_empty(), "content": content });
    operation
}

/// What an operation of an interface takes is told in docs/interfaces.md.
fn interface(operation: &Operation) -> Value {
    let answer = json!({ "schema": { "type": "object", "required": ["result"] } });
    json!({
        "operationId": operation.address().replace(['/', '-'], "_"),
        "summary": "An operation of an interface that agents' frameworks speak: its adapter asks for it.",
        "description": format!("Scope: {}.", operation.needs.names()),
        "tags": [operation.needs.scope.name()],
        "parameters": [
            { "$ref": "#/components/parameters/space" },
            { "$ref": "#/components/parameters/idempotency_key" },
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": { "type": "object" } } } },
        "responses": {
            "200": { "description": "What it came to.", "content": { "application/json": answer } },
            "default": { "$ref": "#/components/responses/Problem" },
        },
    })
}

/// What a call of Mem0's interface takes is told in docs/interfaces.md.
fn of_mem0(address: &str, method: &str, summary: &str) -> Value {
    let mut parameters = vec![json!({ "$ref": "#/components/parameters/space" })];
    let names = address.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    parameters.extend(names.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
    }));
    let mut operation = json!({
        "operationId": format!("mem0_{method}_{}", address.replace(['{', '}'], "").trim_matches('/').replace('/', "_")),
        "summary": summary,
        "description": "A call of Mem0's interface.",
        "tags": ["mem0"],
        "parameters": parameters,
        "responses": {
            "200": { "description": "What it came to.", "content": { "application/json": { "schema": {} } } },
            "default": { "$ref": "#/components/responses/Problem" },
        },
    });
    if matches!(method, "post" | "put") {
        operation["requestBody"] = json!({
            "required": true, "content": { "application/json": { "schema": { "type": "object" } } },
        });
    }
    operation
}

fn get(verb: &Verb) -> Value {
    let (properties, required) = properties(verb);
    let mut parameters = vec![json!({ "$ref": "#/components/parameters/space" })];
    let paging = paging().map(|(name, schema)| (name.to_owned(), schema));
    for (name, mut schema) in properties.into_iter().chain(paging) {
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        // In an address everything is a text.
        if schema["type"].is_array() {
            schema = json!({ "type": "string" });
        } else if schema["items"]["type"].is_array() {
            schema = json!({ "type": "array", "items": { "type": "string" } });
        }
        parameters.push(json!({
            "name": name, "in": "query", "required": required.contains(&name), "schema": schema, "description": about,
        }));
    }
    let mut operation = operation(verb, "get");
    operation["parameters"] = parameters.into();
    operation
}

fn operation(verb: &Verb, method: &str) -> Value {
    let about = about(verb);
    let (summary, rest) = about.split_once("\n\n").unwrap_or((&about, ""));
    let rows = json!({
        "description": "The rows.",
        "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/Answer" } },
            "application/x-ndjson": { "schema": { "type": "string", "description": "A row a line." } },
        },
    });
    let answer = match verb.output {
        Output::Rows => rows,
        Output::Bytes => json!({
            "description": "The state as it was saved.",
            "content": { "application/octet-stream": { "schema": { "type": "string" } } },
        }),
    };
    json!({
        "operationId": format!("{}_{method}", verb.path.join("_")),
        "summary": summary,
        "description": format!("{rest}\n\nScope: {}.", verb.needs().names()).trim(),
        "tags": [verb.scope.name()],
        "responses": { "200": answer, "default": { "$ref": "#/components/responses/Problem" } },
    })
}
