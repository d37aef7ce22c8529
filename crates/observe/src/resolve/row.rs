//! [`Row`]: how the registers of a caller come from those of its callee, at one address.

use std::sync::Arc;

use gimli::{Encoding, EndianSlice, Evaluation, EvaluationResult, Expression, LittleEndian, Location, Value};

use super::machine::{Architecture, Machine};

/// How the registers of a caller come from those of its callee: a row of an unwind table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub cfa: Cfa,
    /// By DWARF's numbers; a register that is not among them stays as it is.
    pub rules: Box<[(u16, Rule)]>,
    /// Whether the frame was made by the delivery of a signal: its caller was interrupted and did not call.
    pub is_signal: bool,
}

/// Where the frame of the callee ends, the canonical frame address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cfa {
    Register { register: u16, offset: i64 },
    Expression(Program),
}

/// Where the caller's value of a register is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    Undefined,
    /// In memory, at the frame address and this offset.
    At(i64),
    /// The frame address and this offset.
    Is(i64),
    Register(u16),
    AtResult(Program),
    Result(Program),
}

/// A DWARF expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub bytes: Arc<[u8]>,
    pub encoding: Encoding,
}

/// A copy of a part of a process's memory: its stack.
#[derive(Debug, Clone, Copy)]
pub struct Stack<'a> {
    pub start: u64,
    pub bytes: &'a [u8],
}

/// What a step leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Caller,
    /// The function has none: it is a thread's first.
    First,
    /// The table asks for memory or registers that the sample does not have.
    Unknown,
}

/// Operations of one expression: a loop in it must not hold us.
const PATIENCE: u32 = 1000;

impl Stack<'_> {
    pub fn read(&self, address: u64) -> Option<u64> {
        let at = usize::try_from(address.checked_sub(self.start)?).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(8)?)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }
}

impl Row {
    /// Goes from what runs on `machine` to whoever has called it; if that is not known, the machine is of no use any more.
    pub fn step(&self, architecture: Architecture, machine: &mut Machine, stack: &Stack) -> Step {
        match self.cfa.value(machine, stack) {
            Some(cfa) => self.leave(architecture, machine, cfa, stack),
            None => Step::Unknown,
        }
    }

    /// The same where somebody else knows the frame address.
    pub fn leave(&self, architecture: Architecture, machine: &mut Machine, cfa: u64, stack: &Stack) -> Step {
        let callee = *machine;
        machine.set(architecture.sp(), Some(cfa));
        // A leaf returns to the link register as it is, where there is one.
        let mut ip = callee.get(architecture.ra()).filter(|_| architecture == Architecture::Aarch64);
        for (register, rule) in &self.rules {
            let value = rule.value(&callee, cfa, stack);
            if *register == architecture.ra() {
                if *rule == Rule::Undefined {
                    return Step::First;
                }
                ip = value;
            }
            machine.set(*register, value);
        }
        let Some(ip) = ip else { return Step::Unknown };
        machine.ip = ip;
        Step::Caller
    }
}

impl Cfa {
    fn value(&self, callee: &Machine, stack: &Stack) -> Option<u64> {
        match self {
            Self::Register { register, offset } => callee.get(*register)?.checked_add_signed(*offset),
            Self::Expression(program) => program.run(callee, None, stack),
        }
    }
}

impl Rule {
    fn value(&self, callee: &Machine, cfa: u64, stack: &Stack) -> Option<u64> {
        match self {
            Self::Undefined => None,
            Self::At(offset) => stack.read(cfa.checked_add_signed(*offset)?),
            Self::Is(offset) => cfa.checked_add_signed(*offset),
            Self::Register(register) => callee.get(*register),
            Self::AtResult(program) => stack.read(program.run(callee, Some(cfa), stack)?),
            Self::Result(program) => program.run(callee, Some(cfa), stack),
        }
    }
}

impl Program {
    /// `first`: what lies on its stack when it begins.
    fn run(&self, callee: &Machine, first: Option<u64>, stack: &Stack) -> Option<u64> {
        let code = Expression(EndianSlice::new(&self.bytes, LittleEndian));
        let mut evaluation: Evaluation<EndianSlice<'_, LittleEndian>> = code.evaluation(self.encoding);
        evaluation.set_max_iterations(PATIENCE);
        if let Some(first) = first {
            evaluation.set_initial_value(first);
        }
        let mut state = evaluation.evaluate().ok()?;
        loop {
            state = match state {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    evaluation.resume_with_register(Value::Generic(callee.get(register.0)?)).ok()?
                }
                EvaluationResult::RequiresMemory { address, size: 8, .. } => {
                    evaluation.resume_with_memory(Value::Generic(stack.read(address)?)).ok()?
                }
                _ => return None,
            };
        }
        match evaluation.result().last()?.location {
            Location::Address { address } => Some(address),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use gimli::Format;

    use super::*;

    const SP: u64 = 0x7000;

    fn memory(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn leaf() -> Machine {
        Machine::at(Architecture::X86_64, 0x1000, SP, SP + 24)
    }

    fn program(bytes: &[u8]) -> Program {
        Program {
            bytes: bytes.into(),
            encoding: Encoding { format: Format::Dwarf32, version: 4, address_size: 8 },
        }
    }

    #[test]
    fn the_usual_row_pops_the_return_address_and_restores_what_was_pushed() {
        let bytes = memory(&[0xb, 0x2000, 5]);
        let stack = Stack { start: SP, bytes: &bytes };
        let rules = [(6, Rule::At(-16)), (16, Rule::At(-8))];
        let row =
            Row { cfa: Cfa::Register { register: 7, offset: 16 }, rules: rules.into(), is_signal: false };
        let mut caller = leaf();
        assert_eq!(row.step(Architecture::X86_64, &mut caller, &stack), Step::Caller);
        assert_eq!((caller.ip, caller.get(7), caller.get(6)), (0x2000, Some(SP + 16), Some(0xb)));
    }

    /// OpenSSL's big-number assembly keeps the former stack pointer in memory: `DW_OP_breg7 40; DW_OP_deref; DW_OP_plus_uconst 8`.
    #[test]
    fn a_frame_address_may_be_kept_in_memory() {
        let bytes = memory(&[0, 0, 0, 0, 0, SP + 48, 0x2000]);
        let stack = Stack { start: SP, bytes: &bytes };
        let cfa = Cfa::Expression(program(&[0x77, 40, 0x06, 0x23, 8]));
        let row = Row { cfa, rules: [(16, Rule::At(-8))].into(), is_signal: false };
        let mut caller = leaf();
        assert_eq!(row.step(Architecture::X86_64, &mut caller, &stack), Step::Caller);
        assert_eq!((caller.ip, caller.get(7)), (0x2000, Some(SP + 56)));
    }

    #[test]
    fn what_cannot_be_known_is_not_made_up() {
        let stack = Stack { start: SP, bytes: &[0; 8] };
        let step = |cfa, rules: &[(u16, Rule)]| {
            Row { cfa, rules: rules.into(), is_signal: false }.step(Architecture::X86_64, &mut leaf(), &stack)
        };
        let sp = || Cfa::Register { register: 7, offset: 64 };
        assert_eq!(step(Cfa::Register { register: 0, offset: 8 }, &[]), Step::Unknown);
        assert_eq!(step(sp(), &[(16, Rule::At(-8))]), Step::Unknown);
        assert_eq!(step(sp(), &[(16, Rule::Undefined)]), Step::First);
        // DW_OP_skip -3: for ever.
        assert_eq!(step(Cfa::Expression(program(&[0x2f, 0xfd, 0xff])), &[]), Step::Unknown);
    }
}
