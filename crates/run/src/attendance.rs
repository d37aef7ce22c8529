//! Which rounds a case takes part in: time goes where it narrows the most.

use tlstax_spec::Nanos;
use tlstax_stats::{HalfWidth, MIN_ROUNDS, quantile};

/// A case takes part in every eighth round at the least: what it needs is only known from rounds that it had.
const RAREST: u32 = 8;

/// The cases above this share of all, by how much they need, take part in every round. Not the neediest alone: one case that
/// never gets sharp would keep all others waiting.
const NEEDY: f64 = 0.9;

/// The part that a case takes in the rounds of a run.
#[derive(Debug, Clone)]
pub(crate) struct Attendance {
    /// It takes part in rounds whose number is a multiple of this: 1, 2, 4 or 8. So the rounds of one case are among those
    /// of any other that has more, and a ratio of two is made from all rounds of the rarer one.
    pub every: u32,
    /// It is held against so many other cases.
    pub dependants: u32,
    /// An interval so many times as wide as that of another case is as good.
    pub coarseness: f64,
    /// What its batches of this run took, and getting it ready for them in new processes.
    spent: Nanos,
    batches: u32,
    /// Its interval is looked at again when it has so many batches.
    look_at: usize,
    /// The half width that one batch would give, as far as is known.
    scatter: Option<f64>,
}

impl Default for Attendance {
    fn default() -> Self {
        Self {
            every: 1,
            dependants: 0,
            coarseness: 1.0,
            spent: Nanos(0),
            batches: 0,
            look_at: MIN_ROUNDS,
            scatter: None,
        }
    }
}

impl Attendance {
    /// Whether a case with so many batches takes part in a round. None goes without the batches that an interval needs.
    pub fn is_due(&self, round: u32, batches: usize) -> bool {
        batches < MIN_ROUNDS || round.is_multiple_of(self.every)
    }

    /// Notes what getting ready, or a batch, has taken.
    pub fn note(&mut self, spent: Nanos, batches: u32) {
        self.spent += spent;
        self.batches += batches;
    }

    /// Whether so many batches are worth a look at the interval. Looks become rarer as batches become many: each reads all
    /// of them.
    pub fn is_worth_a_look(&self, batches: usize) -> bool {
        batches >= self.look_at
    }

    /// Notes what a look has shown.
    pub fn note_look(&mut self, batches: usize, half_width: Option<HalfWidth>) {
        self.look_at = (batches + 1).max(batches + batches / 10);
        let known = half_width.map(|half_width| half_width.0.0).filter(|known| known.is_finite());
        self.scatter = known.map(|known| known * (batches as f64).sqrt());
    }

    /// How often it should take part, relative to others; none where that is not known.
    ///
    /// The sum of the squared half widths of several cases becomes the smallest for a given time with batches in
    /// proportion to scatter / sqrt(cost of a batch) (Neyman 1934; with costs, Cochran, "Sampling techniques", 1977, section
    /// 5.5). One that k others are held against should have sqrt(k) times as many as they (Dunnett, "A multiple comparison
    /// procedure for comparing several treatments with a control", 1955).
    fn need(&self) -> Option<f64> {
        let cost = self.spent.0 as f64 / f64::from(self.batches);
        let need = self.scatter? / self.coarseness / cost.sqrt() * f64::from(self.dependants.max(1)).sqrt();
        need.is_finite().then_some(need)
    }
}

/// Shares the rounds among the cases that are not done.
pub(crate) fn share_rounds<'a>(open: impl Iterator<Item = &'a mut Attendance>) {
    let mut open: Vec<&mut Attendance> = open.collect();
    let needs: Vec<f64> = open.iter().filter_map(|attendance| attendance.need()).collect();
    let Some(needy) = quantile(&needs, NEEDY) else { return };
    for attendance in &mut open {
        attendance.every = attendance.need().map_or(1, |need| every(needy / need));
    }
}

/// The nearest power of two, from 1 to the rarest; 1 for what is no number, as where no case needs anything.
fn every(times: f64) -> u32 {
    1 << times.clamp(1.0, f64::from(RAREST)).log2().round() as u32
}

#[cfg(test)]
mod tests {
    use tlstax_stats::Ratio;

    use super::*;

    /// A case after so many batches of so many milliseconds, with this half width.
    fn case(batches: u32, milliseconds: u64, half_width: f64) -> Attendance {
        let mut case = Attendance::default();
        case.note(Nanos::from_millis(milliseconds * u64::from(batches)), batches);
        case.note_look(batches as usize, Some(HalfWidth(Ratio(half_width))));
        case
    }

    fn shared(mut cases: Vec<Attendance>) -> Vec<u32> {
        share_rounds(cases.iter_mut());
        cases.iter().map(|case| case.every).collect()
    }

