//! An adb server that answers as it was told, for phones that nobody can plug in: unauthorized, offline, full, of another
//! processor.

use retap_adb::AdbEnvironment;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

/// What the server says.
#[derive(Debug, Clone, Default)]
pub struct ServerScript {
    /// The list of devices.
    pub devices: &'static str,
    /// Why the server opens no service of a phone, if it does not.
    pub refusal: Option<&'static str>,
    /// What the phone answers to an installation.
    pub install: &'static str,
}

const PROPERTIES: &str = "[ro.build.version.sdk]: [34]\n[sys.boot_completed]: [1]\n[ro.product.cpu.abilist]: [arm64-v8a,armeabi-v7a]\n";
const SIZE: &str = "Physical size: 1080x1920\nPhysical density: 480\n";

/// Starts a server that lives as long as the test program.
pub fn start(script: ServerScript) -> AdbEnvironment {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = Arc::new(script);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let script = Arc::clone(&script);
            // A client that goes away early is no failure.
            std::thread::spawn(move || drop(answer(stream, &script)));
        }
    });
    AdbEnvironment::at_port(port)
}

fn answer(mut stream: TcpStream, script: &ServerScript) -> std::io::Result<()> {
    loop {
        let request = read_request(&mut stream)?;
        let block = |text: &str| format!("OKAY{:04x}{text}", text.len());
        let fail = |text: &str| format!("FAIL{:04x}{text}", text.len());
        match (request.as_str(), script.refusal) {
            ("host:devices-l", _) => return stream.write_all(block(script.devices).as_bytes()),
            (request, Some(refusal)) if request.starts_with("host:transport:") => {
                return stream.write_all(fail(refusal).as_bytes());
            }
            (request, None) if request.starts_with("host:transport:") => {
                stream.write_all(b"OKAY")?;
            }
            (request, _) if request.ends_with(":features") => {
                return stream.write_all(block("shell_v2,cmd").as_bytes());
            }
            (request, _) if request.starts_with("host:connect:") => {
                return stream.write_all(block("failed to connect").as_bytes());
            }
            (service, _) => {
                stream.write_all(b"OKAY")?;
                return serve(service, &mut stream, script);
            }
        }
    }
}

fn read_request(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut request = vec![0; length];
    stream.read_exact(&mut request)?;
    Ok(String::from_utf8(request).unwrap())
}

fn serve(service: &str, stream: &mut TcpStream, script: &ServerScript) -> std::io::Result<()> {
    if let Some(line) = service.strip_prefix("shell,v2,raw:") {
        let output = run_batch(line);
        let length = u32::try_from(output.len()).unwrap().to_le_bytes();
        stream.write_all(&[&[1], length.as_slice(), output.as_bytes()].concat())?;
        return stream.write_all(&[3, 1, 0, 0, 0, 0]);
    }
    if let Some((_, size)) = service.rsplit_once("-S ") {
        let mut apk = vec![0; size.trim().parse().unwrap()];
        stream.read_exact(&mut apk)?;
        stream.write_all(script.install.as_bytes())?;
    }
    stream.shutdown(Shutdown::Both)
}

/// Answers a line of commands, each of which is followed by a mark.
fn run_batch(line: &str) -> String {
    let mut output = String::new();
    for part in line.split("; c=$?; echo; echo ") {
        let (mark, command) = match part.split_once(":$c") {
            Some((mark, command)) => (mark, command),
            None => ("", part),
        };
        if !mark.is_empty() {
            output.push_str(&format!("\n{mark}:0\n"));
        }
        output.push_str(match command.trim_start_matches([';', ' ']) {
            "getprop" => PROPERTIES,
            command if command.starts_with("wm size") => SIZE,
            _ => "",
        });
    }
    output
}
