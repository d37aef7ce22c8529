//! Reads published figures from CSV, row by row: what is wrong in one row keeps nobody from the others.

use std::collections::HashSet;

use csv::StringRecord;
use tlstax_spec::Suite;

use super::figures::Published;
use super::problem::PublishedProblem;
use super::row::{Row, Wrong, operation, transfer};

/// The columns that are read of a file of operations; others may stand beside them.
const OPERATION: &[&str] = &["machine", "software", "algorithm", "operation", "bytes", "value", "unit"];

/// The columns that are read of a file of transfers.
const TRANSFER: &[&str] = &["machine", "suite", "client", "direction", "transfer_mb_s", "client_cpu_mb_s"];

/// Which of the two files it is.
enum Form {
    Operations,
    Transfers,
}

impl Form {
    /// The columns that say what a figure is of.
    const fn what_is_measured(&self) -> &'static [&'static str] {
        match self {
            Self::Operations => &["machine", "software", "algorithm", "operation", "bytes"],
            Self::Transfers => &["machine", "suite", "client", "direction"],
        }
    }
}

/// So many problems of one file are told.
const TOLD: usize = 20;

impl Published {
    /// Reads figures from the text of a CSV file of this name, and keeps what is wrong in it for [`Self::problems`]. `suite`
    /// knows the cipher suites by their names.
    pub fn read(&mut self, file: &str, text: &str, suite: &dyn Fn(&str) -> Option<Suite>) {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headers = reader.headers().cloned().unwrap_or_default();
        let form = match form(&headers) {
            Ok(form) => form,
            Err(wrong) => return self.miss(file, 1, wrong),
        };
        let (first, mut seen) = (self.problems.len(), HashSet::new());
        for record in reader.records() {
            let (line, read) = match record {
                Ok(record) => {
                    let line = record.position().map_or(0, csv::Position::line);
                    (line, self.row(&form, &Row { headers: &headers, record: &record }, suite, &mut seen))
                }
                Err(error) => {
                    let line = error.position().map_or(0, csv::Position::line);
                    let remedy =
                        "give each row as many cells as the head has, commas in a text between quotes";
                    (line, Err(vec![("it is no row of this table".to_owned(), remedy.to_owned())]))
                }
            };
            read.err().into_iter().flatten().for_each(|wrong| self.miss(file, line, wrong));
        }
        if seen.is_empty() && self.problems.len() == first {
            self.miss(
                file,
                1,
                ("no row stands below the head".to_owned(), "add one for each figure".to_owned()),
            );
        }
        self.sum_up(first + TOLD, file);
    }

    /// Of many problems leaves the first, and says how many there are more.
    fn sum_up(&mut self, most: usize, file: &str) {
        let more = self.problems.split_off(most.min(self.problems.len()));
        if let Some(first) = more.first() {
            let what = format!("here and below are {} more problems", more.len());
            self.miss(file, first.line, (what, "mend those that are told, and look again".to_owned()));
        }
    }

    /// What could not be read, in the order of files and lines.
    pub fn problems(&self) -> &[PublishedProblem] {
        &self.problems
    }

    fn miss(&mut self, file: &str, line: u64, (what, remedy): Wrong) {
        self.problems.push(PublishedProblem { file: file.to_owned(), line, what, remedy });
    }

    /// Adds what a row has.
    fn row(
        &mut self,
        form: &Form,
        row: &Row<'_>,
        suite: &dyn Fn(&str) -> Option<Suite>,
        seen: &mut HashSet<Vec<String>>,
    ) -> Result<(), Vec<Wrong>> {
        let what = form.what_is_measured().iter().map(|column| row.cell(column).to_owned()).collect();
        let is_first = || match seen.insert(what) {
            true => Ok(()),
            false => Err(vec![(
                "an earlier row has a figure of the same".to_owned(),
                "leave one of them out, or tell them apart by the machine".to_owned(),
            )]),
        };
        match form {
            Form::Operations => {
                let operation = operation(row).map_err(|wrong| vec![wrong])?;
                is_first()?;
                self.operations.push(operation);
                Ok(())
            }
            Form::Transfers => {
                let (transfer, missing) = transfer(row, suite).map_err(|wrong| vec![wrong])?;
                is_first()?;
                self.transfers.push(transfer);
                if missing.is_empty() { Ok(()) } else { Err(missing) }
            }
        }
    }
}

