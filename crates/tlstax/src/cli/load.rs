//! `tlstax load`: requests over loopback, from flags.

mod args;
mod real;
mod seen;

use std::process::ExitCode;

use tlstax_libraries::Entry;
use tlstax_run::Study;
use tlstax_spec::Id;

pub use self::args::Args;
use super::measuring;
use super::project::Project;
use crate::failure::Usage;
use crate::output::warn;

pub fn run(mut args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut registry = project.registry.clone();
    let question = "How many requests, and what does each cost the client and the server?";
    let mut study = Study::named(Id::literal("load"), question);
    study.budget_s = 60.0;
    match args.real.external()? {
        None => study.load.push(args.matrix(!args.no_plain, args.negotiation.clone().or_usual())),
        Some(server) => {
            args.check_bodies()?;
            let seen = tlstax_run::look(&project.home, &registry, &server)?;
            let server =
                server.owned_by(args.real.server_pid).map_err(|problem| Usage(problem.to_string()))?;
            if !args.measuring.quiet {
                warn(&seen::told(&server, &seen));
            }
            study.load = args.matrices(&seen);
            let entry = Entry::external(server.looked_at(seen));
            args.measuring.library = vec![entry.id.clone()];
            registry.peers.push(entry);
        }
    }
    let project = &Project { home: project.home.clone(), registry };
    measuring::measure(study, args.measuring, project)
}
