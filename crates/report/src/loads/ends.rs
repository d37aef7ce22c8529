//! [`Ends`]: a load's server and client.

use super::item::Found;
use crate::ask::grouped;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends<'a> {
    pub server: &'a str,
    pub client: &'a str,
}

impl<'a> Ends<'a> {
    pub fn of(item: &Found<'a>) -> Self {
        Self { server: item.library(), client: &item.work.client }
    }

    pub fn caption(&self) -> String {
        format!("{} as the server, {} as the client", self.server, self.client)
    }

    /// Both in brackets after a sentence.
    pub fn named(&self) -> String {
        format!("server {}, client {}", self.server, self.client)
    }

    /// Both where space is short: one name for a library that is its own client.
    pub fn title(&self) -> String {
        if self.server == self.client { self.server.to_owned() } else { self.named() }
    }
}

pub(crate) fn by_ends<'a>(items: &[Found<'a>]) -> Vec<(Ends<'a>, Vec<Found<'a>>)> {
    grouped(items.iter().copied(), Ends::of)
}
