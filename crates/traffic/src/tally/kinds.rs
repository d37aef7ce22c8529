//! [`Kinds`]: the kinds of connection that occur, and the words that stand for them.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use tlstax_doc::{Kind, Resumed};

use crate::seen::KindId;

/// Combinations of words that are remembered: a log has some dozens, one that lies may have any number.
const SLOTS: usize = 1_024;

/// The kinds that occur, and the words that stand for them.
pub struct Kinds {
    kinds: Vec<Kind>,
    ids: HashMap<Kind, KindId, RandomState>,
    /// By the hash of the words; a combination takes the place of another.
    remembered: Vec<Option<Remembered>>,
    hasher: RandomState,
    joined: Vec<u8>,
}

/// Words, each with its length before it, and what they stand for.
struct Remembered {
    words: Box<[u8]>,
    id: KindId,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            ids: HashMap::default(),
            remembered: std::iter::repeat_with(|| None).take(SLOTS).collect(),
            hasher: RandomState::default(),
            joined: Vec::new(),
        }
    }
}

impl Kinds {
    /// What words stand for; asked once, as long as they are remembered.
    pub fn of(&mut self, words: &[&[u8]], meaning: impl FnOnce() -> Kind) -> KindId {
        self.joined.clear();
        for word in words {
            self.joined.extend_from_slice(&word.len().to_le_bytes());
            self.joined.extend_from_slice(word);
        }
        // The remainder is below the number of slots.
        #[allow(clippy::cast_possible_truncation)]
        let slot = self.hasher.hash_one(self.joined.as_slice()) as usize % SLOTS;
        if let Some(known) = &self.remembered[slot]
            && *known.words == *self.joined
        {
            return known.id;
        }
        let id = self.known(meaning());
        self.remembered[slot] = Some(Remembered { words: self.joined.as_slice().into(), id });
        id
    }

    /// The place of a kind.
    pub fn known(&mut self, kind: Kind) -> KindId {
        if let Some(id) = self.ids.get(&kind) {
            return *id;
        }
        let id = KindId(u32::try_from(self.kinds.len()).expect("vocabularies make fewer than 2^32 kinds"));
        self.kinds.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    pub const fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn resumed(&self, id: KindId) -> Option<Resumed> {
        self.kinds[id.0 as usize].resumed
    }

    pub fn into_kinds(self) -> impl Iterator<Item = Kind> {
        self.kinds.into_iter()
    }
}
