//! What no program here writes, or not where anybody may see it: recordings of other machines, put together by hand, and texts with
//! what rarely happens.
#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use tlstax_doc::{Profile, Tool, Unit};
use tlstax_observe::{Classifier, Collector, Input, SourceError, Surroundings, read};

static CLASSIFIER: LazyLock<Classifier> = LazyLock::new(Classifier::built_in);

fn profile_of(input: Input<'_>) -> Result<Profile, SourceError> {
    let mut collector = Collector::new(&CLASSIFIER);
    let facts = read(input, &mut collector)?;
    let tool = Tool { name: "tlstax".to_owned(), version: "0.0.0".to_owned(), reference_kernels: 0 };
    Ok(collector.finish(facts, Surroundings::default(), tool))
}

fn profile(bytes: &[u8]) -> Profile {
    profile_of(Input::stream("given", bytes)).unwrap()
}

fn notes(profile: &Profile) -> Vec<&str> {
    profile.captures[0].notes.iter().map(|note| note.what.as_str()).collect()
}

fn samples(profile: &Profile) -> Vec<(&str, u64, u64)> {
    let processes = profile.captures[0].processes.iter();
    processes.map(|process| (process.name.as_str(), process.samples, process.weight)).collect()
}

/// A recording as it goes through a pipe, in either byte order.
struct Recording {
    is_big: bool,
    bytes: Vec<u8>,
}

/// `PERF_SAMPLE_IP`, `TID`, `TIME`, `PERIOD`.
const USUAL: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 8;

impl Recording {
    /// cycles, 1,000 times a second.
    fn new(is_big: bool, sample: u64, branches: u64) -> Self {
        let magic = if is_big { b"2ELIFREP" } else { b"PERFILE2" };
        let mut recording = Self { is_big, bytes: magic.to_vec() };
        recording.bytes.extend(recording.word(16));
        let mut attribute = [recording.half(0), recording.half(112)].concat();
        [0, 1000, sample, 0].iter().for_each(|word| attribute.extend(recording.word(*word)));
        let flags = (1_u64 << 10 | 1 << 18).to_le_bytes();
        attribute.extend(if is_big { flags.map(u8::reverse_bits) } else { flags });
        [0, 0, 0, branches, 0, 0, 0, 0].iter().for_each(|word| attribute.extend(recording.word(*word)));
        recording.record(64, 0, &attribute);
        recording
    }

