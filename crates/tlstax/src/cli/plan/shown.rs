//! A plan as it is printed and written.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::plan::{Plan, write_plan};

use crate::cli::answer::Extent;
use crate::cli::common::Form;
use crate::cli::{new_files, plans};
use crate::failure::Usage;

/// What becomes of a plan.
#[derive(Debug, Clone, clap::Args)]
pub struct Showing {
    /// The file of the plan, JSON, beside which its page is written; none is written if absent.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pub form: Form,

    #[command(flatten)]
    pub extent: Extent,
}

impl Showing {
    /// Refuses a name that cannot be that of a document, before anything is computed.
    ///
    /// # Errors
    /// It is none.
    pub fn check(&self) -> Result<(), Usage> {
        new_files::check(self.output.as_deref())
    }

    /// Writes and prints a plan.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn show(&self, plan: &Plan) -> anyhow::Result<ExitCode> {
        let shown = plans::of_plan(plan);
        if let Some(path) = &self.output {
            write_plan(path, plan)?;
        }
        let page = self.output.as_ref().map(|path| new_files::write_page(path, &shown.view)).transpose()?;
        let places = plans::places(self.output.as_deref(), page.as_deref());
        shown.print(plan, &self.form, self.extent, &places)?;
        Ok(ExitCode::SUCCESS)
    }
}
