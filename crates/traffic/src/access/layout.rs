//! [`Layout`]: a format string, compiled.

use std::collections::BTreeSet;

use tlstax_doc::Tell;

use super::error::Problem;
use super::field::{Escape, Field, Number, Word};
use super::piece::Piece;
use super::server::Server;
use super::time::Parts;

/// Fields that a format has at most; those of real servers have some dozens.
pub const MOST_FIELDS: usize = 256;

/// What the lines of a log are made of: fields, and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub(super) server: Server,
    /// What a line begins with.
    pub(super) before: Box<[u8]>,
    pub(super) steps: Vec<Step>,
    /// Whether anything may follow: formats to whose end fields were added over the years.
    pub(super) has_open_end: bool,
    /// Whether a line is a connection, and not a request.
    pub(super) is_of_connections: bool,
    /// The words that its lines have, in the order of [`Word`].
    pub(super) words: Vec<Word>,
    /// Whether a line tells when it was written.
    pub(super) is_dated: bool,
    /// Whether it tells that with its zone, or in UTC.
    pub(super) is_zoned: bool,
    /// Whether it has a dash for a body of no bytes.
    pub(super) has_dash_for_none: bool,
    /// The keys of a JSON object that the format writes, and the variable behind each.
    pub(super) json: Option<Vec<(String, String)>>,
}

/// A field, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub field: Field,
    pub end: End,
    /// What follows the field; nothing at the end of the line, or where a field tells its own end.
    pub literal: Box<[u8]>,
}

/// Where a field ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With the line.
    Line,
    /// At a quote that is not escaped, with which the literal begins.
    Quote,
    /// Where the literal stands next.
    Literal,
}

impl Layout {
    /// The layout of the pieces of a format string.
    pub(super) fn of(server: Server, escape: Escape, pieces: Vec<Piece>) -> Result<Self, Problem> {
        let json = super::json::keys(&pieces);
        let (before, fields) = joined(pieces)?;
        let steps = steps(fields, escape)?;
        let mut layout = Self {
            server,
            before,
            steps,
            has_open_end: false,
            is_of_connections: false,
            words: Vec::new(),
            is_dated: false,
            is_zoned: false,
            has_dash_for_none: false,
            json,
        };
        layout.count_one_time();
        // The version of HTTP is in requests as well.
        let has_request = layout.fields().any(|field| *field == Field::Request);
        let has_word = |word: &Word| (*word == Word::Http && has_request) || layout.has_field(*word);
        let words = Word::ALL.into_iter().filter(has_word).collect();
        let has = |number: Number| layout.fields().any(|field| *field == Field::Number(number));
        let has_dash_for_none = has(Number::BodyOutOrDash);
        let parts = layout.time_parts();
        layout.words = words;
        layout.has_dash_for_none = has_dash_for_none;
        layout.is_dated = parts.has(Parts::DATE.and(Parts::CLOCK));
        layout.is_zoned = parts.has(Parts::ZONE);
        Ok(layout)
    }

    /// The word of its server in documents.
    pub const fn server(&self) -> Server {
        self.server
    }

    /// The keys of a JSON object, if the format writes one, and the variable behind each: `("status", "status")`. Keys of inner
    /// objects are joined by dots.
    pub fn json(&self) -> Option<&[(String, String)]> {
        self.json.as_deref()
    }

    /// What its lines tell.
    pub fn tells(&self) -> BTreeSet<Tell> {
        let mut tells: BTreeSet<Tell> = self.fields().filter_map(tell).collect();
        if tells.contains(&Tell::BytesOut) {
            tells.remove(&Tell::BodyOut);
        }
        if self.is_dated {
            tells.insert(Tell::Time);
        }
        tells.insert(if self.is_of_connections { Tell::Connection } else { Tell::Requests });
        tells
    }

    /// Whether its times are told with their zone, or are in UTC. Where they are not, the log does not say in which zone it was
    /// written.
    pub const fn has_zone(&self) -> bool {
        self.is_zoned || !self.is_dated
    }

    pub(super) fn has(&self, word: Word) -> bool {
        self.words.contains(&word)
    }

