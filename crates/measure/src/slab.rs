//! The kernel's account of its small objects: `/proc/slabinfo`, slabinfo(5).

use std::collections::HashMap;
use std::fs;

use tlstax_spec::Bytes;

const SLABINFO: &str = "/proc/slabinfo";

/// Objects in use, and the size of one, by the name of their cache. Caches of objects of one size may share a name.
#[derive(Debug)]
pub(crate) struct Slab(HashMap<String, (u64, u64)>);

impl Slab {
    /// # Errors
    /// The kernel does not show it, mostly because only root may read it.
    pub(crate) fn read() -> Result<Self, String> {
        let text =
            fs::read_to_string(SLABINFO).map_err(|error| format!("{SLABINFO}: {error}; it takes root"))?;
        let slab = Self::parse(&text);
        if slab.0.is_empty() { Err(format!("{SLABINFO} has another form on this kernel")) } else { Ok(slab) }
    }

    fn parse(text: &str) -> Self {
        // name, active objects, objects, their size, ...
        let cache = |line: &str| {
            let mut fields = line.split_ascii_whitespace();
            let name = fields.next()?.to_owned();
            let active = fields.next()?.parse().ok()?;
            let size = fields.nth(1)?.parse().ok()?;
            Some((name, (active, size)))
        };
        Self(text.lines().filter_map(cache).collect())
    }

    /// The bytes of the objects that there are more than there were, of caches in which it is at least so many: fewer are other
    /// people's.
    pub(crate) fn grown_since(&self, before: &Self, least: u64) -> Bytes {
        let grown = self.0.iter().map(|(name, (active, size))| {
            let earlier = before.0.get(name).map_or(0, |(active, _)| *active);
            let more = active.saturating_sub(earlier);
            if more < least { 0 } else { more.saturating_mul(*size) }
        });
        Bytes(grown.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "slabinfo - version: 2.1\n\
        # name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit>\n";

    #[test]
    fn what_many_objects_were_added_to_is_counted() {
        let of = |tcp: u64, dentries: u64| {
            let line = |name: &str, active: u64, size: u64| {
                format!("{name:<17} {active:>6} 9999 {size:>6}   13    8 : tunables    0    0    0\n")
            };
            Slab::parse(&(HEAD.to_owned() + &line("TCP", tcp, 2368) + &line("dentry", dentries, 192)))
        };
        let (before, after) = (of(3, 1000), of(803, 1020));
        assert_eq!(after.grown_since(&before, 200), Bytes(800 * 2368));
        assert_eq!(after.grown_since(&before, 20), Bytes(800 * 2368 + 20 * 192));
        assert_eq!(before.grown_since(&after, 0), Bytes(0));
        assert_eq!(after.0.len(), 2, "{after:?}");
    }
}
