//! Attempts on the network, the queues and the kernel of the machine.

use super::{Attempt, answer, gained};
use std::ffi::CStr;
use std::io;
use std::net::TcpStream;

pub const ATTEMPTS: &[Attempt] = &[
    ("connect to the loopback", |prey| TcpStream::connect(("127.0.0.1", prey.port)).map(drop)),
    ("send a datagram", |prey| {
        let socket = std::net::UdpSocket::bind("127.0.0.1:0")?;
        socket.send_to(b"word", ("127.0.0.1", prey.port)).map(drop)
    }),
    ("connect to a socket with a path", |prey| {
        std::os::unix::net::UnixStream::connect(prey.folder.join("socket")).map(drop)
    }),
    ("open a raw socket", |_| {
        answer(unsafe { libc::socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP) })
    }),
    ("open a packet socket", |_| {
        answer(unsafe { libc::socket(libc::AF_PACKET, libc::SOCK_RAW, 0) })
    }),
    ("msgget", |prey| answer(unsafe { libc::msgget(prey.key(), 0) })),
    ("semget", |prey| answer(unsafe { libc::semget(prey.key(), 0, 0) })),
    ("shmget", |prey| answer(unsafe { libc::shmget(prey.key(), 0, 0) })),
    ("find queues by their numbers", |_| find(libc::SYS_msgctl)),
    ("find shared memory by its numbers", |_| find(libc::SYS_shmctl)),
    ("mq_open", |prey| {
        let name = prey.queue();
        answer(unsafe { libc::mq_open(name.as_ptr(), libc::O_RDWR) })
    }),
    ("mq_unlink", |prey| {
        let name = prey.queue();
        answer(unsafe { libc::syscall(libc::SYS_mq_unlink, name.as_ptr().add(1)) })
    }),
    ("add a key", |_| {
        let (kind, word) = (c"user".as_ptr(), c"retap-attempt".as_ptr());
        const PROCESS_KEYRING: i64 = -2;
        answer(unsafe { libc::syscall(libc::SYS_add_key, kind, word, word, 5, PROCESS_KEYRING) })
    }),
    ("io_uring_setup", |_| {
        let settings = [0_u8; 120];
        answer(unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, settings.as_ptr()) })
    }),
    ("bpf", |_| {
        // An array of one number.
        let map = [2_u32, 4, 4, 1, 0, 0, 0, 0];
        answer(unsafe { libc::syscall(libc::SYS_bpf, 0, map.as_ptr(), size_of_val(&map)) })
    }),
    ("userfaultfd", |_| answer(unsafe { libc::syscall(libc::SYS_userfaultfd, 1) })),
    ("perf_event_open", |_| {
        let mut settings = [0_u32; 32];
        (settings[0], settings[1]) = (1, 128);
        let (call, settings) = (libc::SYS_perf_event_open, settings.as_ptr());
        answer(unsafe { libc::syscall(call, settings, 0, -1, -1, 0) })
    }),
    ("mount", |_| {
        let (kind, at) = (c"tmpfs".as_ptr(), c"/usr".as_ptr());
        answer(unsafe { libc::mount(kind, at, kind, 0, std::ptr::null()) })
    }),
    ("chroot", |_| answer(unsafe { libc::chroot(c"/usr".as_ptr()) })),
    ("fsopen", |_| answer(unsafe { libc::syscall(libc::SYS_fsopen, c"tmpfs".as_ptr(), 0) })),
    ("set the host's name", |_| answer(unsafe { libc::sethostname(c"localhost".as_ptr(), 9) })),
    ("set the clock", |_| {
        // A second to come, at once.
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        answer(unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut now) })?;
        answer(unsafe { libc::clock_settime(libc::CLOCK_REALTIME, &raw const now) })
    }),
    ("learn the host's name", |prey| {
        let mut name = [0_u8; 256];
        answer(unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len()) })?;
        let name = CStr::from_bytes_until_nul(&name).map_err(io::Error::other)?;
        gained(name.to_bytes() == prey.host.as_bytes() && prey.host != "localhost")
    }),
];

/// Asks for the state of the object with each of the first numbers.
fn find(call: libc::c_long) -> io::Result<()> {
    // `MSG_STAT_ANY` and `SHM_STAT_ANY`.
    let any = if call == libc::SYS_msgctl { 13 } else { 15 };
    let mut state = [0_u64; 64];
    let ask = |number: i32| unsafe { libc::syscall(call, number, any, state.as_mut_ptr()) };
    gained((0..64).map(ask).any(|answer| answer >= 0))
}
