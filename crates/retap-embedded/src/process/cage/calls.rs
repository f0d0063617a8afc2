//! seccomp: the system calls that a JVM has no need of and an app could do harm with. A list of what is
//! refused rather than of what is allowed: every JDK, C library and kernel brings calls of its own,
//! and files, the largest part, are Landlock's. A refused call fails with an error number and nothing
//! else, so that Java turns it into an exception.
//!
//! The program is written out here because it is short and because the libraries at hand let the
//! calls of the x32 interface pass beside their rules.

use libc::{
    AF_UNIX, BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W,
    CLONE_THREAD, ENOSYS, EPERM, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SOCK_STREAM, c_long,
    sock_filter, sock_fprog,
};
use std::io;

/// Fields of the kernel's `struct seccomp_data`; arguments are eight bytes, little end first.
const CALL: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

#[cfg(target_arch = "x86_64")]
const THIS_ARCHITECTURE: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const THIS_ARCHITECTURE: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const THIS_ARCHITECTURE: Option<u32> = None;

/// x32 calls have the architecture of x86-64 and numbers from here on.
const X32: u32 = 0x4000_0000;

/// The kind of a socket without its flags.
const SOCKET_KIND: u32 = 0xf;

/// Refused as if the process lacked the permission.
const FORBIDDEN: &[c_long] = &[
    // The network, and any other program's socket.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Other processes.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // What outlives the process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The machine.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Refused as if the kernel were an older one, so that callers fall back to what can be judged: the
/// flags of `clone3` lie in memory, which a filter cannot read.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
];

/// Only on the process itself.
const OWN: &[c_long] = &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_prlimit64];

#[derive(Debug)]
pub struct Filter {
    program: Vec<sock_filter>,
    /// Where the process's own number belongs, which exists only after the fork.
    own: Vec<usize>,
}

impl Filter {
    pub fn new() -> Self {
        let mut filter = Self { program: Vec::new(), own: Vec::new() };
        let Some(architecture) = THIS_ARCHITECTURE else { return filter };
        filter.load(ARCHITECTURE);
        filter.unless(BPF_JEQ, architecture, ENOSYS);
        filter.load(CALL);
        if cfg!(target_arch = "x86_64") {
            filter.jump(BPF_JGE, X32, 0, 1);
            filter.refuse(ENOSYS);
        }
        for (calls, error) in [(FORBIDDEN, EPERM), (UNKNOWN, ENOSYS)] {
            for &call in calls {
                filter.jump(BPF_JEQ, number(call), 0, 1);
                filter.refuse(error);
            }
        }
        filter.judge(libc::SYS_clone, |filter| {
            filter.argument(0);
            filter.keep_bits(CLONE_THREAD as u32);
            filter.unless(BPF_JEQ, CLONE_THREAD as u32, EPERM);
        });
        // A pair of stream sockets has no end outside; Java makes one to close others safely.
        filter.judge(libc::SYS_socketpair, |filter| {
            filter.argument(0);
            filter.unless(BPF_JEQ, AF_UNIX as u32, EPERM);
            filter.argument(1);
            filter.keep_bits(SOCKET_KIND);
            filter.unless(BPF_JEQ, SOCK_STREAM as u32, EPERM);
        });
        for &call in OWN {
            filter.judge(call, |filter| {
                filter.argument(0);
                filter.jump(BPF_JEQ, 0, 2, 0);
                filter.own.push(filter.program.len());
                filter.unless(BPF_JEQ, 0, EPERM);
            });
        }
        filter.put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
        filter
    }

    /// From here on the calling thread and all that it starts are inside.
    #[allow(unsafe_code)]
    pub fn install(&mut self) -> io::Result<()> {
        if self.program.is_empty() || !is_known_here() {
            return Ok(());
        }
        let own = rustix::process::getpid().as_raw_pid() as u32;
        for &place in &self.own {
            self.program[place].k = own;
        }
        let program =
            sock_fprog { len: self.program.len() as u16, filter: self.program.as_mut_ptr() };
        // SAFETY: the kernel copies the program, which lives until the call is over.
        let set = unsafe {
            libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program)
        };
        if set == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// The part applies to one call, and what it does not refuse is allowed.
    fn judge(&mut self, call: c_long, part: impl FnOnce(&mut Self)) {
        let start = self.program.len();
        self.jump(BPF_JEQ, number(call), 0, 0);
        part(self);
        self.put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
        self.program[start].jf = (self.program.len() - start - 1) as u8;
    }

    fn unless(&mut self, test: u32, value: u32, error: i32) {
        self.jump(test, value, 1, 0);
        self.refuse(error);
    }

    fn refuse(&mut self, error: i32) {
        self.put(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error as u32, 0, 0);
    }

    fn load(&mut self, field: u32) {
        self.put(BPF_LD | BPF_W | BPF_ABS, field, 0, 0);
    }

    /// The lower half, which holds all of the numbers and flags that are looked at here.
    fn argument(&mut self, index: u32) {
        self.load(ARGUMENTS + 8 * index);
    }

    fn keep_bits(&mut self, bits: u32) {
        self.put(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
    }

    fn jump(&mut self, test: u32, value: u32, yes: u8, no: u8) {
        self.put(BPF_JMP | test | BPF_K, value, yes, no);
    }

    fn put(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.program.push(sock_filter { code: code as u16, jt, jf, k });
    }
}

/// Whether filters can be installed and can answer with an error number.
#[allow(unsafe_code)]
pub fn is_known_here() -> bool {
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