/// The file that has these columns, or which are missing.
fn form(headers: &StringRecord) -> Result<Form, Wrong> {
    let missing = |columns: &[&'static str]| -> Vec<&str> {
        columns.iter().copied().filter(|column| !headers.iter().any(|header| header == *column)).collect()
    };
    if let [only] = headers.iter().collect::<Vec<_>>().as_slice()
        && only.contains([';', '\t'])
    {
        let what = "its cells are separated by something else than commas";
        return Err((what.to_owned(), "save it with commas between cells, and points in numbers".to_owned()));
    }
    let (operation, transfer) = (missing(OPERATION), missing(TRANSFER));
    let remedy = format!(
        "the columns of operations are {}; of transfers: {}",
        OPERATION.join(", "),
        TRANSFER.join(", ")
    );
    match (operation.is_empty(), transfer.is_empty()) {
        (true, _) => Ok(Form::Operations),
        (_, true) => Ok(Form::Transfers),
        _ => {
            let fewest = if operation.len() <= transfer.len() { operation } else { transfer };
            Err((format!("the head of the table lacks {}", fewest.join(", ")), remedy))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Published {
        let mut published = Published::default();
        published.read("own.csv", text, &|name| (name == "AES128-SHA").then_some(Suite::RsaAes128CbcSha));
        published
    }

    fn problems(published: &Published) -> Vec<String> {
        published.problems().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn bad_rows_are_told_and_good_ones_kept() {
        let published = read(
            "machine,software,algorithm,operation,bytes,value,unit\n\
             M,S,aes-128-gcm,encrypt,16,1.5,MB/s\n\
             M,S,aes-128-gcm,encrypt,16,1.5,GB/s\n\
             M,S,aes-128-gcm,encrypt,many,1.5,MB/s\n\
             M,S,aes-128-gcm,encrypt,64,,MB/s\n\
             ,S,aes-128-gcm,encrypt,64,2,MB/s\n\
             M,S,aes-128-gcm\n\
             M,S,aes-128-gcm,encrypt,64,-1,MB/s\n\
             M,S,aes-128-gcm,encrypt,64,2.5,MB/s\n",
        );
        assert_eq!(published.operations.len(), 2);
        let told = problems(&published);
        let expected = [
            (3, "the unit 'GB/s' is not known here; write MB/s"),
            (4, "bytes is 'many'; write a whole number"),
            (5, "value is empty; fill it in"),
            (6, "machine is empty; fill it in"),
            (7, "it is no row of this table; give each row"),
            (8, "value is '-1'; write a number above 0"),
        ];
        assert_eq!(told.len(), expected.len(), "{told:#?}");
        for (told, (line, words)) in told.iter().zip(expected) {
            assert!(told.starts_with(&format!("own.csv, line {line}: {words}")), "{told}");
        }
    }

    #[test]
    fn figures_that_stand_there_twice_and_tables_without_rows_are_told() {
        const HEAD: &str = "machine,software,algorithm,operation,bytes,value,unit\n";
        let of = |rows: &str| read(&format!("{HEAD}{rows}"));
        let twice = of("M,S,sha1,digest,16,5,MB/s\nM,S,sha1,digest,64,5,MB/s\nM,S,sha1,digest,16,6,MB/s\n");
        assert_eq!(twice.operations.len(), 2);
        assert_eq!(
            problems(&twice),
            [
                "own.csv, line 4: an earlier row has a figure of the same; leave one of them out, or tell them apart by the machine"
            ]
        );
        let only = |published: &Published| problems(published).concat();
        assert!(only(&of("")).starts_with("own.csv, line 1: no row stands below the head"));
        let semicolons = only(&read(&HEAD.replace(',', ";")));
        assert!(semicolons.contains("separated by something else than commas"), "{semicolons}");
    }

    #[test]
    fn problems_are_told_in_few_words() {
        let rows: String =
            (0..100).map(|size| format!("M,S,sha1,digest,{size},{},MB/s\n", "x".repeat(10_000))).collect();
        let told = problems(&read(&format!("machine,software,algorithm,operation,bytes,value,unit\n{rows}")));
        assert_eq!(told.len(), TOLD + 1);
        assert!(told.iter().all(|problem| problem.len() < 200), "{told:?}");
        assert!(
            told[TOLD].starts_with("own.csv, line 22: here and below are 80 more problems"),
            "{}",
            told[TOLD]
        );
    }

    #[test]
    fn one_good_figure_of_a_transfer_is_kept() {
        let published = read(
            "machine,suite,client,direction,transfer_mb_s,client_cpu_mb_s\n\
             M,(plain HTTP),curl,download,500,\n\
             M,AES128-SHA,curl,upload,100,200\n\
             M,AES999-SHA,curl,upload,100,200\n\
             M,AES128-SHA,curl,sideways,100,200\n",
        );
        let found: Vec<_> =
            published.transfers.iter().map(|one| (one.suite, one.speed, one.client_speed)).collect();
        assert_eq!(
            found,
            [(None, Some(500.0), None), (Some(Suite::RsaAes128CbcSha), Some(100.0), Some(200.0))]
        );
        let told = problems(&published);
        assert!(told[0].starts_with("own.csv, line 2: client_cpu_mb_s is empty"), "{told:?}");
        assert!(told[1].starts_with("own.csv, line 4: the suite 'AES999-SHA'"), "{told:?}");
        assert!(
            told[2].starts_with("own.csv, line 5: the direction is 'sideways'; write download"),
            "{told:?}"
        );
    }

    #[test]
    fn a_table_of_another_form_says_which_columns_it_lacks() {
        let told =
            problems(&read("machine,software,algorithm,operation,value,unit\nM,S,rc4,encrypt,1,MB/s\n"));
        assert!(
            told[0].starts_with("own.csv, line 1: the head of the table lacks bytes; the columns"),
            "{told:?}"
        );
        assert_eq!(told.len(), 1);
        assert_eq!(problems(&read("")).len(), 1);
    }
}
