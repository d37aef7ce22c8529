//! [`Stagger`]: how many requests each connection makes.

/// How many requests each connection makes. If all that are opened together made equally many, they would be renewed together for ever, and
/// stretches with all the handshakes would follow others with none: the first ones make fewer, each another number.
#[derive(Debug)]
pub struct Stagger {
    requests: u32,
    connections: u32,
    opened: u32,
}

impl Stagger {
    /// So many requests on each of the connections, of which there are so many at a time; 0 requests have no end.
    pub const fn new(requests: u32, connections: u32) -> Self {
        Self { requests, connections, opened: 0 }
    }

    /// The requests of the next connection; 0 has no end.
    pub fn requests(&mut self) -> u32 {
        if self.opened >= self.connections {
            return self.requests;
        }
        let fewer = u64::from(self.requests) * u64::from(self.opened) / u64::from(self.connections);
        self.opened += 1;
        // These are less than all.
        self.requests - fewer as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_are_opened_together_end_one_after_the_other() {
        let opened = |requests, connections| -> Vec<u32> {
            let mut stagger = Stagger::new(requests, connections);
            (0..connections + 2).map(|_| stagger.requests()).collect()
        };
        assert_eq!(opened(8, 4), [8, 6, 4, 2, 8, 8]);
        assert_eq!(opened(2, 4), [2, 2, 1, 1, 2, 2]);
        assert_eq!((opened(1, 2), opened(0, 2), opened(3, 0)), (vec![1; 4], vec![0; 4], vec![3; 2]));
    }
}
