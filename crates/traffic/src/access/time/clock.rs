//! [`Clock`]: the last time that was read. Most lines are of the same second as the one before.

use super::TimeForm;

/// The last time that was read.
#[derive(Debug, Default)]
pub struct Clock {
    common: Known<26>,
    millis: Known<20>,
    iso: Known<25>,
}

/// A text and the time that it stands for. One without a time is of no text.
#[derive(Debug)]
struct Known<const LENGTH: usize> {
    text: [u8; LENGTH],
    at: i64,
}

impl<const LENGTH: usize> Default for Known<LENGTH> {
    fn default() -> Self {
        Self { text: [0; LENGTH], at: 0 }
    }
}

impl<const LENGTH: usize> Known<LENGTH> {
    #[inline]
    fn find(&self, text: &[u8]) -> Option<i64> {
        let text: &[u8; LENGTH] = text.first_chunk()?;
        (*text == self.text).then_some(self.at)
    }

    fn learn(&mut self, text: &[u8], at: i64) {
        if let Some(text) = text.first_chunk() {
            self.text = *text;
            self.at = at;
        }
    }
}

impl Clock {
    /// Reads what a text begins with, as [`TimeForm::read`] does.
    #[inline]
    pub fn read(&mut self, form: &TimeForm, text: &[u8]) -> Option<(i64, usize)> {
        match form {
            TimeForm::Common => match self.common.find(text) {
                Some(at) => Some((at, 26)),
                None => self.read_anew(form, text),
            },
            TimeForm::CommonMillis => match self.millis.find(text) {
                Some(at) => Some((at, 20 + super::fraction(&text[20..]))),
                None => self.read_anew(form, text),
            },
            TimeForm::Iso => match self.iso.find(text) {
                Some(at) => Some((at, 25)),
                None => self.read_anew(form, text),
            },
            TimeForm::Epoch(_) | TimeForm::Pattern(_) => form.read(text),
        }
    }

    #[cold]
    fn read_anew(&mut self, form: &TimeForm, text: &[u8]) -> Option<(i64, usize)> {
        let (at, length) = form.read(text)?;
        match form {
            TimeForm::Common => self.common.learn(text, at),
            TimeForm::CommonMillis => self.millis.learn(text, at),
            // One with a fraction is of any length, so that another may go on where it ends.
            TimeForm::Iso if length == 25 && matches!(text[19], b'+' | b'-') => self.iso.learn(text, at),
            _ => {}
        }
        Some((at, length))
    }
}
