//! seccomp: refuses the system calls that a JVM does not need and an app could do harm with.
//!
//! A refused call only fails with an error number, so that Java turns it into an exception.
//!
//! The program is our own, because it is short and because the available libraries do not apply
//! their rules to the calls of the x32 interface.

mod calls;

use calls::{
    FORBIDDEN, FORBIDDEN_COMMANDS, HARMLESS_IN_VIEW, ONLY_ON_ITSELF, SECOND_ONLY_ON_ITSELF,
    UNIMPLEMENTED, UNSUPPORTED,
};
use libc::{
    AF_UNIX, BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD,
    BPF_RET, BPF_W, CLONE_THREAD, ENOMEM, ENOSYS, ENOTSUP, EPERM, MAP_ANONYMOUS, MAP_GROWSDOWN,
    MAP_HUGETLB, MAP_SHARED, PR_SET_PDEATHSIG, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SOCK_STREAM,
    c_long, sock_filter, sock_fprog,
};
use std::io;

/// Offsets in the kernel's `struct seccomp_data`. Arguments are eight bytes, little-endian.
const CALL: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

#[cfg(target_arch = "x86_64")]
const THIS_ARCHITECTURE: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const THIS_ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const THIS_ARCHITECTURE: Option<u32> = None;

/// The first number of the x32 calls, which have the architecture of x86-64.
const X32: u32 = 0x4000_0000;

/// The bits of a socket's type that are not flags.
const SOCKET_KIND: u32 = 0xf;

/// A seccomp filter program.
#[derive(Debug)]
pub struct Filter {
    program: Vec<sock_filter>,
    /// The instructions that compare with the process's own id, which exists only after the fork.
    own_id_at: Vec<usize>,
}

impl Filter {
    /// Makes a filter. `has_view` says whether the process sees no files but those it may use.
    pub fn new(has_view: bool) -> Self {
        let mut filter = Self::none();
        let Some(architecture) = THIS_ARCHITECTURE else { return filter };
        filter.load(ARCHITECTURE);
        filter.refuse_unless(BPF_JEQ, architecture, ENOSYS);
        filter.load(CALL);
        if cfg!(target_arch = "x86_64") {
            filter.jump(BPF_JGE, X32, 0, 1);
            filter.refuse(ENOSYS);
        }
        filter.limit_mappings();
        let outside_view = if has_view { &[] } else { HARMLESS_IN_VIEW };
        for (calls, error) in [
            (FORBIDDEN, EPERM),
            (outside_view, EPERM),
            (UNSUPPORTED, ENOTSUP),
            (UNIMPLEMENTED, ENOSYS),
        ] {
            for &call in calls {
                filter.jump(BPF_JEQ, number(call), 0, 1);
                filter.refuse(error);
            }
        }
        filter.for_call(libc::SYS_clone, |filter| {
            filter.load_argument(0);
            filter.keep_bits(CLONE_THREAD as u32);
            filter.refuse_unless(BPF_JEQ, CLONE_THREAD as u32, EPERM);
        });
        // A pair of stream sockets has no end outside. Java makes one to close others safely.
        filter.for_call(libc::SYS_socketpair, |filter| {
            filter.load_argument(0);
            filter.refuse_unless(BPF_JEQ, AF_UNIX as u32, EPERM);
            filter.load_argument(1);
            filter.keep_bits(SOCKET_KIND);
            filter.refuse_unless(BPF_JEQ, SOCK_STREAM as u32, EPERM);
        });
        for (argument, calls) in [(0, ONLY_ON_ITSELF), (1, SECOND_ONLY_ON_ITSELF)] {
            for &call in calls {
                filter.for_call(call, |filter| {
                    filter.load_argument(argument);
                    filter.jump(BPF_JEQ, 0, 2, 0);
                    filter.own_id_at.push(filter.program.len());
                    filter.refuse_unless(BPF_JEQ, 0, EPERM);
                });
            }
        }
        // Flags of files, and what a terminal reads.
        filter.for_call(libc::SYS_ioctl, |filter| {
            filter.load_argument(1);
            for &command in FORBIDDEN_COMMANDS {
                filter.jump(BPF_JEQ, command, 0, 1);
                filter.refuse(EPERM);
            }
        });
        // The process ends with retap, whatever it wants.
        filter.for_call(libc::SYS_prctl, |filter| {
            filter.load_argument(0);
            filter.jump(BPF_JEQ, PR_SET_PDEATHSIG as u32, 0, 1);
            filter.refuse(EPERM);
        });
        filter.put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
        filter
    }

