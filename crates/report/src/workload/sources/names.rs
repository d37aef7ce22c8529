//! What sources are called in tables.

use tlstax_doc::Workload;

/// Names of sources as rows and columns have them: the format, and its number where several are of one.
pub fn names(workload: &Workload) -> Vec<String> {
    let formats: Vec<&str> = workload.sources.iter().map(|source| source.format.as_str()).collect();
    let name = |(place, format): (usize, &&str)| {
        let before = formats[..place].iter().filter(|other| other == &format).count();
        let is_alone = formats.iter().filter(|other| other == &format).count() == 1;
        if is_alone { (*format).to_owned() } else { format!("{format} {}", before + 1) }
    };
    formats.iter().enumerate().map(name).collect()
}
