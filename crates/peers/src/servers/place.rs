//! Where a server is put: its folders, the paths of its configuration, and what is read there.

use std::io::{self, Read};
use std::path::PathBuf;

use tlstax_measure::folder::Folder;
use tlstax_spec::Stage;

use super::access_log::AccessLog;
use super::run_folder::{RunFolder, ServerFolders};
use super::server::{APPLICATION, Place, Server, Site};
use crate::refused::Refused;

/// The file of both output streams of a server.
pub const OUTPUT: &str = "output";

/// The access log of a server that can write it to a file.
const ACCESS_LOG: &str = "access.log";

/// Where and how servers are run.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The folder of the test certificates and keys.
    pub pki: PathBuf,
    pub folder: &'a mut RunFolder,
    /// The cores of a server with one worker.
    pub cpus: Vec<usize>,
    pub all: Vec<usize>,
}

impl ServerFolders {
    /// The account of a server, wherever it can write it.
    ///
    /// # Errors
    /// The system has no more handles.
    pub fn log(&self, server: &'static Server) -> io::Result<AccessLog> {
        let (folder, name) =
            if server.logs_to_output { (&self.files, OUTPUT) } else { (&self.own, ACCESS_LOG) };
        Ok(AccessLog::new(server, folder.try_clone()?, name))
    }
}

/// The contents of a file, as far as there are any.
pub fn text_of(folder: &Folder, name: &str) -> String {
    let mut bytes = Vec::new();
    // One that is not there, or not the server's, says nothing.
    let _ = folder.read(name).and_then(|mut file| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Refuses paths that the server would take for others.
///
/// # Errors
/// What is in the path, and what to do.
pub fn check_path(server: &Server, place: &Place) -> Result<(), Refused> {
    let problem = match place.own.to_str() {
        None => Some("is no UTF-8".to_owned()),
        Some(path) if path.contains(char::is_control) => Some("has control characters".to_owned()),
        Some(path) => {
            let found = server.unquotable.iter().find(|text| path.contains(**text));
            found.map(|text| format!("has a '{text}', which {} cannot be told in a path", server.id()))
        }
    };
    let Some(problem) = problem else { return Ok(()) };
    let message = format!("the path {:?} {problem}: set TMPDIR to another folder", place.own.display());
    Err(Refused::failed(Stage::Start, message))
}

/// New folders for a server, and the paths in them for its configuration.
///
/// # Errors
/// They cannot be made.
pub fn place(
    server: &Server,
    site: &Site,
    ground: &mut Ground<'_>,
    port: u16,
) -> io::Result<(Place, ServerFolders)> {
    let folders = ground.folder.place(server.id())?;
    let own = folders.own.path().to_owned();
    let key = site.params.map_or(tlstax_spec::Key::EcdsaP256, |params| params.key);
    let [certificate, key, both] = ground.folder.credentials(&ground.pki, key)?;
    let place = Place {
        port,
        root: ground.folder.root(site.body)?,
        certificate,
        key,
        both,
        log: own.join(ACCESS_LOG),
        application: own.join(APPLICATION),
        folder: folders.files.path().to_owned(),
        own,
    };
    Ok((place, folders))
}
