//! A line that a worker writes: what can be read comes back as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tlstax_spec::wire::Answer;

fuzz_target!(|line: &str| {
    let Ok(answer) = Answer::decode(line) else { return };
    let again = answer.encode();
    assert!(!again.contains('\n'), "{again}");
    assert_eq!(Answer::decode(&again).expect("what was written can be read"), answer);
});
