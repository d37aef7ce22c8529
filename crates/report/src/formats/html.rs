//! One self-contained page: the tables as HTML, readable without JavaScript, and charts drawn from the same data.
//!
//! The script and the style are built from `web/` and checked in; nothing is loaded when the page is viewed.

use super::escape::escaped;
use super::footnotes::plain;
use super::style::Style;
use crate::model::{Block, Cell, Column, Role, Section, Slider, Table, View};
use crate::number;
use crate::printable::Printable;

const SCRIPT: &str = include_str!("../../../../web/dist/report.js");
const STYLE: &str = include_str!("../../../../web/src/report.css");

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let mut out = String::new();
    let title = format!("{}: {}", view.title, view.about);
    out += &format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&title)
    );
    out +=
        &format!("<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n", escaped(&view.title), escaped(&view.about));
    if !view.legend.is_empty() {
        out.insert_str(out.len() - "</header>\n".len(), &format!("<p>{}</p>\n", escaped(&view.legend)));
    }
    out += &navigation(view);
    out += "<main>\n";
    for part in &view.sections {
        section(&mut out, part);
    }
    out += &format!("</main>\n<footer>{}Charts by Apache ECharts.</footer>\n", intervals(view));
    out += &format!("<script type=\"application/json\" id=\"view\">{}</script>\n", embedded(view));
    out += &format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out.into()
}

/// What intervals are, where there are any: traffic is counted and has none.
fn intervals(view: &View) -> &'static str {
    if view.traffic.is_empty() { "Intervals cover the value in 95 of 100 runs. " } else { "" }
}

fn navigation(view: &View) -> String {
    let link = |section: &Section| {
        format!("<a href=\"#{}\">{}</a>\n", escaped(&section.id), escaped(&section.title))
    };
    format!(
        "<nav aria-label=\"Sections\"><div>\n{}</div></nav>\n",
        view.sections.iter().map(link).collect::<String>()
    )
}

fn section(out: &mut String, section: &Section) {
    *out += &format!("<section id=\"{}\">\n<h2>{}</h2>\n", escaped(&section.id), escaped(&section.title));
    if !section.intro.is_empty() {
        *out += &format!("<p class=\"intro\">{}</p>\n", escaped(&section.intro));
    }
    if !section.sentences.is_empty() {
        let said = section.sentences.iter().map(|sentence| format!("<p>{}</p>\n", escaped(sentence)));
        *out += &format!("<div class=\"said\">\n{}</div>\n", said.collect::<String>());
    }
    for (index, block) in section.blocks.iter().enumerate() {
        let id = format!("{}-{}", section.id, index + 1);
        match block {
            Block::Table(found) => table(out, found, &id),
            Block::Details(found) => {
                *out += &format!("<details>\n<summary>{}</summary>\n", escaped(&found.caption));
                table(out, found, &id);
                *out += "</details>\n";
            }
            // Hidden until the script has drawn it: its figures stand in a table.
            Block::Chart(chart) | Block::Marks(chart) => {
                *out += &format!(
                    "<figure>\n<figcaption>{}</figcaption>\n\
                     <div class=\"chart\" data-section=\"{}\" data-block=\"{index}\" hidden></div>\n</figure>\n",
                    escaped(&chart.title),
                    escaped(&section.id)
                );
            }
            // Made here, of escaped text only.
            Block::Picture { title, svg } => {
                *out += &format!(
                    "<figure class=\"picture\">\n<figcaption>{}</figcaption>\n{svg}</figure>\n",
                    escaped(title)
                );
            }
            Block::Slider(found) => *out += &slider(found, &id, &section.id, index),
            Block::Notes { notes } => {
                *out += "<ul class=\"findings\">\n";
                for note in notes {
                    let severity = format!("{:?}", note.severity).to_lowercase();
                    *out += &format!("<li class=\"{severity}\"><b>{severity}</b>: {}", escaped(&note.what));
                    if !note.remedy.is_empty() {
                        *out += &format!(" <span class=\"remedy\">{}</span>", escaped(&note.remedy));
                    }
                    *out += "</li>\n";
                }
                *out += "</ul>\n";
            }
        }
    }
    *out += "</section>\n";
}

