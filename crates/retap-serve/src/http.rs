//! Requests and responses of HTTP/1.1, as far as one page on one machine needs them: one request for each connection.

mod request;
mod response;

pub use request::{Request, RequestError};
pub use response::{Response, begin_event_stream, send_event};
