//! [`Kinds`]: the kinds of connection that occur, and the words that stand for them.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use tlstax_doc::{Kind, Resumed};

use crate::seen::KindId;

/// Sets of combinations of words that are remembered: a log has some dozens, one that lies may have any number.
const SETS: usize = 512;

/// Combinations in a set. Two of the usual ones are likely to fall into one, and must not take the place of each other line by line.
const WAYS: usize = 4;

/// The kinds that occur, and the words that stand for them.
pub struct Kinds {
    kinds: Vec<Kind>,
    ids: HashMap<Kind, KindId, RandomState>,
    /// By the hash of the words; a combination takes the place of another of its set.
    remembered: Vec<[Option<Remembered>; WAYS]>,
    /// The place in its set that is given up next.
    oldest: usize,
    hasher: RandomState,
    joined: Vec<u8>,
}

/// Words, each with its length before it, and what they stand for.
struct Remembered {
    hash: u64,
    words: Box<[u8]>,
    id: KindId,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            ids: HashMap::default(),
            remembered: std::iter::repeat_with(Default::default).take(SETS).collect(),
            oldest: 0,
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
        let hash = self.hasher.hash_one(self.joined.as_slice());
        // The remainder is below the number of sets.
        #[allow(clippy::cast_possible_truncation)]
        let set = hash as usize % SETS;
        let mut known = self.remembered[set].iter().flatten();
        if let Some(known) = known.find(|known| known.hash == hash && *known.words == *self.joined) {
            return known.id;
        }
        let id = self.known(meaning());
        self.oldest = (self.oldest + 1) % WAYS;
        let free = self.remembered[set].iter().position(Option::is_none).unwrap_or(self.oldest);
        self.remembered[set][free] = Some(Remembered { hash, words: self.joined.as_slice().into(), id });
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

    pub fn all(&self) -> &[Kind] {
        &self.kinds
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
