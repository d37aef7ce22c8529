//! [`Kinds`]: the kinds of connection that occur, and the words that stood for them.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use tlstax_doc::{Kind, Resumed};

use crate::seen::KindId;

/// Combinations of words that are remembered: a log has some dozens, one that lies may have any number.
const MOST_WORDS: usize = 4_096;

/// The kinds that occur, and the words that stood for them.
#[derive(Default)]
pub struct Kinds {
    kinds: Vec<Kind>,
    ids: HashMap<Kind, KindId, RandomState>,
    /// By the hash of the words: the words, each with its length before it.
    words: HashMap<u64, (Vec<u8>, KindId), RandomState>,
    hasher: RandomState,
    last: Option<(Vec<u8>, KindId)>,
    joined: Vec<u8>,
}

impl Kinds {
    pub fn of(&mut self, words: &[&[u8]], meaning: impl FnOnce() -> Kind) -> KindId {
        self.joined.clear();
        for word in words {
            self.joined.extend_from_slice(&word.len().to_le_bytes()[..4]);
            self.joined.extend_from_slice(word);
        }
        if let Some((known, id)) = &self.last
            && *known == self.joined
        {
            return *id;
        }
        let hash = self.hasher.hash_one(&self.joined);
        let id = match self.words.get(&hash) {
            Some((known, id)) if *known == self.joined => *id,
            _ => self.learn(hash, meaning()),
        };
        self.last = Some((self.joined.clone(), id));
        id
    }

    fn learn(&mut self, hash: u64, kind: Kind) -> KindId {
        let id = self.known(kind);
        if self.words.len() >= MOST_WORDS {
            self.words.clear();
        }
        self.words.insert(hash, (self.joined.clone(), id));
        id
    }

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
