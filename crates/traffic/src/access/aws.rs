//! Load balancers of Amazon Web Services, whose formats are fixed. Fields were added to their ends over the years, so that what
//! follows those that count may be anything.

use super::error::Problem;
use super::field::{Escape, Field, Number, Word};
use super::layout::Layout;
use super::nginx::pieces;
use super::server::Server;
use super::time::TimeForm;

/// Access logs of Application Load Balancers, to the last field that counts.
pub const REQUESTS: &str = "$type $time $elb $client $target $took $took $took $status $target_status $bytes_in $bytes_out \
     \"$request\" \"$user_agent\" $suite $protocol $target_group \"$trace\" \"$server\" ";

/// Connection logs of Application Load Balancers.
pub const CONNECTIONS: &str = "$time $client $port $port $protocol $suite $took ";

/// Access logs of Network Load Balancers, which have TLS connections only.
pub const TLS: &str = "tls $version $time $elb $listener $client $target $took $took $bytes_in $bytes_out $alert $certificate \
     $serial $suite $protocol $group $server $alpn";

pub fn compile(format: &str) -> Result<Layout, Problem> {
    let pieces = pieces(format, field)?;
    let is_of_connections = format != REQUESTS;
    let layout = Layout::of(Server::Alb, Escape::Backslash, pieces)?;
    Ok(Layout { is_of_connections, has_open_end: true, ..layout })
}

fn field(name: &str) -> Field {
    match name {
        "time" => Field::Time(TimeForm::Iso, false),
        "status" => Field::Number(Number::Status),
        "bytes_in" => Field::Number(Number::BytesIn),
        "bytes_out" => Field::Number(Number::BytesOut),
        "request" => Field::Request,
        "protocol" => Field::Word(Word::Protocol),
        "suite" => Field::Word(Word::Suite),
        "group" => Field::Word(Word::Group),
        "server" => Field::Word(Word::Server),
        "user_agent" | "trace" => Field::Text,
        _ => Field::Token,
    }
}
