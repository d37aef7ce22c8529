//! What the frames of the kernel say a stack is for.

use tlstax_doc::{Class, Cost, Evidence};

use super::algorithm;
use super::meaning::Kernel;
use super::reading::Read;
use super::verdict::Verdict;

/// The class of frames of the kernel, the innermost first; `below` is what the program was doing that is below them.
pub fn judge(frames: &[Read<'_>], below: Option<Verdict>) -> Verdict {
    let says = |kernel: Kernel| frames.iter().rposition(|(_, reading)| reading.own.kernel == Some(kernel));
    // The innermost interrupt: what is within is not the doing of whoever was interrupted.
    let interrupt = frames.iter().position(|(_, reading)| reading.own.kernel == Some(Kernel::Interrupt));
    if let Some(at) = interrupt {
        return in_an_interrupt(&frames[..=at]);
    }
    if let (Some(_), Some(at)) = (says(Kernel::Tls), says(Kernel::Cipher)) {
        let hint = frames.iter().rev().filter_map(|(_, reading)| reading.own.hint);
        let hint = hint.fold(None, |outer, inner| Some(algorithm::refine(outer, inner)));
        return (Class::of(Cost::RecordCipher, algorithm::named(hint)), evidence(&frames[at]));
    }
    if let Some((class, evidence)) = below
        && frames.iter().any(|(_, reading)| reading.own.overhead == Some(class.cost))
    {
        return (class, evidence);
    }
    // The outermost decides: what is sent over loopback is received within the same call.
    let outermost = frames.iter().rev().find_map(|frame| {
        let cost = match frame.1.own.kernel? {
            Kernel::Socket | Kernel::Tls => Cost::Socket,
            Kernel::SoftIrq => Cost::SoftIrq,
            _ => return None,
        };
        Some((cost.into(), evidence(frame)))
    });
    outermost.unwrap_or_else(|| other(frames))
}

/// Timers are the kernel's, packets are the softirq's.
fn in_an_interrupt(frames: &[Read<'_>]) -> Verdict {
    let softirq = frames.iter().rev().find(|(_, reading)| reading.own.kernel == Some(Kernel::SoftIrq));
    softirq.map_or_else(|| other(frames), |frame| (Cost::SoftIrq.into(), evidence(frame)))
}

/// By the outermost function that is not the way in.
fn other(frames: &[Read<'_>]) -> Verdict {
    let is_way_in = |frame: &Read<'_>| frame.1.own.kernel == Some(Kernel::Entry);
    let named = || frames.iter().rev().filter(|(frame, _)| frame.function.is_some());
    let frame = named().find(|frame| !is_way_in(frame)).or_else(|| named().next()).or(frames.first());
    (Cost::Kernel.into(), frame.map_or(Evidence::Module("[kernel]".to_owned()), evidence))
}

fn evidence((frame, _): &Read<'_>) -> Evidence {
    match (&frame.function, &frame.module) {
        (Some(function), _) => Evidence::Symbol(function.to_string()),
        (None, Some(module)) => Evidence::Module(module.to_string()),
        (None, None) => Evidence::Module("[kernel]".to_owned()),
    }
}
