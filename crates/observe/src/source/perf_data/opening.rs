//! Finds the parts of a recording: attributes, features, and where its records begin.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::attribute::Attribute;
use super::features::Features;
use super::fields::{Fields, Order};
use super::header::{Header, PIPE_SIZE, Section};
use super::layout::{Layout, MOST_EVENTS};
use super::records::Records;
use crate::source::input::Content;

/// A section is no longer that is kept in memory: build ids of some thousand files take a hundredth of it.
const LONGEST_SECTION: u64 = 64 << 20;

/// A recording whose parts are found.
pub struct Recording<'r> {
    pub layout: Layout,
    pub features: Features,
    pub records: Records<Box<dyn Read + 'r>>,
    /// Why what is told of the machine is missing.
    pub missing: Option<Missing>,
}

/// Why what is told of the machine is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The file ends before it.
    Cut,
    /// It stands behind the records, and the input cannot be gone back in.
    Stream,
}

/// The parts of a recording; none if its first bytes are no header, or its attributes are not where the header says.
pub fn open<'r>(head: Vec<u8>, content: Content<'r>) -> io::Result<Option<Recording<'r>>> {
    let Some((order, header)) = Header::read(&head) else {
        return Ok(None);
    };
    match header {
        Header::Pipe => {
            let from = match content {
                Content::File(file) => Box::new(file) as Box<dyn Read>,
                Content::Stream(stream) => stream,
            };
            let records = Records::new(from, order, &head[PIPE_SIZE.min(head.len())..]);
            let (layout, features) = (Layout::new(order), Features::default());
            Ok(Some(Recording { layout, features, records, missing: None }))
        }
        Header::File { attribute_size, attributes, data, features } => {
            let parts = Parts { order, attribute_size, attributes, data, features };
            match content {
                Content::File(file) => parts.open_file(file),
                Content::Stream(stream) => parts.open_stream(head, stream),
            }
        }
    }
}

/// The places of a recording's parts.
struct Parts {
    order: Order,
    attribute_size: u64,
    attributes: Section,
    data: Section,
    features: [u64; 4],
}

impl Parts {
    fn open_file<'r>(&self, mut file: impl Read + Seek + 'r) -> io::Result<Option<Recording<'r>>> {
        let length = file.seek(SeekFrom::End(0))?;
        let Some(mut layout) = self.layout(&mut file)? else {
            return Ok(None);
        };
        let end = self.data.end().filter(|end| self.data.size > 0 && *end <= length);
        let features = match end {
            Some(end) => self.read_features(&mut file, end)?,
            None => None,
        };
        file.seek(SeekFrom::Start(self.data.offset))?;
        let size = end.map_or(u64::MAX, |_| self.data.size);
        let records = Records::new(Box::new(file.take(size)) as Box<dyn Read>, self.order, &[]);
        let missing = features.is_none().then_some(Missing::Cut);
        let features = features.unwrap_or_default();
        layout.name(&features.events);
        Ok(Some(Recording { layout, features, records, missing }))
    }

    /// A file that comes through a pipe: attributes are before the records, what is behind them comes too late.
    fn open_stream<'r>(
        &self,
        head: Vec<u8>,
        stream: Box<dyn Read + 'r>,
    ) -> io::Result<Option<Recording<'r>>> {
        let Some(layout) = self.layout(&mut Cursor::new(&head))? else {
            return Ok(None);
        };
        let mut from = Cursor::new(head).chain(stream);
        io::copy(&mut from.by_ref().take(self.data.offset), &mut io::sink())?;
        let size = if self.data.size > 0 { self.data.size } else { u64::MAX };
        let records = Records::new(Box::new(from.take(size)) as Box<dyn Read>, self.order, &[]);
        let missing = Some(Missing::Stream);
        Ok(Some(Recording { layout, features: Features::default(), records, missing }))
    }

    /// The attributes with their ids.
    fn layout(&self, file: &mut (impl Read + Seek)) -> io::Result<Option<Layout>> {
        let mut layout = Layout::new(self.order);
        let Ok(size) = usize::try_from(self.attribute_size) else {
            return Ok(None);
        };
        if size <= Section::SIZE {
            return Ok(None);
        }
        let bytes = section(file, self.attributes)?;
        let mut left = LONGEST_SECTION;
        for one in bytes.chunks_exact(size).take(MOST_EVENTS) {
            let (attribute, ids) = one.split_at(size - Section::SIZE);
            let ids = Section::read(&mut Fields::of(ids, self.order));
            let (Some(mut attribute), Some(ids)) = (Attribute::read(attribute, self.order), ids) else {
                return Ok(None);
            };
            // Those of all events together: their sections may be one and the same.
            let ids = section(file, Section { size: ids.size.min(left), ..ids })?;
            left -= ids.len() as u64;
            let mut fields = Fields::of(&ids, self.order);
            attribute.ids = std::iter::from_fn(|| fields.u64()).collect();
            layout.add(attribute);
        }
        Ok((!layout.attributes.is_empty()).then_some(layout))
    }

    /// Behind the records stands a list of sections, one for each feature; none if the file ends before the end of it.
    fn read_features(&self, file: &mut (impl Read + Seek), at: u64) -> io::Result<Option<Features>> {
        let mut features = Features::default();
        let numbers = (0..256_u32).filter(|bit| self.features[*bit as usize / 64] >> (bit % 64) & 1 == 1);
        let list = section(file, Section { offset: at, size: 256 * Section::SIZE as u64 })?;
        let mut places = Fields::of(&list, self.order);
        for number in numbers {
            let Some(place) = Section::read(&mut places) else {
                return Ok(None);
            };
            if Features::is_of_use(number) {
                let bytes = section(file, place)?;
                if (bytes.len() as u64) < place.size {
                    return Ok(None);
                }
                features.take(number, &bytes, self.order);
            }
        }
        Ok(Some(features))
    }
}

/// The bytes of a section, as many as are there.
fn section(file: &mut (impl Read + Seek), section: Section) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(section.offset))?;
    file.take(section.size.min(LONGEST_SECTION)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