    fn word(&self, word: u64) -> [u8; 8] {
        if self.is_big { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    fn half(&self, half: u32) -> [u8; 4] {
        if self.is_big { half.to_be_bytes() } else { half.to_le_bytes() }
    }

    fn record(&mut self, kind: u32, misc: u16, body: &[u8]) {
        let size = u16::try_from(8 + body.len()).unwrap();
        self.bytes.extend(self.half(kind));
        for number in [misc, size] {
            self.bytes.extend(if self.is_big { number.to_be_bytes() } else { number.to_le_bytes() });
        }
        self.bytes.extend(body);
    }

    /// A sample of process 7, with more behind what every sample has.
    fn sample(&mut self, misc: u16, ip: u64, time: u64, more: &[u64]) {
        let mut body = self.word(ip).to_vec();
        body.extend([self.half(7), self.half(7)].concat());
        body.extend([self.word(time), self.word(500)].concat());
        more.iter().for_each(|word| body.extend(self.word(*word)));
        self.record(9, misc, &body);
    }

    /// Process 7 is called so.
    fn name(&mut self, name: &[u8; 8], time: u64) {
        let mut body = [self.half(7), self.half(7)].concat();
        body.extend(name);
        body.extend([self.half(7), self.half(7)].concat());
        body.extend(self.word(time));
        self.record(3, 0, &body);
    }
}

#[test]
fn a_recording_is_the_same_in_either_byte_order() {
    let profiles = [false, true].map(|is_big| {
        let mut recording = Recording::new(is_big, USUAL, 0);
        recording.name(b"nginx\0\0\0", 1);
        recording.sample(2, 0x1000, 2_000_000, &[]);
        recording.sample(1, 0xffff_ffff_8100_0000, 3_000_000, &[]);
        profile(&recording.bytes)
    });
    assert_eq!(profiles[0], profiles[1]);
    assert_eq!(samples(&profiles[0]), [("nginx", 2, 1000)]);
    assert_eq!((profiles[0].unit, profiles[0].captures[0].duration_ns), (Unit::Cycles, Some(1_000_000)));
}

/// The name comes later in the file than the sample, because another CPU has written it, but was given before it.
#[test]
fn records_are_taken_in_the_order_of_their_times() {
    let mut recording = Recording::new(false, USUAL, 0);
    recording.sample(2, 0x1000, 3_000_000, &[]);
    recording.sample(2, 0x1000, 1_000_000, &[]);
    recording.name(b"nginx\0\0\0", 2_000_000);
    recording.name(b"sh\0\0\0\0\0\0", 500_000);
    let profile = profile(&recording.bytes);
    assert_eq!(samples(&profile), [("nginx", 1, 500), ("sh", 1, 500)]);
    assert_eq!(profile.captures[0].duration_ns, Some(2_000_000));
}

#[test]
fn branches_of_calls_are_a_stack() {
    // The place, and two calls that have not yet returned.
    let mut recording = Recording::new(false, USUAL | 1 << 11, 1 << 11);
    recording.sample(2, 0x1000, 2_000_000, &[2, 0x2000, 0x1000, 0, 0x3000, 0x2000, 0]);
    let profile = profile(&recording.bytes);
    assert_eq!(profile.captures[0].origin.stacks.as_deref(), Some("lbr"));
    assert_eq!(profile.stacks[0].frames.len(), 3);
}

#[test]
fn a_count_that_a_sample_cannot_have_makes_it_broken_and_no_other() {
    let mut recording = Recording::new(false, USUAL | 1 << 5, 0);
    recording.sample(2, 0x1000, 1, &[u64::MAX / 4]);
    recording.sample(2, 0x1000, 2, &[1, 0x1000]);
    let profile = profile(&recording.bytes);
    assert_eq!(samples(&profile), [("?", 1, 500)]);
    assert!(
        notes(&profile).iter().any(|note| note.starts_with("1 samples are not as")),
        "{:?}",
        notes(&profile)
    );
}

#[test]
fn what_was_lost_and_what_guests_do_is_told() {
    let mut recording = Recording::new(false, USUAL, 0);
    let lost = [recording.word(1), recording.word(12)].concat();
    recording.record(2, 0, &lost);
    recording.sample(5, 0x1000, 2, &[]);
    let profile = profile(&recording.bytes);
    assert_eq!(profile.captures[0].lost, 12);
    assert!(
        notes(&profile).iter().any(|note| note.starts_with("1 samples are of guests")),
        "{:?}",
        notes(&profile)
    );
    assert_eq!(profile.frames[0].module.as_deref(), Some("[guest]"));
}

#[test]
fn a_recording_without_samples_says_what_to_do() {
    let error = profile_of(Input::stream("given", &Recording::new(false, USUAL, 0).bytes[..])).unwrap_err();
    assert!(error.to_string().starts_with("given has no samples: "), "{error}");
}

#[test]
fn idle_cpus_are_left_out_and_their_interrupts_are_not() {
    let script = "\
swapper     0 [000] 1.000000: 1000 cpu-clock: 
	ffffffff81000001 pv_native_safe_halt+0x1 ([kernel.kallsyms])

swapper     0 [000] 2.000000: 1000 cpu-clock: 
	ffffffff81000002 net_rx_action+0x1 ([kernel.kallsyms])
	ffffffff81000003 handle_softirqs+0x1 ([kernel.kallsyms])

";
    let profile = profile(script.as_bytes());
    assert_eq!(samples(&profile), [("swapper", 1, 1000)]);
    assert_eq!(notes(&profile), ["1 samples are of idle CPUs and were left out"]);
    let folded = "swapper;default_idle_[k] 10\nnginx;main 2\n";
    assert_eq!(samples(&self::profile(folded.as_bytes())), [("nginx", 2, 2)]);
}

#[test]
fn perf_script_tells_what_was_lost_and_does_not_mind_other_lines() {
    let script = "\
# cpus
# nrcpus online : 8
nginx: worker 1  4711 [000] 1.000000: PERF_RECORD_LOST lost 12
nginx: worker 1  4711 [000] 1.000000: 1000 cycles:P: 
	    7f0000000001 memcpy (inlined)
	    7f0000000001 SSL_write+0x1 (/usr/lib/libssl.so.3)
  ssl_lib.c:123
	               0 [unknown] ([unknown])

a line of something else
";
    let profile = profile(script.as_bytes());
    assert_eq!(samples(&profile), [("nginx: worker 1", 1, 1000)]);
    assert_eq!((profile.captures[0].lost, profile.captures[0].cpus), (12, Some(8)));
    let frame = |index: &u32| &profile.frames[*index as usize];
    let shown: Vec<_> = profile.stacks[0].frames.iter().map(frame).collect();
    let shown: Vec<_> = shown.iter().map(|frame| (frame.module.as_deref(), &*frame.function)).collect();
    let libssl = Some("libssl.so.3");
    assert_eq!(shown, [(None, "?"), (libssl, "SSL_write"), (libssl, "memcpy")]);
    assert_eq!(notes(&profile), ["1 lines are none of perf script and were left out"]);
}

#[test]
fn a_text_that_breaks_off_where_it_is_unpacked_keeps_what_was_before() {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    (0..3000).for_each(|number| writeln!(packer, "nginx;main;f{number} 1").unwrap());
    let packed = packer.finish().unwrap();
    let profile = profile(&packed[..packed.len() - 500]);
    assert!(samples(&profile)[0].1 > 2500, "{:?}", samples(&profile));
    assert!(notes(&profile).iter().any(|note| note.starts_with("it was cut")), "{:?}", notes(&profile));
}
