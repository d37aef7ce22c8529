//! [`Window`]: the time that was asked for.

/// The time that was asked for, seconds since 1970: from the first second on, and before the second one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub since: Option<u64>,
    pub until: Option<u64>,
}

impl Window {
    /// Whether something that was then counts. What is not dated does, unless a time was asked for.
    pub fn has(&self, at: Option<u64>) -> bool {
        match at {
            Some(at) => {
                self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at < until)
            }
            None => self.since.is_none() && self.until.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_its_first_second_and_not_its_last() {
        let window = Window { since: Some(10), until: Some(20) };
        assert!(
            window.has(Some(10)) && window.has(Some(19)) && !window.has(Some(20)) && !window.has(Some(9))
        );
        assert!(!window.has(None) && Window::default().has(None));
    }
}
