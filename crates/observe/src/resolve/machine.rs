//! The state that unwinding goes from frame to frame with.

/// The instruction set that addresses are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    X86_64,
    Aarch64,
}

/// How many general registers DWARF numbers at most: x0 to x30 and sp.
const GENERAL: usize = 32;

/// The general registers by the numbers that DWARF gives them, and the place in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    pub ip: u64,
    values: [u64; GENERAL],
    /// A bit for each register whose value is known.
    known: u32,
}

impl Architecture {
    /// The one that this program was compiled for; none of another.
    pub const fn here() -> Option<Self> {
        if cfg!(target_arch = "x86_64") {
            Some(Self::X86_64)
        } else if cfg!(target_arch = "aarch64") {
            Some(Self::Aarch64)
        } else {
            None
        }
    }

    /// DWARF's numbers of the stack pointer and the frame pointer, by the ABI of the processor.
    pub const fn sp(self) -> u16 {
        match self {
            Self::X86_64 => 7,
            Self::Aarch64 => 31,
        }
    }

    pub const fn fp(self) -> u16 {
        match self {
            Self::X86_64 => 6,
            Self::Aarch64 => 29,
        }
    }

    /// The number that stands for the return address: a column of its own, which is the place in the code, or the link register.
    pub const fn ra(self) -> u16 {
        match self {
            Self::X86_64 => 16,
            Self::Aarch64 => 30,
        }
    }

    /// What the kernel numbers its registers in samples, asm/perf_regs.h, for each DWARF number from 0 on.
    const fn perf_numbers(self) -> &'static [u64] {
        match self {
            // AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8 ...
            Self::X86_64 => &[0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23],
            Self::Aarch64 => &[
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                26, 27, 28, 29, 30, 31,
            ],
        }
    }

    const fn perf_ip(self) -> u64 {
        match self {
            Self::X86_64 => 8,
            Self::Aarch64 => 32,
        }
    }

    /// The kernel's registers that unwinding uses, as the mask of a sample's.
    pub fn perf_mask(self) -> u64 {
        self.perf_numbers().iter().fold(1 << self.perf_ip(), |mask, number| mask | 1 << number)
    }
}

impl Machine {
    /// What few samples have: the place in the code, the stack pointer and the frame pointer.
    #[cfg(test)]
    pub fn at(architecture: Architecture, ip: u64, sp: u64, fp: u64) -> Self {
        let mut machine = Self { ip, values: [0; GENERAL], known: 0 };
        machine.set(architecture.sp(), Some(sp));
        machine.set(architecture.fp(), Some(fp));
        machine
    }

    /// From all registers of a sample by the kernel's numbers; none where it has no place in the code.
    pub fn of_perf(architecture: Architecture, get: impl Fn(u64) -> Option<u64>) -> Option<Self> {
        let mut machine = Self { ip: get(architecture.perf_ip())?, values: [0; GENERAL], known: 0 };
        machine.set(architecture.ra(), Some(machine.ip));
        for (number, perf) in (0..).zip(architecture.perf_numbers()) {
            machine.set(number, get(*perf));
        }
        Some(machine)
    }

    pub fn get(&self, register: u16) -> Option<u64> {
        let value = self.values.get(usize::from(register))?;
        (self.known >> register & 1 == 1).then_some(*value)
    }

    /// A register beyond the general ones is left out.
    pub fn set(&mut self, register: u16, value: Option<u64>) {
        let Some(place) = self.values.get_mut(usize::from(register)) else { return };
        match value {
            Some(value) => {
                *place = value;
                self.known |= 1 << register;
            }
            None => self.known &= !(1 << register),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_go_by_the_numbers_of_dwarf() {
        // rdx is 1 of DWARF and 3 of the kernel; r12 is 12 and 20.
        let machine = Machine::of_perf(Architecture::X86_64, |number| Some(100 + number)).unwrap();
        assert_eq!((machine.ip, machine.get(1), machine.get(12)), (108, Some(103), Some(120)));
        assert_eq!((machine.get(16), machine.get(17)), (Some(108), None));
        assert_eq!(Architecture::X86_64.perf_mask(), 0x00ff_01ff);
        assert_eq!(Architecture::Aarch64.perf_mask(), (1 << 33) - 1);
    }

    #[test]
    fn what_was_not_given_is_not_known() {
        let machine =
            Machine::of_perf(Architecture::Aarch64, |number| (number > 28).then_some(number)).unwrap();
        assert_eq!((machine.ip, machine.get(29), machine.get(31)), (32, Some(29), Some(31)));
        assert_eq!((machine.get(0), machine.get(99)), (None, None));
    }
}
