//! Responses that a load cannot use.

/// What is wrong with a response.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadResponse {
    /// The status is not one of success.
    #[error("status {0} instead of 200")]
    Status(u16),
    /// No response at all.
    #[error("not HTTP/1: {0}")]
    Syntax(String),
    /// How long it is cannot be told.
    #[error("a response without a Content-Length")]
    NoLength,
    /// The wrong length.
    #[error("a body of {got} bytes instead of {wanted}")]
    Length {
        /// What the server sends.
        got: u64,
        /// What the load asks for.
        wanted: u64,
    },
    /// Not the header that the server was to add.
    #[error("a header with {got} bytes of padding instead of {wanted}")]
    Padding {
        /// What the server sends.
        got: usize,
        /// What the load asks for.
        wanted: u32,
    },
    /// Something follows.
    #[error("more bytes than the response has")]
    Surplus,
}
