//! Fits a [`Brief`] into a screen: never more lines than it has, and none that is wider.

use super::model::{Answer, Brief};
use crate::formats::Style;
use crate::printable::{Emphasis, Printable};
use crate::wrap;

/// So many lines at most. With what a run says while it goes on, and what `make run` says before it, they stay below forty.
const LINES: usize = 32;

/// A screen narrower than this is taken to be as wide: nothing can be said in it.
const NARROWEST: usize = 20;

/// So many lines of one text, so that no text takes the room of the others.
const LINES_OF_A_TEXT: usize = 4;

/// The same of a text that has its own place.
const LINES_OF_A_REMARK: usize = 2;

/// The same of what is missing, which is told in two sentences, and of a command, which is there to be copied.
const LINES_OF_MORE: usize = 3;

/// Letters of a text that can have a place in so many lines of a wide screen.
const LETTERS: usize = 1000;

/// So many surprises, and so many places of the rest.
const SURPRISES: usize = 3;

/// A line and how it is stressed.
type Line = (String, Emphasis);

impl Brief {
    /// Draws it as the screen is: texts are broken between words, words that are wider than the screen within, and what has no
    /// place is left out with a mark.
    pub fn draw(&self, style: &Style) -> Printable {
        let screen = Screen { style: Style { width: style.width.max(NARROWEST), ..*style } };
        let mut out = Printable::default();
        for (line, emphasis) in screen.lines(self) {
            out.push_line(&Printable::line(&line), emphasis, style.colour);
        }
        out
    }
}

struct Screen {
    style: Style,
}

impl Screen {
    fn lines(&self, brief: &Brief) -> Vec<Line> {
        let head = self.head(brief);
        let tail = [self.surprises(brief), self.missing(brief), self.rest(brief)].concat();
        let room = LINES.saturating_sub(head.len() + tail.len());
        [head, self.answers(&brief.answers, room), tail].concat()
    }

    /// The machine, and the question under it.
    fn head(&self, brief: &Brief) -> Vec<Line> {
        let facts = [&brief.machine, &brief.quality];
        let mut head: Vec<Line> = facts
            .iter()
            .filter(|facts| !facts.is_empty())
            .map(|facts| (self.fitting(facts), Emphasis::Faint))
            .collect();
        head.extend(self.part(&brief.question, "", LINES_OF_A_REMARK, Emphasis::Bold));
        head
    }

    /// As many answers as there is room for, a line before them that is empty included.
    fn answers(&self, answers: &[Answer], room: usize) -> Vec<Line> {
        let drawn: Vec<Vec<Line>> = answers
            .iter()
            .map(|answer| self.text(&answer.said, "- ", LINES_OF_A_TEXT, Emphasis::Green))
            .collect();
        let mut order: Vec<usize> = (0..answers.len()).collect();
        order.sort_by_key(|&place| answers[place].rank);
        let (mut kept, mut taken) = (Vec::new(), 1);
        for place in order {
            // A short one further down is not shown in place of a longer one that says more.
            if taken + drawn[place].len() > room {
                break;
            }
            taken += drawn[place].len();
            kept.push(place);
        }
        kept.sort_unstable();
        let lines: Vec<Line> = kept.iter().flat_map(|&place| drawn[place].clone()).collect();
        after_a_gap(lines)
    }

    fn surprises(&self, brief: &Brief) -> Vec<Line> {
        let heading = self.text("Furthest from what is usual:", "", LINES_OF_A_REMARK, Emphasis::Bold);
        let each = brief.surprises.iter().take(SURPRISES).enumerate().flat_map(|(place, said)| {
            self.text(said, &format!("{}. ", place + 1), LINES_OF_A_REMARK, Emphasis::None)
        });
        let each: Vec<Line> = each.collect();
        if each.is_empty() { Vec::new() } else { after_a_gap([heading, each].concat()) }
    }

    fn missing(&self, brief: &Brief) -> Vec<Line> {
        self.part(&brief.missing, "", LINES_OF_MORE, Emphasis::Yellow)
    }

    fn rest(&self, brief: &Brief) -> Vec<Line> {
        let each = brief.rest.iter().take(SURPRISES);
        after_a_gap(each.flat_map(|said| self.text(said, "", LINES_OF_MORE, Emphasis::None)).collect())
    }

    fn part(&self, text: &str, lead: &str, most: usize, emphasis: Emphasis) -> Vec<Line> {
        after_a_gap(self.text(text, lead, most, emphasis))
    }

    /// A text in at most so many lines.
    fn text(&self, text: &str, lead: &str, most: usize, emphasis: Emphasis) -> Vec<Line> {
        let width = self.style.width;
        let room = width - wrap::columns(lead);
        let beginning: String = text.chars().take(LETTERS).collect();
        let words =
            beginning.split_ascii_whitespace().flat_map(|word| wrap::pieces(&self.style.shown(word), room));
        let mut lines = wrap::lines(words, lead, width);
        if lines.len() > most {
            lines.truncate(most);
            lines.last_mut().into_iter().for_each(|last| self.mark(last));
        }
        // What was kept together needs no keeping any more: somebody may search for it.
        lines.into_iter().map(|line| (line.replace('\u{a0}', " "), emphasis)).collect()
    }

