//! Tools over HTTP, at `/mcp` of the server: who may call them was decided by its guard.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::call::Doing;
use super::handler::Handler;
use crate::arguments::DEFAULT_SPACE;
use crate::serve::Server;

/// What answers, and what ends it.
pub(crate) struct OverHttp {
    pub(crate) service: StreamableHttpService<Handler, LocalSessionManager>,
    pub(crate) stop: Box<dyn FnOnce() + Send>,
}

/// Returns what answers at the server's address.
pub(crate) fn over_http(server: &Arc<Server>) -> OverHttp {
    let doing: Doing = {
        let server = Arc::clone(server);
        Arc::new(move |granted, ask, outlet| server.call(granted, ask, outlet))
    };
    let place = server.place(DEFAULT_SPACE.to_owned());
    let handler = Handler { doing, pages: server.pages.clone(), place };
    // The guard looks at names and origins, for all that is served.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(server.limits.body_bytes);
    let token = config.cancellation_token.clone();
    let service = StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config);
    OverHttp { service, stop: Box::new(move || token.cancel()) }
}
