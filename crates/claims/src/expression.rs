//! [`Expression`]: arithmetic of costs, such as `off / on`, as a claims file writes it.

/// Arithmetic of costs. A name stands for the cost of a case, by its place among the names that were found.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    Number(f64),
    Cost(usize),
    Sum(Box<Self>, Box<Self>),
    Difference(Box<Self>, Box<Self>),
    Product(Box<Self>, Box<Self>),
    Quotient(Box<Self>, Box<Self>),
}

use Expression::{Cost, Difference, Number, Product, Quotient, Sum};

/// Parentheses within parentheses: more than people write, fewer than a thread has room for.
const DEEPEST: usize = 20;

/// The longest expression, in characters: the tree of a longer one could be as deep as it is long.
const LONGEST: usize = 400;

impl Expression {
    /// Reads an expression: names, numbers, `+ - * /` and parentheses. The names are collected, each once.
    ///
    /// # Errors
    /// It is none, with what was expected.
    pub(crate) fn parse(text: &str) -> Result<(Self, Vec<String>), String> {
        if text.chars().count() > LONGEST {
            return Err(format!("an expression has {LONGEST} characters at most"));
        }
        let mut parser = Parser { rest: text.trim(), names: Vec::new(), depth: 0 };
        let found = parser.sum()?;
        match parser.rest {
            "" => Ok((found, parser.names)),
            rest => Err(format!("after a whole expression comes '{rest}'; write + - * or / between costs")),
        }
    }

    /// By which power of a cost the value grows: 0 is a ratio, 1 a cost.
    ///
    /// # Errors
    /// It adds a cost to a number, or to the square of one.
    pub(crate) fn power(&self) -> Result<i32, String> {
        match self {
            Number(_) => Ok(0),
            Cost(_) => Ok(1),
            Product(one, other) => Ok(one.power()? + other.power()?),
            Quotient(one, other) => Ok(one.power()? - other.power()?),
            Sum(one, other) | Difference(one, other) => {
                let (one, other) = (one.power()?, other.power()?);
                let same = (one == other).then_some(one);
                same.ok_or_else(|| "a cost and a plain number, or a ratio, cannot be added".to_owned())
            }
        }
    }

    /// The first cost that something is divided by; all others are known as multiples of it.
    pub(crate) fn divisor(&self) -> Option<usize> {
        match self {
            Number(_) | Cost(_) => None,
            Quotient(one, other) => other.first().or_else(|| one.divisor()),
            Sum(one, other) | Difference(one, other) | Product(one, other) => {
                one.divisor().or_else(|| other.divisor())
            }
        }
    }

    fn first(&self) -> Option<usize> {
        match self {
            Number(_) => None,
            Cost(place) => Some(*place),
            Sum(one, other) | Difference(one, other) | Product(one, other) | Quotient(one, other) => {
                one.first().or_else(|| other.first())
            }
        }
    }

    /// The value for these costs, and the sign of everything that is divided by.
    pub(crate) fn value(&self, costs: &[f64]) -> (f64, Vec<bool>) {
        let mut signs = Vec::new();
        (self.evaluate(costs, &mut signs), signs)
    }

