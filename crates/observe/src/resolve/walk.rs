//! From the registers of a sample to the return addresses of its stack.

use std::rc::Rc;

use super::machine::{Architecture, Machine};
use super::row::{Cfa, Row, Stack, Step};

/// The deepest stack that is followed: beyond it lies recursion.
const DEEPEST: usize = 512;

/// Addresses of user space have no more bits than that; those above hold authentication codes of pointers on aarch64.
const ADDRESS: u64 = (1 << 48) - 1;

/// What unwinding asks of a process's code.
pub trait Code {
    /// How to leave the function at an address; none where its file does not say.
    fn row(&mut self, address: u64, is_return: bool) -> Option<Rc<Row>>;

    /// Whether this may be a return address: whether it is code, after a call as far as that can be seen.
    fn is_return(&mut self, address: u64) -> bool;
}

/// Where a walk has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At a thread's first function.
    First,
    /// Before that: the copy of the stack ends, or nothing says how to go on.
    Cut,
}

/// Adds the place in the code and the return addresses above it, the innermost first.
pub fn walk(
    architecture: Architecture,
    leaf: Machine,
    stack: &Stack,
    code: &mut impl Code,
    addresses: &mut Vec<u64>,
) -> End {
    let mut machine = leaf;
    let mut is_return = false;
    for depth in 0..DEEPEST {
        addresses.push(machine.ip);
        let before = machine.get(architecture.sp());
        let (step, is_signal) = match code.row(machine.ip, is_return) {
            Some(row) => {
                let found = row.step(architecture, &mut machine, stack);
                let is_hidden = found == Step::Unknown && depth == 0 && matches!(row.cfa, Cfa::Expression(_));
                let step =
                    if is_hidden { search(architecture, &row, &mut machine, stack, code) } else { found };
                (step, row.is_signal)
            }
            None => (guess(architecture, &mut machine, depth == 0, stack, code), false),
        };
        match step {
            Step::Caller => {}
            Step::First => return End::First,
            Step::Unknown => return End::Cut,
        }
        if architecture == Architecture::Aarch64 {
            machine.ip &= ADDRESS;
        }
        if machine.ip == 0 {
            return End::First;
        }
        // Only a leaf of aarch64 may have put nothing onto the stack.
        let after = machine.get(architecture.sp());
        if after < before || (after == before && depth > 0) {
            return End::Cut;
        }
        is_return = !is_signal;
    }
    End::Cut
}

/// How far above the stack pointer a copy of the frame address is searched for, in bytes.
const SEARCHED: u64 = 4096;

/// A leaf whose table wants memory below the stack pointer, which is not in the copy: OpenSSL's SHA-2 for AVX2 keeps the former stack
/// pointer there, and copies of it further up. It is the first word that points to a return address above itself.
fn search(
    architecture: Architecture,
    row: &Row,
    machine: &mut Machine,
    stack: &Stack,
    code: &mut impl Code,
) -> Step {
    let Some(sp) = machine.get(architecture.sp()) else { return Step::Unknown };
    let mut words = (sp..sp.saturating_add(SEARCHED)).step_by(8);
    let found = words.find_map(|at| {
        let way_back = stack.read(at).filter(|way_back| *way_back > at)?;
        let ip = stack.read(way_back)?;
        code.is_return(ip).then(|| way_back + 8)
    });
    found.map_or(Step::Unknown, |cfa| row.leave(architecture, machine, cfa, stack))
}

/// Without a table: a leaf that has put nothing onto the stack, else the chain of frame pointers, else a leaf that has put some
/// registers there. What it leads to has to look like a return address.
fn guess(
    architecture: Architecture,
    machine: &mut Machine,
    is_leaf: bool,
    stack: &Stack,
    code: &mut impl Code,
) -> Step {
    let caller = if is_leaf { leaf_caller(architecture, machine, stack, code) } else { None };
    let caller = caller.or_else(|| framed_caller(architecture, machine, stack, code));
    let is_searched = is_leaf && architecture == Architecture::X86_64;
    match caller.or_else(|| if is_searched { pushed_caller(machine, stack, code) } else { None }) {
        Some(caller) => {
            *machine = caller;
            Step::Caller
        }
        None => Step::Unknown,
    }
}

fn leaf_caller(
    architecture: Architecture,
    callee: &Machine,
    stack: &Stack,
    code: &mut impl Code,
) -> Option<Machine> {
    let sp = callee.get(architecture.sp())?;
    let (ip, above) = match architecture {
        Architecture::X86_64 => (stack.read(sp)?, sp.checked_add(8)?),
        Architecture::Aarch64 => (callee.get(architecture.ra())? & ADDRESS, sp),
    };
    code.is_return(ip).then(|| {
        let mut caller = *callee;
        caller.ip = ip;
        caller.set(architecture.sp(), Some(above));
        // The register has been used.
        caller.set(architecture.ra(), None);
        caller
    })
}

/// How far above its stack pointer a leaf without a table may have its return address, in bytes: assembly saves registers there, and
/// keeps little else (GMP, wolfSSL).
const PUSHED: u64 = 512;