/// Hidden until the script can compute what it shows.
fn slider(slider: &Slider, id: &str, section: &str, block: usize) -> String {
    let (id, section) = (escaped(id), escaped(section));
    let input = |name: &str, label: &str, range: &str| {
        format!(
            "<p><label for=\"{id}-{name}\">{label}</label> <input type=\"range\" id=\"{id}-{name}\" name=\"{name}\" {range}> \
             <output for=\"{id}-{name}\" data-of=\"{name}\"></output></p>\n"
        )
    };
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n\
         <form class=\"slider\" data-section=\"{section}\" data-block=\"{block}\" hidden>\n{}{}\
         <p class=\"answer\" aria-live=\"polite\"><output data-of=\"cores\"></output></p>\n\
         <button type=\"reset\">as now</button>\n</form>\n\
         <noscript><p>With JavaScript this computes cores at another resumed share and another rate.</p></noscript>\n</figure>\n",
        escaped(&slider.title),
        input("share", "sessions resumed", "min=\"0\" max=\"100\" step=\"any\""),
        // The decimal logarithm of the factor.
        input("times", "of this traffic", "min=\"-1\" max=\"1\" step=\"any\" value=\"0\""),
    )
}

fn table(out: &mut String, table: &Table, id: &str) {
    let shown = plain(table);
    *out += "<figure>\n";
    if !table.caption.is_empty() {
        *out += &format!("<figcaption>{}</figcaption>\n", escaped(&table.caption));
    }
    *out += "<div class=\"scroll\" tabindex=\"0\"><table>\n";
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        let headings: String = table.columns.iter().map(heading).collect();
        *out += &format!("<thead><tr>{headings}</tr></thead>\n");
    }
    *out += "<tbody>\n";
    for (row, cells) in table.rows.iter().zip(&shown.rows) {
        *out += match row.role {
            Role::Plain => "<tr>",
            Role::Ratio => "<tr class=\"ratio\">",
            Role::Control => "<tr class=\"control\">",
        };
        for ((column, found), shown) in table.columns.iter().zip(&row.cells).zip(cells) {
            *out += &cell(column, found, shown, id);
        }
        *out += "</tr>\n";
    }
    *out += "</tbody>\n</table></div>\n";
    if !shown.notes.is_empty() {
        let note = |(index, note): (usize, &String)| {
            format!("<li id=\"{id}-note-{}\">{}</li>\n", index + 1, escaped(note))
        };
        let notes: String = shown.notes.iter().enumerate().map(note).collect();
        *out += &format!("<ol class=\"notes\">\n{notes}</ol>\n");
    }
    *out += "</figure>\n";
}

fn heading(column: &Column) -> String {
    let class = if column.numeric { " class=\"number\"" } else { "" };
    let unit = match column.unit {
        "" => String::new(),
        unit => format!(" <small>{}</small>", escaped(unit)),
    };
    format!("<th scope=\"col\"{class}>{}{unit}</th>", escaped(&column.title))
}

fn cell(column: &Column, cell: &Cell, (text, note): &(String, Option<usize>), id: &str) -> String {
    let reference =
        note.map(|note| format!("<sup><a href=\"#{id}-note-{note}\">{note}</a></sup>")).unwrap_or_default();
    let content = format!("{}{reference}", escaped(text));
    if column.label {
        return format!("<th scope=\"row\">{content}</th>");
    }
    let title = hint(cell).map(|hint| format!(" title=\"{}\"", escaped(&hint))).unwrap_or_default();
    let class = if column.numeric { "number" } else { "words" };
    format!("<td class=\"{class}\"{title}>{content}</td>")
}

/// What a cell says when it is pointed at: the whole interval, or why there is no figure.
fn hint(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Hole { reason } => Some(reason.clone()),
        Cell::Quantity(found) if found.high > found.low => {
            // The ends of intervals often differ in the last of five digits.
            let [value, low, high] =
                [found.value, found.low, found.high].map(|number| number::significant(number, 5));
            Some(format!("{value} {}, interval {low} to {high}", found.unit))
        }
        _ => None,
    }
}

/// The sections as JSON that cannot end the script element it stands in.
fn embedded(view: &View) -> String {
    let sections = serde_json::json!({ "title": view.title, "about": view.about, "sections": view.sections });
    sections.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checked_in_script_cannot_end_its_element() {
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!STYLE.contains("</"));
    }

    #[test]
    fn the_page_asks_no_network() {
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    }
}
