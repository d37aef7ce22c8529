//! Reads published figures from CSV, row by row: what is wrong in one row keeps nobody from the others.

use std::str::FromStr;

use csv::StringRecord;
use tlstax_spec::{Direction, Suite};

use super::figures::{Line, Published, Transfer};
use super::problem::PublishedProblem;

/// The columns that are read of a file of operations; others may stand beside them.
const OPERATION: &[&str] = &["machine", "software", "algorithm", "operation", "bytes", "value", "unit"];

/// The columns that are read of a file of transfers.
const TRANSFER: &[&str] = &["machine", "suite", "client", "direction", "transfer_mb_s", "client_cpu_mb_s"];

/// What stands in place of a suite where there was no TLS.
const PLAIN: &str = "(plain HTTP)";

const UNITS: &[&str] = &["MB/s", "op/s"];

/// Which of the two files it is.
enum Form {
    Operations,
    Transfers,
}

/// What is wrong in a row, and what would help.
type Wrong = (String, String);

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
        for record in reader.records() {
            let (line, read) = match record {
                Ok(record) => {
                    let line = record.position().map_or(0, csv::Position::line);
                    (line, self.row(&form, &Row { headers: &headers, record: &record }, suite))
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
    ) -> Result<(), Vec<Wrong>> {
        match form {
            Form::Operations => {
                self.operations.push(operation(row).map_err(|wrong| vec![wrong])?);
                Ok(())
            }
            Form::Transfers => {
                let (transfer, missing) = transfer(row, suite).map_err(|wrong| vec![wrong])?;
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

/// A row with the names of its cells.
struct Row<'a> {
    headers: &'a StringRecord,
    record: &'a StringRecord,
}

impl Row<'_> {
    fn cell(&self, column: &str) -> &str {
        let place = self.headers.iter().position(|header| header == column);
        place.and_then(|place| self.record.get(place)).unwrap_or_default().trim()
    }

    fn text(&self, column: &str) -> Result<String, Wrong> {
        match self.cell(column) {
            "" => Err((format!("{column} is empty"), "fill it in, or leave the row out".to_owned())),
            text => Ok(text.to_owned()),
        }
    }

    /// A number above 0.
    fn figure(&self, column: &str) -> Result<f64, Wrong> {
        let text = self.text(column)?;
        let figure = f64::from_str(&text).ok().filter(|figure| figure.is_finite() && *figure > 0.0);
        let remedy = "write a number above 0, with a point and without a unit";
        figure.ok_or_else(|| (format!("{column} is '{text}'"), remedy.to_owned()))
    }
}

fn operation(row: &Row<'_>) -> Result<Line, Wrong> {
    let unit = row.text("unit")?;
    if !UNITS.contains(&unit.as_str()) {
        let remedy = "write MB/s (10^6 bytes in a second) or op/s, and the value in it";
        return Err((format!("the unit '{unit}' is not known here"), remedy.to_owned()));
    }
    let bytes = row.cell("bytes");
    let bytes = match bytes {
        "" => None,
        text => Some(text.parse().map_err(|_| {
            (format!("bytes is '{text}'"), "write a whole number of bytes, or nothing".to_owned())
        })?),
    };
    Ok(Line {
        machine: row.text("machine")?,
        software: row.text("software")?,
        algorithm: row.text("algorithm")?,
        operation: row.text("operation")?,
        bytes,
        value: row.figure("value")?,
        unit,
    })
}

/// A transfer, and what is wrong with one of its two figures while the other is good.
fn transfer(row: &Row<'_>, suite: &dyn Fn(&str) -> Option<Suite>) -> Result<(Transfer, Vec<Wrong>), Wrong> {
    let name = row.text("suite")?;
    let suite = match name.as_str() {
        PLAIN => None,
        name => Some(suite(name).ok_or_else(|| {
            let remedy = format!("write a name that tlstax suites knows, or {PLAIN}");
            (format!("the suite '{name}' is not known here"), remedy)
        })?),
    };
    let direction = row.text("direction")?;
    let direction = Direction::from_str(&direction)
        .map_err(|_| (format!("the direction is '{direction}'"), "write download or upload".to_owned()))?;
    let (speed, client_speed) = (row.figure("transfer_mb_s"), row.figure("client_cpu_mb_s"));
    let transfer = Transfer {
        machine: row.text("machine")?,
        name,
        suite,
        client: row.text("client")?,
        direction,
        speed: speed.as_ref().ok().copied(),
        client_speed: client_speed.as_ref().ok().copied(),
    };
    Ok((transfer, [speed, client_speed].into_iter().filter_map(Result::err).collect()))
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
