//! The handler: lists tools, and calls them.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as Described, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::arguments::Given;
use super::call::{Call, Doing};
use super::{Gave, Tool, tools};
use crate::clock::Clock;
use crate::serve::{Granted, space};
use crate::verb::{Pages, Place, Scope};

const INSTRUCTIONS: &str = "A memory that keeps what was said and when. `remember` what is worth knowing later; `ask` a question, or `recall` what was said; `what_changed` and `why` tell how belief came about. Times are known twice: when something was so (`valid`), and when it was known (`known`).";

/// What answers a client.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(super) doing: Doing,
    pub(super) pages: Pages,
    /// The space that is meant where a request names none.
    pub(super) place: Place,
}

impl Handler {
    /// Returns who asks, and in which space: a request over HTTP says so, and standard input is whoever started us.
    fn call(&self, parts: Option<&Parts>) -> Result<Call, String> {
        let mut place = self.place.clone();
        let granted = match parts {
            None => Granted::everything(),
            Some(parts) => {
                if let Some(space) = space(&parts.headers).map_err(|problem| problem.message)? {
                    place.space = space;
                }
                parts.extensions.get::<Granted>().cloned().ok_or("nobody is granted anything")?
            }
        };
        let now = Clock::System.now();
        Ok(Call { doing: Arc::clone(&self.doing), place, granted, pages: self.pages.clone(), now })
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("bygone", env!("CARGO_PKG_VERSION")).with_title("Bygone"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools().map(described).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Described> {
        tools().find(|tool| tool.name == name).map(described)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools().find(|tool| tool.name == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        };
        let call = self.call(context.extensions.get::<Parts>());
        let mut given = Given(request.arguments.unwrap_or_default());
        let told = match call {
            Ok(call) => tokio::task::spawn_blocking(move || (tool.run)(&mut given, &call))
                .await
                .unwrap_or_else(|_| Err("something is wrong with bygone itself".to_owned())),
            Err(message) => Err(message),
        };
        Ok(match told {
            Ok(Gave { structured, text }) => {
                let text = text.unwrap_or_else(|| shown(&structured));
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = Some(structured);
                result
            }
            Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
        }
        .into())
    }
}

/// Returns what a model reads: rows are a line each.
fn shown(structured: &Value) -> String {
    let Some(rows) = structured.get("rows").and_then(Value::as_array) else {
        return structured.to_string();
    };
    let mut lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    if rows.is_empty() {
        lines.push("(nothing)".to_owned());
    }
    lines.extend(
        structured["remarks"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(ToOwned::to_owned),
    );
    if let Some(next) = structured["next"].as_str() {
        lines.push(format!("(there is more: cursor {next})"));
    }
    lines.join("\n")
}

fn described(tool: &'static Tool) -> Described {
    let Value::Object(schema) = tool.schema() else { unreachable!("a schema is an object") };
    let annotations = ToolAnnotations::new()
        .read_only(tool.scope == Scope::Read && tool.name != "checkpoint")
        .destructive(tool.scope == Scope::Erase || tool.name.starts_with("delete_"))
        .open_world(false);
    Described::new(tool.name, tool.about, Arc::new(schema)).with_annotations(annotations)
}
