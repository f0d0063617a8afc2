//! The protocol, by the official SDK. This is the only module with async code: each call of a tool runs on a thread, one
//! at a time.

use crate::answer::ToolAnswer;
use crate::toolbox::{McpSettings, StopFlag, Toolbox};
use crate::tools::{INSTRUCTIONS, TOOLS};
use data_encoding::BASE64;
use retap_engine::Failure;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often the server looks whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(200);

/// Serves until the client closes standard input or the user interrupts. The session's run is concluded then.
pub fn serve(settings: McpSettings, interrupt: &AtomicBool) -> Result<(), Failure> {
    let toolbox = Toolbox::new(settings);
    let server =
        ToolServer { stop: Arc::clone(&toolbox.stop), toolbox: Arc::new(Mutex::new(toolbox)) };
    let toolbox = Arc::clone(&server.toolbox);
    let stop = Arc::clone(&server.stop);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| Failure::input(format!("the server cannot be started: {error}")))?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = run(server) => served,
            () = interrupted(interrupt) => Ok(()),
        }
    });
    stop_session(&stop);
    // A call that still runs holds the toolbox, and ends soon because it was stopped.
    toolbox.lock().unwrap_or_else(PoisonError::into_inner).end();
    runtime.shutdown_background();
    served
}

async fn run(server: ToolServer) -> Result<(), Failure> {
    let failed = |error: String| Failure::input(format!("the protocol failed: {error}"));
    let service = server.serve(stdio()).await.map_err(|error| failed(error.to_string()))?;
    service.waiting().await.map_err(|error| failed(error.to_string()))?;
    Ok(())
}

async fn interrupted(interrupt: &AtomicBool) {
    while !interrupt.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

fn stop_session(stop: &StopFlag) {
    if let Some(flag) = stop.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        flag.store(true, Ordering::SeqCst);
    }
}

#[derive(Debug, Clone)]
struct ToolServer {
    toolbox: Arc<Mutex<Toolbox>>,
    stop: StopFlag,
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut config = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        config.server_info = Implementation::new("retap", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(|tool| {
            let hints = ToolAnnotations::new().read_only(tool.read_only).open_world(false);
            Tool::new(tool.name, tool.description, Arc::new((tool.schema)()))
                .with_annotations(hints)
        });
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message =
                format!("no tool is called {:?}; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let toolbox = Arc::clone(&self.toolbox);
        let arguments = request.arguments.map_or(Value::Null, Value::Object);
        let mut call = tokio::task::spawn_blocking(move || {
            (tool.call)(&mut toolbox.lock().unwrap_or_else(PoisonError::into_inner), arguments)
        });
        let done = tokio::select! {
            done = &mut call => done,
            () = context.ct.cancelled() => {
                stop_session(&self.stop);
                call.await
            }
        };
        let answer = done.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(result_of(answer).into())
    }
}

/// Turns an answer into content. A failure is told to the assistant, so that it can do something about it.
fn result_of(answer: Result<ToolAnswer, Failure>) -> CallToolResult {
    match answer {
        Ok(ToolAnswer { text, picture }) => {
            let picture = picture.map(|png| ContentBlock::image(BASE64.encode(&png), "image/png"));
            CallToolResult::success([ContentBlock::text(text)].into_iter().chain(picture).collect())
        }
        Err(failure) => {
            let text = ToolAnswer::text(&failure.to_string()).text;
            CallToolResult::error(vec![ContentBlock::text(text)])
        }
    }
}