/// The first word that looks like a return address. What the leaf has saved of registers is not known, so that a frame pointer is
/// kept only if it points into the stack.
fn pushed_caller(callee: &Machine, stack: &Stack, code: &mut impl Code) -> Option<Machine> {
    let architecture = Architecture::X86_64;
    let sp = callee.get(architecture.sp())?;
    let mut words = (sp..sp.saturating_add(PUSHED)).step_by(8);
    let (at, ip) =
        words.find_map(|at| Some((at, stack.read(at).filter(|ip| *ip != 0 && code.is_return(*ip))?)))?;
    let above = at.checked_add(8)?;
    let mut caller = *callee;
    caller.ip = ip;
    caller.set(architecture.sp(), Some(above));
    caller.set(architecture.fp(), callee.get(architecture.fp()).filter(|fp| *fp >= above));
    Some(caller)
}

fn framed_caller(
    architecture: Architecture,
    callee: &Machine,
    stack: &Stack,
    code: &mut impl Code,
) -> Option<Machine> {
    let fp = callee.get(architecture.fp())?;
    let ip = stack.read(fp.checked_add(8)?)?;
    let ip = if architecture == Architecture::Aarch64 { ip & ADDRESS } else { ip };
    // The last frame of the chain has no return address.
    let is_plausible = fp >= callee.get(architecture.sp())? && (ip == 0 || code.is_return(ip));
    is_plausible.then_some(())?;
    let mut caller = *callee;
    caller.ip = ip;
    caller.set(architecture.fp(), stack.read(fp));
    caller.set(architecture.sp(), fp.checked_add(16));
    Some(caller)
}

#[cfg(test)]
mod tests {
    use gimli::{Encoding, Format};

    use super::super::row::{Program, Rule};
    use super::*;

    const SP: u64 = 0x7000;

    /// Code below 0x1000 has a table by which each frame has 16 bytes; code from there to 0x2000 has none.
    struct Half;

    impl Code for Half {
        fn row(&mut self, address: u64, _: bool) -> Option<Rc<Row>> {
            if address == 0x66 {
                // Of memory below the stack pointer: DW_OP_breg7 -8; DW_OP_deref; DW_OP_plus_uconst 8.
                let encoding = Encoding { format: Format::Dwarf32, version: 4, address_size: 8 };
                let program = Program { bytes: [0x77, 0x78, 0x06, 0x23, 8].into(), encoding };
                let (cfa, rules) = (Cfa::Expression(program), [(16, Rule::At(-8))].into());
                return Some(Rc::new(Row { cfa, rules, is_signal: false }));
            }
            let rules = if address == 0x111 { [(16, Rule::Undefined)] } else { [(16, Rule::At(-8))] };
            let cfa = Cfa::Register { register: 7, offset: 16 };
            (address < 0x1000).then(|| Rc::new(Row { cfa, rules: rules.into(), is_signal: false }))
        }

        fn is_return(&mut self, address: u64) -> bool {
            address < 0x2000
        }
    }

    fn walked(ip: u64, fp: u64, words: &[u64]) -> (Vec<u64>, End) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let leaf = Machine::at(Architecture::X86_64, ip, SP, fp);
        let mut addresses = Vec::new();
        let stack = Stack { start: SP, bytes: &bytes };
        let end = walk(Architecture::X86_64, leaf, &stack, &mut Half, &mut addresses);
        (addresses, end)
    }

    #[test]
    fn a_leaf_without_a_table_may_have_saved_registers() {
        let saved = [0x5000, 0x5008, 0x20, 0, 0x111];
        assert_eq!(walked(0x1500, 9, &saved), (vec![0x1500, 0x20, 0x111], End::First));
        // Further up there is no looking for one.
        let far: Vec<u64> = [vec![0x5000; 64], vec![0x20, 0, 0x111]].concat();
        assert_eq!(walked(0x1500, 9, &far), (vec![0x1500], End::Cut));
    }

    #[test]
    fn tables_lead_to_the_first_function() {
        assert_eq!(walked(0x10, 0, &[0, 0x20, 0, 0x111]), (vec![0x10, 0x20, 0x111], End::First));
        assert_eq!(walked(0x10, 0, &[0, 0x20, 0, 0]), (vec![0x10, 0x20], End::First));
        assert_eq!(walked(0x10, 0, &[0, 0x20]), (vec![0x10, 0x20], End::Cut));
    }

    #[test]
    fn a_frame_address_that_is_not_in_the_copy_is_found_by_another_copy() {
        // A word that points to no return address, then one that does.
        let words = [7, SP + 16, 0x5000, SP + 40, 0, 0x20, 0, 0x111];
        assert_eq!(walked(0x66, 0, &words), (vec![0x66, 0x20, 0x111], End::First));
        assert_eq!(walked(0x66, 0, &words[..4]), (vec![0x66], End::Cut));
    }

    #[test]
    fn without_tables_frame_pointers_do() {
        // A leaf without a frame, called by a function with one, which was called by a function with a table.
        let words = [0x1100, 0, 0, 0, 0, 0, 0x30, 0, 0x111];
        let stack = walked(0x1000, SP + 40, &words);
        assert_eq!(stack, (vec![0x1000, 0x1100, 0x30, 0x111], End::First));
    }

    #[test]
    fn what_is_no_return_address_is_not_taken_for_one() {
        assert_eq!(walked(0x1000, SP + 8, &[0x5000, 0, 0x6000]), (vec![0x1000], End::Cut));
        // A chain that leads down, and one to itself.
        assert_eq!(walked(0x1000, SP - 8, &[0x5000, 0x1100, 0]).1, End::Cut);
        assert_eq!(walked(0x1000, SP + 8, &[0x5000, SP + 8, 0x1100]), (vec![0x1000, 0x1100], End::Cut));
    }
}