    #[test]
    fn what_is_far_from_sharp_gets_more_rounds_and_what_is_dear_fewer() {
        assert_eq!(shared(vec![case(20, 4, 0.02), case(20, 4, 0.02)]), [1, 1]);
        let wide = [case(20, 4, 0.005), case(20, 4, 0.02), case(20, 4, 0.08), case(20, 4, 0.0001)];
        assert_eq!(shared(wide.to_vec()), [8, 4, 1, 8]);
        // Sixteen times as long is four times as rare.
        assert_eq!(shared(vec![case(20, 64, 0.02), case(20, 4, 0.02), case(20, 4, 0.02)]), [4, 1, 1]);
        // The same half width after four times the batches scatters twice as much.
        assert_eq!(shared(vec![case(20, 4, 0.02), case(80, 4, 0.02), case(80, 4, 0.02)]), [2, 1, 1]);
    }

    /// Cases as those of the quick study: primitives, handshakes and loads. The time that all rounds take is the same.
    #[test]
    fn a_run_of_many_kinds_becomes_sharper_in_the_same_time() {
        let kinds = [(98, 2, 0.04, 1.0), (40, 4, 0.07, 1.0), (34, 40, 0.12, 3.0)];
        let of_kind = |(count, cost, half, coarseness)| {
            let mut case = case(50, cost, half);
            case.coarseness = coarseness;
            vec![case; count]
        };
        let mut cases: Vec<Attendance> = kinds.into_iter().flat_map(of_kind).collect();
        let cost = |case: &Attendance| case.spent.0 as f64 / 50.0;
        let mean_square = |cases: &[Attendance]| {
            let round: f64 = cases.iter().map(|case| cost(case) / f64::from(case.every)).sum();
            // What of 50 rounds of everything is left after the time of one.
            let of_one = |case: &Attendance| {
                let Attendance { scatter, coarseness, every, .. } = *case;
                (scatter.unwrap() / coarseness).powi(2) * f64::from(every)
            };
            round * cases.iter().map(of_one).sum::<f64>()
        };
        let before = mean_square(&cases);
        share_rounds(cases.iter_mut());
        let after = mean_square(&cases);
        assert!(after < 0.8 * before, "{after} of {before}");
    }

    #[test]
    fn one_case_that_never_gets_sharp_does_not_keep_the_others_waiting() {
        let mut cases = vec![case(20, 4, 0.01); 20];
        cases.push(case(20, 4, 5.0));
        assert_eq!(shared(cases), [1; 21]);
    }

    #[test]
    fn a_case_of_which_nothing_is_known_takes_part_in_every_round() {
        let mut unknown = case(20, 4, 0.5);
        unknown.note_look(20, None);
        let mut endless = case(20, 4, 0.5);
        endless.note_look(20, Some(HalfWidth(Ratio(f64::INFINITY))));
        assert_eq!(shared(vec![unknown, endless, case(20, 4, 0.5), Attendance::default()]), [1; 4]);
        assert_eq!(shared(Vec::new()), [0; 0]);
        // Exact figures need nothing.
        assert_eq!(shared(vec![case(20, 4, 0.0); 2]), [1; 2]);
        assert_eq!(shared(vec![case(20, 4, 0.0), case(20, 4, 0.1)]), [RAREST, 1]);
    }

    #[test]
    fn what_others_are_held_against_gets_the_square_root_of_their_number() {
        let mut cases = vec![case(20, 4, 0.02); 20];
        for case in &mut cases[..4] {
            case.dependants = 5;
        }
        let every = shared(cases);
        assert_eq!((&every[..4], &every[4..]), (&[1; 4][..], &[2; 16][..]));
    }

    #[test]
    fn rounds_of_a_case_are_among_those_of_any_that_has_more() {
        let rounds = |every| {
            let attendance = Attendance { every, ..Attendance::default() };
            (1..200).filter(|&round| attendance.is_due(round, 10)).collect::<Vec<_>>()
        };
        let all = [1, 2, 4, 8].map(rounds);
        for pair in all.windows(2) {
            assert!(
                pair[1].iter().all(|round| pair[0].contains(round)) && pair[1].len() >= pair[0].len() / 2
            );
        }
        let rarest = Attendance { every: RAREST, ..Attendance::default() };
        assert!((1..=8).all(|round| rarest.is_due(round, MIN_ROUNDS - 1)), "an interval needs some rounds");
    }

    #[test]
    fn looks_become_rarer() {
        let mut attendance = Attendance::default();
        let mut looks = 0;
        for batches in 0..100_000 {
            if attendance.is_worth_a_look(batches) {
                attendance.note_look(batches, None);
                looks += 1;
            }
        }
        assert!((80..130).contains(&looks), "{looks}");
    }
}