    /// Facts in one line, as many as fit.
    fn fitting(&self, facts: &[String]) -> String {
        let mut line = String::new();
        for fact in facts {
            let joint = if line.is_empty() { "" } else { ", " };
            let fact: String = fact.chars().take(LETTERS).collect();
            let longer = format!("{line}{joint}{}", &*self.style.shown(&fact));
            if wrap::columns(&longer) > self.style.width {
                break;
            }
            line = longer;
        }
        // Of a first one that is too long, the beginning.
        if line.is_empty() {
            return self
                .text(&facts.join(", "), "", 1, Emphasis::None)
                .into_iter()
                .map(|(line, _)| line)
                .collect();
        }
        line
    }

    /// Marks a line as the last that is shown of a longer text.
    fn mark(&self, line: &mut String) {
        let mark = self.style.shown("…").to_string();
        while wrap::columns(line) + wrap::columns(&mark) > self.style.width && line.pop().is_some() {}
        line.truncate(line.trim_end().len());
        line.push_str(&mark);
    }
}

fn after_a_gap(lines: Vec<Line>) -> Vec<Line> {
    match lines.is_empty() {
        true => lines,
        false => std::iter::once((String::new(), Emphasis::None)).chain(lines).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const PLAIN: Style = Style { width: 60, unicode: true, colour: false };

    fn drawn(brief: &Brief, style: &Style) -> Vec<String> {
        brief.draw(style).lines().map(str::to_owned).collect()
    }

    fn answer(said: impl Into<String>, rank: usize) -> Answer {
        Answer { said: said.into(), rank }
    }

    #[test]
    fn facts_that_do_not_fit_into_the_line_are_left_out() {
        let facts = ["An Example CPU", "2 cores", "a word that is longer than the rest of the line"]
            .map(str::to_owned);
        let brief = Brief { machine: facts.to_vec(), ..Brief::default() };
        assert_eq!(drawn(&brief, &PLAIN), ["An Example CPU, 2 cores"]);
        let narrow = Style { width: 20, ..PLAIN };
        assert_eq!(drawn(&brief, &narrow), ["An Example CPU"]);
        let endless = Brief { machine: vec!["endless".repeat(9)], ..Brief::default() };
        assert_eq!(drawn(&endless, &narrow), ["endlessendlessendle…"]);
    }

    #[test]
    fn answers_of_the_highest_rank_go_first_and_the_others_stay_in_their_order() {
        let answers = (0..40).map(|place| answer(format!("answer {place}"), place % 2));
        let brief = Brief { question: "why?".to_owned(), answers: answers.collect(), ..Brief::default() };
        let lines = drawn(&brief, &PLAIN);
        assert_eq!(lines.len(), LINES);
        let of = |even: bool| {
            lines.iter().filter(move |line| {
                let number: Option<usize> =
                    line.strip_prefix("- answer ").and_then(|number| number.parse().ok());
                number.is_some_and(|number| (number % 2 == 0) == even)
            })
        };
        // A gap, the question, a gap.
        assert_eq!((of(true).count(), of(false).count()), (20, LINES - 3 - 20));
        assert_eq!(lines[3..6], ["- answer 0", "- answer 1", "- answer 2"]);
    }

    #[test]
    fn a_long_text_is_cut_with_a_mark() {
        let said = "many words ".repeat(100);
        let brief = Brief { surprises: vec![said], ..Brief::default() };
        let lines = drawn(&brief, &PLAIN);
        assert_eq!(lines.len(), 2 + LINES_OF_A_REMARK);
        assert!(lines[3].starts_with("   many") && lines[3].ends_with('…'), "{lines:?}");
        let ascii = drawn(&brief, &Style { unicode: false, ..PLAIN });
        assert!(ascii[3].ends_with("...") && ascii[3].len() <= PLAIN.width, "{ascii:?}");
    }

    /// Texts of all letters there are, with some that are wide, join others, act, or end lines.
    fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
        let letter = prop_oneof![
            any::<char>(),
            prop_oneof![
                Just(' '),
                Just('\n'),
                Just('日'),
                Just('\u{301}'),
                Just('\u{fe0f}'),
                Just('\u{200d}'),
                Just('µ')
            ],
            proptest::char::range('a', 'z'),
        ];
        vec(vec(letter, 0..300).prop_map(|letters| letters.into_iter().collect()), 0..most)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn whatever_is_said_it_fits_into_the_screen(
            facts in texts(5),
            said in texts(60),
            remarks in texts(6),
            width in 1usize..200,
            unicode: bool,
        ) {
            let brief = Brief {
                machine: facts.clone(),
                quality: facts,
                question: remarks.join(" "),
                answers: said.iter().enumerate().map(|(place, said)| answer(said.clone(), place % 5)).collect(),
                surprises: remarks.clone(),
                missing: remarks.join(" "),
                rest: remarks,
            };
            let lines = drawn(&brief, &Style { width, unicode, colour: false });
            prop_assert!(lines.len() <= LINES, "{} lines", lines.len());
            for line in &lines {
                prop_assert!(wrap::columns(line) <= width.max(NARROWEST), "{width}: {line:?}");
            }
        }
    }
}
