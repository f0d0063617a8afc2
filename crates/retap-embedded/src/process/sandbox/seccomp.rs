//! seccomp: refuses the system calls that a JVM does not need and an app could do harm with.
//!
//! The list names what is refused, not what is allowed: every JDK, C library and kernel brings calls
//! of its own, and Landlock guards files, the largest part. A refused call only fails with an error
//! number, so that Java turns it into an exception.
//!
//! The program is our own, because it is short and because the available libraries do not apply
//! their rules to the calls of the x32 interface.

use libc::{
    AF_UNIX, BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W,
    CLONE_THREAD, ENOSYS, EPERM, SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SOCK_STREAM, c_long,
    sock_filter, sock_fprog,
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

/// Calls that fail as if the process lacked the permission.
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
    // Objects that outlive the process.
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

/// Calls that fail as if the kernel were older, so that callers fall back to ones that a filter can
/// check: the flags of `clone3` lie in memory, which a filter cannot read.
const UNIMPLEMENTED: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
];

/// Calls that are allowed only on the process itself.
const ONLY_ON_ITSELF: &[c_long] = &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_prlimit64];

/// A seccomp filter program.
#[derive(Debug)]
pub struct Filter {
    program: Vec<sock_filter>,
    /// The instructions that compare with the process's own id, which exists only after the fork.
    own_id_at: Vec<usize>,
}

impl Filter {
    pub fn new() -> Self {
        let mut filter = Self { program: Vec::new(), own_id_at: Vec::new() };
        let Some(architecture) = THIS_ARCHITECTURE else { return filter };
        filter.load(ARCHITECTURE);
        filter.refuse_unless(BPF_JEQ, architecture, ENOSYS);
        filter.load(CALL);
        if cfg!(target_arch = "x86_64") {
            filter.jump(BPF_JGE, X32, 0, 1);
            filter.refuse(ENOSYS);
        }
        for (calls, error) in [(FORBIDDEN, EPERM), (UNIMPLEMENTED, ENOSYS)] {
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
        for &call in ONLY_ON_ITSELF {
            filter.for_call(call, |filter| {
                filter.load_argument(0);
                filter.jump(BPF_JEQ, 0, 2, 0);
                filter.own_id_at.push(filter.program.len());
                filter.refuse_unless(BPF_JEQ, 0, EPERM);
            });
        }
        filter.put(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
        filter
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
