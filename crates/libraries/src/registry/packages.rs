//! Which Debian packages are there.

use tlstax_measure::command::{self, Run};

/// What dpkg says of a package: the value of a field, if the package is installed.
pub fn field(package: &str, field: &str) -> Option<String> {
    let ask = Run {
        program: "dpkg-query".to_owned(),
        arguments: ["-W", "-f", &format!("${{db:Status-Status}} ${{{field}}}"), package]
            .map(str::to_owned)
            .to_vec(),
        folder: "/".into(),
        ..Run::default()
    };
    let output = command::answer(&ask).ok().filter(|output| output.status.success())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.strip_prefix("installed ").map(str::to_owned)
}

/// Those of the packages that are not installed; all of them where there is no dpkg to ask.
pub fn missing(packages: &[String]) -> Vec<&str> {
    packages.iter().map(String::as_str).filter(|package| field(package, "Version").is_none()).collect()
}
