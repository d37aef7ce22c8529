//! [`Labels`]: one readable name for each row, of all that differs; what does not goes into the caption.

use std::collections::BTreeMap;

use crate::ask::Item;

/// A field of a case as people read it; empty where there is nothing to say.
pub(crate) struct Field<T: 'static> {
    /// What stands before the value in a caption; empty where the value says enough.
    title: &'static str,
    pub(super) of: fn(&Item<'_, T>) -> String,
    unsaid: Unsaid,
}

/// Which value of a field goes without saying in the rows, and into the caption.
#[derive(Clone, Copy)]
enum Unsaid {
    /// None: every row that has one names it.
    Never,
    /// What more than half of the rows have.
    Usual,
    /// This one, which people mean where they say nothing.
    Only(&'static str),
}

/// The names of some items: none is empty, and items that differ in a field have different names.
#[derive(Clone)]
pub(crate) struct Labels<T: 'static> {
    /// The fields that differ, with the value that goes without saying.
    differing: Vec<(&'static Field<T>, Option<String>)>,
    common: Vec<(&'static Field<T>, String)>,
}

impl<T: PartialEq> Labels<T> {
    pub fn of(fields: &'static [Field<T>], items: &[Item<'_, T>]) -> Self {
        Self::except(&[], fields, items)
    }

    /// Without the fields of these titles, which something else than the label says.
    pub fn except(titles: &[&str], fields: &'static [Field<T>], items: &[Item<'_, T>]) -> Self {
        let mut labels = Self { differing: Vec::new(), common: Vec::new() };
        let mut fields: Vec<_> = fields.iter().filter(|field| !titles.contains(&field.title)).collect();
        for field in &fields {
            labels.add(field, items);
        }
        // A detail is the last to name a row.
        fields.sort_by_key(|field| !matches!(field.unsaid, Unsaid::Never));
        // What goes without saying must not leave a row without a name, or two with the same.
        while let Some(field) = labels.missing(&fields, items) {
            labels.name_always(field);
        }
        labels
    }

    fn add(&mut self, field: &'static Field<T>, items: &[Item<'_, T>]) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for value in items.iter().map(field.of).filter(|value| !value.is_empty()) {
            *counts.entry(value).or_default() += 1;
        }
        let with_value: usize = counts.values().sum();
        let Some((most, count)) = counts.iter().max_by_key(|(_, count)| **count) else { return };
        // A field that only some have tells these apart from the others, unless it is a detail.
        let differs = counts.len() > 1 || (with_value < items.len() && matches!(field.unsaid, Unsaid::Never));
        if !differs {
            return self.common.push((field, format!("{} {most}", field.title).trim_start().to_owned()));
        }
        let unsaid = match field.unsaid {
            Unsaid::Never => None,
            Unsaid::Usual => Some(most.as_str()).filter(|_| 2 * count > with_value),
            Unsaid::Only(value) => Some(value).filter(|value| counts.contains_key(*value)),
        };
        self.differing.push((field, unsaid.map(str::to_owned)));
    }

    /// A field that would name an item without a name, or tell apart two that share theirs; none where there is none.
    fn missing(&self, fields: &[&'static Field<T>], items: &[Item<'_, T>]) -> Option<&'static Field<T>> {
        let mut known: BTreeMap<String, &Item<'_, T>> = BTreeMap::new();
        let open: Vec<_> = fields.iter().copied().filter(|field| !self.names_always(field)).collect();
        items.iter().find_map(|item| {
            let name = self.name(item);
            let is_empty = name.is_empty();
            let other = *known.entry(name).or_insert(item);
            let helps = |field: &&&'static Field<T>| {
                let value = (field.of)(item);
                if is_empty { !value.is_empty() } else { value != (field.of)(other) }
            };
            open.iter().find(helps).copied()
        })
    }

    fn names_always(&self, field: &Field<T>) -> bool {
        self.differing.iter().any(|(known, unsaid)| std::ptr::eq(*known, field) && unsaid.is_none())
    }

    fn name_always(&mut self, field: &'static Field<T>) {
        self.common.retain(|(known, _)| !std::ptr::eq(*known, field));
        match self.differing.iter_mut().find(|(known, _)| std::ptr::eq(*known, field)) {
            Some((_, unsaid)) => *unsaid = None,
            None => self.differing.push((field, None)),
        }
        // As they stand in the list.
        self.differing.sort_by_key(|(known, _)| std::ptr::from_ref(*known));
    }

    pub fn name(&self, item: &Item<'_, T>) -> String {
        let shown = |(field, usual): &(&'static Field<T>, Option<String>)| {
            Some((field.of)(item)).filter(|value| Some(value) != usual.as_ref())
        };
        let parts: Vec<String> =
            self.differing.iter().filter_map(shown).filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }

    /// Items with their names, as the rows of a grid.
    pub fn rows<'a>(&self, items: &[Item<'a, T>]) -> Vec<([String; 1], Item<'a, T>)> {
        items.iter().map(|item| ([self.name(item)], *item)).collect()
    }

    /// The caption with what goes without saying in the rows.
    pub fn caption(&self, what: &str) -> String {
        match self.unsaid() {
            unsaid if unsaid.is_empty() => what.to_owned(),
            unsaid => format!("{what} ({unsaid})"),
        }
    }

    /// What goes without saying in the rows: what all have in common, and what those have that do not name another.
    pub fn unsaid(&self) -> String {
        let common = self.common.iter().map(|(_, named)| named.as_str()).collect::<Vec<_>>().join(", ");
        let usual: Vec<&str> = self.differing.iter().filter_map(|(_, usual)| usual.as_deref()).collect();
        let usual =
            if usual.is_empty() { usual.join("") } else { format!("{} if not named", usual.join(", ")) };
        [common, usual].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

impl<T> Field<T> {
    pub const fn new(title: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { title, of, unsaid: Unsaid::Never }
    }

    /// A detail: rows name it only where it is not as in most of them.
    pub const fn detail(title: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { unsaid: Unsaid::Usual, ..Self::new(title, of) }
    }

    /// The same named by every row that has one.
    pub const fn always(self) -> Self {
        Self::new(self.title, self.of)
    }

    pub const fn detailed(self) -> Self {
        Self::detail(self.title, self.of)
    }

    /// A field of which one value is what people mean where they say nothing.
    pub const fn unless(unsaid: &'static str, of: fn(&Item<'_, T>) -> String) -> Self {
        Self { unsaid: Unsaid::Only(unsaid), ..Self::new("", of) }
    }
}