    fn has_field(&self, word: Word) -> bool {
        self.fields().any(|field| *field == Field::Word(word))
    }

    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.steps.iter().map(|step| &step.field)
    }

    /// Of several times, the first whole one counts, or else parts of one together: none twice.
    fn count_one_time(&mut self) {
        let whole = self.steps.iter().position(|step| {
            matches!(&step.field, Field::Time(form, _) if form.parts().has(Parts::DATE.and(Parts::CLOCK)))
        });
        let mut known = Parts::NONE;
        for at in whole.into_iter().chain(0..self.steps.len()) {
            if let Field::Time(form, counts) = &mut self.steps[at].field
                && !known.overlaps(form.parts())
            {
                *counts = true;
                known = known.and(form.parts());
            }
        }
    }

    fn time_parts(&self) -> Parts {
        let counted = self.fields().filter_map(|field| match field {
            Field::Time(form, true) => Some(form.parts()),
            _ => None,
        });
        counted.fold(Parts::NONE, Parts::and)
    }
}

impl Field {
    /// Whether it tells where it ends, so that nothing has to stand behind it.
    const fn ends_by_itself(&self) -> bool {
        matches!(self, Self::Time(..) | Self::Number(_))
    }

    const fn is_of_no_use(&self) -> bool {
        matches!(self, Self::Text | Self::Token)
    }
}

const fn tell(field: &Field) -> Option<Tell> {
    Some(match field {
        Field::Request | Field::Word(Word::Http) => Tell::Http,
        Field::Word(Word::Protocol) => Tell::Protocol,
        Field::Word(Word::Suite) => Tell::Suite,
        Field::Word(Word::Group) => Tell::Group,
        Field::Word(Word::Key) => Tell::Key,
        Field::Word(Word::Resumed) => Tell::Resumed,
        Field::Number(Number::Ordinal | Number::OrdinalFromZero | Number::IsFirst) => Tell::Connection,
        Field::Number(Number::BytesOut) => Tell::BytesOut,
        Field::Number(Number::BodyOut | Number::BodyOutOrDash) => Tell::BodyOut,
        Field::Number(Number::BytesIn) => Tell::BytesIn,
        _ => return None,
    })
}

/// A field, its name, and what follows it.
struct Followed {
    field: Field,
    name: String,
    literal: Vec<u8>,
}

/// What stands before the first field, and the fields with what follows each. Neighbours that nobody asks for are one.
fn joined(pieces: Vec<Piece>) -> Result<(Box<[u8]>, Vec<Followed>), Problem> {
    let mut before = Vec::new();
    let mut fields: Vec<Followed> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                fields.last_mut().map_or(&mut before, |field| &mut field.literal).extend(text);
            }
            Piece::Field(field, name) => match fields.last_mut() {
                Some(last) if last.literal.is_empty() => {
                    if last.field.is_of_no_use() && field.is_of_no_use() {
                        last.field = Field::Text;
                    } else if last.field.ends_by_itself() && !matches!(field, Field::Number(_)) {
                        fields.push(Followed { field, name, literal: Vec::new() });
                    } else {
                        return Err(Problem::Adjacent { first: last.name.clone(), second: name });
                    }
                }
                _ => fields.push(Followed { field, name, literal: Vec::new() }),
            },
        }
    }
    Ok((before.into(), fields))
}

fn steps(fields: Vec<Followed>, escape: Escape) -> Result<Vec<Step>, Problem> {
    match fields.len() {
        0 => return Err(Problem::NoField),
        1..=MOST_FIELDS => {}
        _ => return Err(Problem::TooManyFields { most: MOST_FIELDS }),
    }
    if fields.iter().any(|field| field.literal.contains(&b'\n')) {
        return Err(Problem::ManyLines);
    }
    let last = fields.len() - 1;
    let step = |(at, field): (usize, Followed)| {
        let end = match field.literal.first() {
            None if at == last => End::Line,
            Some(b'"') if escape == Escape::Backslash => End::Quote,
            _ => End::Literal,
        };
        Step { field: field.field, end, literal: field.literal.into() }
    };
    Ok(fields.into_iter().enumerate().map(step).collect())
}
