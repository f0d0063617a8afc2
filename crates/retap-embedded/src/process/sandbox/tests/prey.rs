//! What a test leaves outside the sandbox for attempts to reach.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// The variables that tell the attempts what there is.
const VARIABLES: [&str; 8] =
    ["FOLDER", "READABLE", "OWN", "BYTES", "FILES", "PROCESS", "PORT", "HOST"];

/// Things outside the sandbox, and the limits of the folder inside.
#[derive(Debug, Clone)]
pub struct Prey {
    /// A folder with files to read, move and delete, one with an attribute, and a socket.
    pub folder: PathBuf,
    /// A file that the process may read, as retap's own jars are.
    pub readable: PathBuf,
    /// The process's own folder.
    pub own: PathBuf,
    pub own_bytes: usize,
    pub own_files: usize,
    pub process: i32,
    /// A port of the loopback. It is also the key of a queue, a semaphore and a shared memory.
    pub port: u16,
    pub host: String,
}

impl Prey {
    /// Returns the variables of a process that makes the attempts.
    pub fn variables(&self) -> [(&'static str, String); 8] {
        let [folder, readable, own] =
            [&self.folder, &self.readable, &self.own].map(|it| it.display().to_string());
        let [bytes, files] = [self.own_bytes, self.own_files].map(|it| it.to_string());
        let (process, port) = (self.process.to_string(), self.port.to_string());
        let values = [folder, readable, own, bytes, files, process, port, self.host.clone()];
        let mut values = values.into_iter();
        VARIABLES.map(|name| (name, values.next().unwrap()))
    }

    #[expect(clippy::disallowed_methods, reason = "the test tells the attempts by variables")]
    pub fn from_variables() -> Self {
        let [folder, readable, own, bytes, files, process, port, host] =
            VARIABLES.map(|name| std::env::var(name).unwrap());
        Self {
            folder: folder.into(),
            readable: readable.into(),
            own: own.into(),
            own_bytes: bytes.parse().unwrap(),
            own_files: files.parse().unwrap(),
            process: process.parse().unwrap(),
            port: port.parse().unwrap(),
            host,
        }
    }

    pub fn path(&self, name: &str) -> CString {
        c_path(&self.folder.join(name))
    }

    pub fn secret(&self) -> CString {
        self.path("secret")
    }

    pub fn readable(&self) -> CString {
        c_path(&self.readable)
    }

    pub fn key(&self) -> i32 {
        i32::from(self.port)
    }

    /// Returns the name of a POSIX queue.
    pub fn queue(&self) -> CString {
        CString::new(format!("/retap-{}", self.port)).unwrap()
    }
}

/// The things themselves, which are removed with this.
#[derive(Debug)]
pub struct LaidOut {
    pub prey: Prey,
    objects: [i32; 3],
    _sockets: (TcpListener, UdpSocket, UnixListener),
}

impl LaidOut {
    /// Lays everything out in an empty folder.
    pub fn new(at: &Path, own: PathBuf, own_bytes: usize, own_files: usize) -> Self {
        let [folder, shown] = ["prey", "shown"].map(|name| at.join(name));
        for it in [&folder, &shown] {
            fs::create_dir(it).unwrap();
        }
        for name in ["secret", "spare", "doomed", "marked"] {
            fs::write(folder.join(name), "secret").unwrap();
        }
        let readable = shown.join("readable");
        fs::write(&readable, "word").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let unix = UnixListener::bind(folder.join("socket")).unwrap();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim().to_string();
        let process = std::process::id() as i32;
        let prey = Prey { folder, readable, own, own_bytes, own_files, process, port, host };
        let value = b"value";
        // SAFETY: texts end with a zero byte and outlive the calls; the others take numbers.
        let objects = unsafe {
            let (path, name) = (prey.path("marked"), c"user.retap".as_ptr());
            libc::setxattr(path.as_ptr(), name, value.as_ptr().cast(), value.len(), 0);
            let queue = prey.queue();
            let attributes: *const libc::mq_attr = std::ptr::null();
            libc::mq_open(queue.as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o666, attributes);
            let flags = libc::IPC_CREAT | 0o666;
            [
                libc::msgget(prey.key(), flags),
                libc::semget(prey.key(), 1, flags),
                libc::shmget(prey.key(), 4096, flags),
            ]
        };
        assert!(objects.iter().all(|id| *id >= 0), "{objects:?}");
        Self { prey, objects, _sockets: (tcp, udp, unix) }
    }
}

impl Drop for LaidOut {
    fn drop(&mut self) {
        let [queue, semaphore, memory] = self.objects;
        // SAFETY: removes what was made; nothing is read or written.
        unsafe {
            libc::msgctl(queue, libc::IPC_RMID, std::ptr::null_mut());
            libc::semctl(semaphore, 0, libc::IPC_RMID);
            libc::shmctl(memory, libc::IPC_RMID, std::ptr::null_mut());
            libc::mq_unlink(self.prey.queue().as_ptr());
        }
    }
}

fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_encoded_bytes()).unwrap()
}