    fn evaluate(&self, costs: &[f64], signs: &mut Vec<bool>) -> f64 {
        match self {
            Number(number) => *number,
            Cost(place) => costs[*place],
            Sum(one, other) => one.evaluate(costs, signs) + other.evaluate(costs, signs),
            Difference(one, other) => one.evaluate(costs, signs) - other.evaluate(costs, signs),
            Product(one, other) => one.evaluate(costs, signs) * other.evaluate(costs, signs),
            Quotient(one, other) => {
                let (one, other) = (one.evaluate(costs, signs), other.evaluate(costs, signs));
                signs.push(other > 0.0);
                one / other
            }
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    names: Vec<String>,
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            left = match self.sign(&['+', '-']) {
                None => return Ok(left),
                Some('+') => Sum(left.into(), self.product()?.into()),
                Some(_) => Difference(left.into(), self.product()?.into()),
            };
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.atom()?;
        loop {
            left = match self.sign(&['*', '/']) {
                None => return Ok(left),
                Some('*') => Product(left.into(), self.atom()?.into()),
                Some(_) => Quotient(left.into(), self.atom()?.into()),
            };
        }
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.sign(&['(']).is_some() {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(format!("parentheses within parentheses go {DEEPEST} deep at most"));
            }
            let inner = self.sum()?;
            self.depth -= 1;
            return match self.sign(&[')']) {
                Some(_) => Ok(inner),
                None => Err("a parenthesis is not closed".to_owned()),
            };
        }
        let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '.';
        let end = self.rest.find(|one: char| !is_part(one)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            return Err(match rest.chars().next() {
                None => "the expression ends where the name of a case, or a number, belongs".to_owned(),
                Some(other) => format!("the name of a case, or a number, belongs where '{other}' is"),
            });
        }
        self.rest = rest.trim_start();
        match word.starts_with(|one: char| one.is_ascii_digit() || one == '.') {
            true => number(word),
            false => Ok(Cost(self.place(word))),
        }
    }

    fn place(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    fn sign(&mut self, wanted: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|one| wanted.contains(one))?;
        self.rest = self.rest[sign.len_utf8()..].trim_start();
        Some(sign)
    }
}

fn number(word: &str) -> Result<Expression, String> {
    let number = word.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.map(Number).ok_or_else(|| {
        format!("'{word}' is neither a number above 0 nor the name of a case, which begins with a letter")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, costs: &[f64]) -> f64 {
        Expression::parse(text).unwrap().0.value(costs).0
    }

    #[test]
    fn arithmetic_is_as_at_school() {
        assert_eq!(value("a / b", &[6.0, 2.0]), 3.0);
        assert_eq!(value("a + b * 2 - c", &[1.0, 2.0, 3.0]), 2.0);
        assert_eq!(value("(a+b)*(a - b)/b", &[3.0, 2.0]), 2.5);
        assert_eq!(value("a / b / c", &[12.0, 3.0, 2.0]), 2.0);
        assert_eq!(value("0.5 * over / plain", &[6.0, 2.0]), 1.5);
    }

    #[test]
    fn names_are_collected_once_in_their_order() {
        let (_, names) = Expression::parse("(off_256 / on_256) / (off_128/on_256)").unwrap();
        assert_eq!(names, ["off_256", "on_256", "off_128"]);
    }

    #[test]
    fn a_ratio_has_no_dimension() {
        let power = |text: &str| Expression::parse(text).unwrap().0.power();
        assert_eq!(power("a / b"), Ok(0));
        assert_eq!(power("(a - b) / (a + c)"), Ok(0));
        assert_eq!(power("a - b"), Ok(1));
        assert_eq!(power("a * b / c"), Ok(1));
        assert!(power("a + 1").is_err());
        assert!(power("a / b + c").is_err());
    }

    #[test]
    fn what_is_divided_by_first_is_the_measure_of_all() {
        let divisor = |text: &str| Expression::parse(text).unwrap().0.divisor();
        assert_eq!(divisor("a / b"), Some(1));
        assert_eq!(divisor("(a / b) / (c / d)"), Some(2));
        assert_eq!(divisor("1 - a / b"), Some(1));
        assert_eq!(divisor("a - b"), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "ends where"),
            ("a /", "ends where"),
            ("a b", "after a whole expression"),
            ("a / (b", "not closed"),
            ("a / )", "where ')' is"),
            ("2x / a", "neither a number"),
            ("0 * a", "neither a number"),
            ("a % b", "after a whole expression"),
        ] {
            let error = Expression::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Expression::parse(&"(".repeat(300)).unwrap_err().contains("deep"));
        assert!(Expression::parse(&"a+".repeat(300)).unwrap_err().contains("characters"));
    }
}