    /// Makes a filter that refuses nothing.
    pub fn none() -> Self {
        Self { program: Vec::new(), own_id_at: Vec::new() }
    }

    /// Refuses memory that the limit of writable memory does not count: shared, growing downwards, of huge pages.
    /// It comes first, because it is the only call here that is frequent and depends on its arguments.
    fn limit_mappings(&mut self) {
        const SHARED_MEMORY: u32 = (MAP_SHARED | MAP_ANONYMOUS) as u32;
        self.for_call(libc::SYS_mmap, |filter| {
            filter.load_argument(3);
            filter.jump(BPF_JSET, (MAP_GROWSDOWN | MAP_HUGETLB) as u32, 0, 1);
            filter.refuse(ENOMEM);
            filter.keep_bits(SHARED_MEMORY);
            filter.jump(BPF_JEQ, SHARED_MEMORY, 0, 1);
            filter.refuse(ENOMEM);
        });
    }

    /// Applies the filter to the calling thread and to everything it starts.
    #[allow(unsafe_code)]
    pub fn install(&mut self) -> io::Result<()> {
        if self.program.is_empty() || !is_supported() {
            return Ok(());
        }
        let own = rustix::process::getpid().as_raw_pid() as u32;
        for &at in &self.own_id_at {
            self.program[at].k = own;
        }
        let program =
            sock_fprog { len: self.program.len() as u16, filter: self.program.as_mut_ptr() };
        // SAFETY: the kernel copies the program, which lives until the call is over.
        let set = unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program)
        };
        if set == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Adds rules for one call, which is allowed if they do not refuse it.
    fn for_call(&mut self, call: c_long, rules: impl FnOnce(&mut Self)) {
        let start = self.program.len();
        self.jump(BPF_JEQ, number(call), 0, 0);
        rules(self);
        self.put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
        self.program[start].jf = (self.program.len() - start - 1) as u8;
    }

    fn refuse_unless(&mut self, test: u32, value: u32, error: i32) {
        self.jump(test, value, 1, 0);
        self.refuse(error);
    }

    fn refuse(&mut self, error: i32) {
        self.put(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error as u32, 0, 0);
    }

    /// Loads a field of the call's data.
    fn load(&mut self, field: u32) {
        self.put(BPF_LD | BPF_W | BPF_ABS, field, 0, 0);
    }

    /// Loads the lower half of an argument, which holds every number and flag that is checked here.
    fn load_argument(&mut self, index: u32) {
        self.load(ARGUMENTS + 8 * index);
    }

    fn keep_bits(&mut self, bits: u32) {
        self.put(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
    }

    /// Skips `yes` or `no` instructions, depending on the test.
    fn jump(&mut self, test: u32, value: u32, yes: u8, no: u8) {
        self.put(BPF_JMP | test | BPF_K, value, yes, no);
    }

    fn put(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.program.push(sock_filter { code: code as u16, jt, jf, k });
    }
}

/// Returns true if this kernel can install filters that answer with an error number.
#[allow(unsafe_code)]
pub fn is_supported() -> bool {
    let action: u32 = SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads one number, which lives until the call is over.
    let available = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action)
    };
    THIS_ARCHITECTURE.is_some() && available == 0
}

fn number(call: c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}
