//! The program behind a dynamic page: Perl, kept between requests by FastCGI.

use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;
use tlstax_spec::Stage;

use tlstax_measure::daemon::{Daemon, Start};
use tlstax_measure::folder::Folder;
use tlstax_measure::signal;

use super::server::{Place, Site};
use crate::product::{locate, printed};
use crate::refused::Refused;

const SCRIPT: &str = include_str!("application.pl");

/// The file of both its output streams.
pub const OUTPUT: &str = "application";

/// How long Perl may take until it listens.
const START_STEPS: u32 = 2500;
const STEP: Duration = Duration::from_millis(2);

/// Starts the program on the cores and in the control group of the server that it works for.
///
/// # Errors
/// There is no Perl with FastCGI here, or it does not start.
pub fn start(server: &Start, site: &Site, place: &Place, files: &Folder) -> Result<Daemon, Refused> {
    let lacks = || {
        let reason = "the dynamic page needs Perl with FastCGI; on Debian: apt-get install perl libfcgi-perl";
        Refused::Unsupported(reason.to_owned())
    };
    let perl = locate("perl").ok_or_else(lacks)?;
    if printed(&perl, &["-MFCGI", "-e", "print qq{there\\n}"]) != Ok("there\n".to_owned()) {
        return Err(lacks());
    }
    let arguments =
        ["-e".to_owned(), SCRIPT.to_owned(), place.application.display().to_string(), site.body.to_string()];
    let start = Start {
        program: perl,
        arguments: arguments.map(Into::into).to_vec(),
        environment: Vec::new(),
        ..server.clone()
    };
    let failed = |error: &dyn std::error::Error| Refused::failed(Stage::Start, error.to_string());
    let output = files.create(OUTPUT).map_err(|error| failed(&error))?;
    let mut daemon = start.spawn(&output).map_err(|error| failed(&error))?;
    for _ in 0..START_STEPS {
        if UnixStream::connect(&place.application).is_ok() {
            return Ok(daemon);
        }
        if daemon.ended().is_some() {
            break;
        }
        if signal::interrupted() {
            return Err(Refused::Interrupted);
        }
        std::thread::sleep(STEP);
    }
    let output = files.read(OUTPUT).and_then(io::read_to_string).unwrap_or_default();
    let message = format!("the program of the dynamic page does not listen; it said: {}", output.trim());
    Err(Refused::failed(Stage::Start, message))
}
