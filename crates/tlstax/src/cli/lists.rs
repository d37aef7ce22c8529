//! The flags that are dimensions: one for each list of a matrix that has one, with the help, the limits and the default of its
//! declaration.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tlstax_run::{List, Matrix};
use tlstax_spec::Limit;

use super::values::Choice;

/// A matrix whose lists are what the flags say.
#[derive(Debug, Clone)]
pub struct Lists<M> {
    /// The matrix; lists whose flags are absent have their defaults.
    pub matrix: M,
    given: Vec<&'static str>,
}

impl<M> Lists<M> {
    pub fn gives(&self, flag: &str) -> bool {
        self.given.contains(&flag)
    }
}

impl<M: Matrix> Args for Lists<M> {
    fn augment_args(command: Command) -> Command {
        let flags = M::LISTS.iter().filter_map(argument);
        flags.fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<M: Matrix> FromArgMatches for Lists<M> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut lists = Self { matrix: M::default(), given: Vec::new() };
        lists.update_from_arg_matches(matches)?;
        Ok(lists)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (list, flag) in M::LISTS.iter().filter_map(|list| Some((list, list.flag?))) {
            if let Some(items) = matches.get_many::<String>(flag.name) {
                (list.set)(&mut self.matrix, &items.map(String::as_str).collect::<Vec<_>>());
                self.given.push(flag.name);
            } else if let Some(absent) = flag.absent {
                (list.set)(&mut self.matrix, &absent.split(',').collect::<Vec<_>>());
            }
        }
        Ok(())
    }
}

/// Between which numbers the items of a list lie.
pub fn limit<M: Matrix>(key: &str) -> Limit {
    M::LISTS.iter().find(|list| list.key == key).and_then(|list| list.limit).unwrap_or(Limit::NONE)
}

/// The flag of a list, if it has one.
fn argument<M: Matrix>(list: &List<M>) -> Option<Arg> {
    let flag = list.flag?;
    let written = (list.written)(&M::default()).join(",");
    let default = flag.absent.unwrap_or(&written);
    let choices = (list.choices)();
    let help = list.help.trim().trim_end_matches('.');
    let (check, limit) = (list.check, list.limit);
    // A line that explains each choice is not followed by all of them again.
    let explains = choices.iter().all(|choice| help.contains(choice));
    let argument = Arg::new(flag.name)
        .short(flag.short)
        .help_heading(flag.heading)
        .long(flag.name)
        .value_name(flag.value)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(format!("{help} [default: {default}]"))
        .hide_possible_values(explains)
        .value_parser(Choice::new(choices, move |text| check(text, limit).map(|()| text.to_owned())));
    Some(argument)
}
