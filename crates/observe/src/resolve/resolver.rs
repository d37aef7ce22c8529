//! [`Resolver`]: knows what is mapped where, and makes frames of addresses.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tlstax_doc::{Note, Severity};

use super::files::Files;
use super::jit::Jit;
use super::kernel::Kernel;
use super::layout::{Layout, Place};
use super::machine::{Architecture, Machine};
use super::mapping::{Content, Mapping};
use super::notes::Missing;
use super::row::Stack;
use super::view::{Behind, View};
use super::walk::{self, End};
use crate::collect::Collector;
use crate::frame::{Frame, FrameId};

/// A larger share of stacks than this that were cut is worth a note, in percent.
const MANY: u64 = 5;

/// Knows what is mapped where, and makes frames of addresses, for one [`Collector`]: it keeps the numbers of frames.
#[derive(Debug)]
pub struct Resolver {
    architecture: Architecture,
    /// Whether processes may be alive on this machine.
    is_here: bool,
    files: Files,
    kernel: Kernel,
    processes: HashMap<u32, Process>,
    /// Of the kernel, by whether they are return addresses.
    kernel_frames: HashMap<Place, FrameId>,
    unwound: u64,
    cut: u64,
}

#[derive(Debug, Default)]
struct Process {
    layout: Rc<RefCell<Layout>>,
    /// Code of its own; none until some is found.
    jit: Option<Jit>,
}

impl Resolver {
    /// For samples of whatever machine: files are found by the paths and build ids of the mappings, and functions of the kernel
    /// have names if a mapping says that it is the one that runs here.
    pub fn new(architecture: Architecture) -> Self {
        Self::with(architecture, false)
    }

    /// For samples of processes that run here.
    pub fn here(architecture: Architecture) -> Self {
        Self::with(architecture, true)
    }

    fn with(architecture: Architecture, is_here: bool) -> Self {
        Self {
            architecture,
            is_here,
            files: Files::new(architecture, is_here),
            kernel: Kernel::new(is_here),
            processes: HashMap::new(),
            kernel_frames: HashMap::new(),
            unwound: 0,
            cut: 0,
        }
    }

    /// A process has mapped a file.
    pub fn map(&mut self, process: u32, mapping: Mapping) {
        if mapping.content() == Content::Kernel {
            if let Some(build_id) = &mapping.build_id {
                self.kernel.is_build(build_id);
            }
            return;
        }
        let layout = &mut self.processes.entry(process).or_default().layout;
        if Rc::strong_count(layout) > 1 {
            let own = layout.borrow().clone();
            *layout = Rc::new(RefCell::new(own));
        }
        layout.borrow_mut().map(mapping);
    }

    /// A child begins with the mappings of its parent.
    pub fn fork(&mut self, parent: u32, child: u32) {
        // A new thread is no child.
        if parent != child {
            let layout = Rc::clone(&self.processes.entry(parent).or_default().layout);
            self.processes.insert(child, Process { layout, jit: None });
        }
    }

    /// All mappings of a process are gone.
    pub fn exec(&mut self, process: u32) {
        self.processes.remove(&process);
    }

    /// Return addresses above these registers, the innermost first; the instruction itself is the first of them. Nothing is added
    /// where there is no place in the code. Registers go by the numbers of asm/perf_regs.h, and all that are known are wanted:
    /// assembly of cryptographic libraries keeps the way back in others than the usual ones. `stack` is a copy of the memory from the
    /// stack pointer on, and may be cut.
    pub fn unwind(
        &mut self,
        process: u32,
        register: impl Fn(u64) -> Option<u64>,
        stack: &[u8],
        addresses: &mut Vec<u64>,
    ) {
        let Some(machine) = Machine::of_perf(self.architecture, register) else { return };
        let start = machine.get(self.architecture.sp()).unwrap_or(0);
        let is_kernel_here = self.kernel.is_here();
        let layout = &self.processes.entry(process).or_default().layout;
        let mut layout = layout.borrow_mut();
        let mut view = View { process, layout: &mut layout, files: &mut self.files, is_kernel_here };
        let stack = Stack { start, bytes: stack };
        let end = walk::walk(self.architecture, machine, &stack, &mut view, addresses);
        self.unwound += 1;
        self.cut += u64::from(end == End::Cut);
    }

    /// Frames of addresses of user space, the innermost first; all but the first are return addresses.
    pub fn user(&mut self, process: u32, addresses: &[u64], into: &mut Collector, frames: &mut Vec<FrameId>) {
        let is_kernel_here = self.kernel.is_here();
        let Process { layout, jit } = self.processes.entry(process).or_default();
        let mut layout = layout.borrow_mut();
        let mut view = View { process, layout: &mut layout, files: &mut self.files, is_kernel_here };
        let mut is_return = false;
        for address in addresses {
            let place = Place { address: *address, is_return };
            let known = view.layout.known(place).and_then(|known| known.frame);
            frames.push(known.unwrap_or_else(|| match view.behind(place.within()) {
                Behind::Image(image, within) => {
                    let frame = image.frame(within + u64::from(is_return), is_return);
                    view.keep(place, into.frame(frame))
                }
                Behind::Closed(frame) => view.keep(place, into.frame(frame)),
                Behind::Generated => {
                    let jit = jit.get_or_insert_with(|| Jit::new(process, self.is_here));
                    generated(jit, process, place, into, view.files)
                }
                Behind::Nothing => into.frame(Frame::default()),
            }));
            is_return = true;
        }
    }

    /// The same of the kernel.
    pub fn kernel(&mut self, addresses: &[u64], into: &mut Collector, frames: &mut Vec<FrameId>) {
        let mut is_return = false;
        for address in addresses {
            let place = Place { address: *address, is_return };
            let id = match self.kernel_frames.get(&place) {
                Some(id) => *id,
                None => {
                    let function = self.kernel.name(place.within()).unwrap_or_else(|missing| {
                        self.files.notes.add(missing, "");
                        None
                    });
                    let module = Some("[kernel]".into());
                    let id = into.frame(Frame { function, module, is_kernel: true, ..Frame::default() });
                    self.kernel_frames.insert(place, id);
                    id
                }
            };
            frames.push(id);
            is_return = true;
        }
    }

    /// What the reader has to know: files that were not there, or were others than those that were mapped.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.files.notes.all();
        if self.cut * 100 > self.unwound * MANY {
            notes.push(Note {
                severity: Severity::Info,
                what: format!(
                    "{} of {} stacks end before their thread's first function: what called the rest is not known",
                    self.cut, self.unwound
                ),
                remedy: String::new(),
            });
        }
        notes
    }
}

/// The frame of an address in code that was compiled at run time.
fn generated(jit: &mut Jit, process: u32, place: Place, into: &mut Collector, files: &mut Files) -> FrameId {
    if let Some(id) = jit.known(place.within()) {
        return id;
    }
    let function = jit.name(place.within());
    let is_named = function.is_some();
    let id = into.frame(Frame { function, module: Some("[jit]".into()), ..Frame::default() });
    if is_named {
        jit.keep(place.within(), id);
    } else if !jit.has_names() {
        files.notes.add(Missing::Generated, format!("process {process}"));
    }
    id
}
