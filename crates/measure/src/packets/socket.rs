//! The system calls of a packet socket.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

/// The number of an interface.
pub fn index(name: &str) -> Option<libc::c_int> {
    let name = CString::new(name).ok()?;
    // SAFETY: the pointer is to a string that ends with a NUL byte.
    let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
    index.try_into().ok().filter(|index| *index > 0)
}

/// A packet socket without the headers of links, that shows nothing yet.
pub fn open() -> io::Result<OwnedFd> {
    // SAFETY: no memory of ours is involved.
    let socket = unsafe { libc::socket(libc::AF_PACKET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) };
    if socket < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the system call has just made this descriptor, and nobody else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(socket) })
}

/// Sets an option, whose form is that of the value.
pub fn set<T>(socket: &impl AsFd, level: libc::c_int, option: libc::c_int, value: &T) -> io::Result<()> {
    let length = size_of::<T>() as libc::socklen_t;
    let socket = socket.as_fd().as_raw_fd();
    // SAFETY: the kernel reads `length` bytes from the pointer, which are all there.
    let status = unsafe { libc::setsockopt(socket, level, option, std::ptr::from_ref(value).cast(), length) };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Begins to show the packets of an interface, both ways.
pub fn bind(socket: &OwnedFd, index: libc::c_int) -> io::Result<()> {
    // SAFETY: all-zero is a valid address of this kind.
    let mut address: libc::sockaddr_ll = unsafe { std::mem::zeroed() };
    address.sll_family = libc::AF_PACKET as u16;
    address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
    address.sll_ifindex = index;
    let length = size_of::<libc::sockaddr_ll>() as libc::socklen_t;
    // SAFETY: the kernel reads `length` bytes from the pointer, which are all there.
    let status = unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length) };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
