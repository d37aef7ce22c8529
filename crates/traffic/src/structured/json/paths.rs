//! [`Paths`]: where in an object fields stand.

use super::super::field::Field;

/// Where in an object fields stand.
#[derive(Debug, Clone, Default)]
pub struct Paths {
    steps: Vec<(Box<str>, Step)>,
}

/// What stands under a key.
#[derive(Debug, Clone)]
pub enum Step {
    /// The value of a field.
    Field(Field),
    /// An object with fields.
    Object(Paths),
}

impl Paths {
    /// Of paths whose parts are separated by dots.
    pub fn of<'p>(paths: impl Iterator<Item = (&'p str, Field)>) -> Self {
        let mut whole = Self::default();
        paths.for_each(|(path, field)| whole.add(path, field));
        whole
    }

    /// Of paths that may also be keys with dots in them.
    pub fn of_either<'p>(paths: impl Iterator<Item = (&'p str, Field)> + Clone) -> Self {
        let mut whole = Self::of(paths.clone());
        whole.steps.extend(Self::of_keys(paths.filter(|(path, _)| path.contains('.'))).steps);
        whole
    }

    /// Of keys of the uppermost object, which may have dots in them.
    pub fn of_keys<'p>(keys: impl Iterator<Item = (&'p str, Field)>) -> Self {
        Self { steps: keys.map(|(key, field)| (key.into(), Step::Field(field))).collect() }
    }

    fn add(&mut self, path: &str, field: Field) {
        let Some((key, rest)) = path.split_once('.') else {
            return self.steps.push((path.into(), Step::Field(field)));
        };
        for (known, step) in &mut self.steps {
            if let Step::Object(below) = step
                && **known == *key
            {
                return below.add(rest, field);
            }
        }
        let mut below = Self::default();
        below.add(rest, field);
        self.steps.push((key.into(), Step::Object(below)));
    }

    /// What stands under a key.
    pub fn get(&self, key: &[u8]) -> Option<&Step> {
        self.steps.iter().find(|(known, _)| known.as_bytes() == key).map(|(_, step)| step)
    }
}
