//! The cost of abstracting a screen of 500 widgets: `cargo bench -p retap-model --bench state`. The
//! goal is 50 µs. With valgrind it also counts instructions, which are the same on every machine.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a bench prints and may panic
#![allow(clippy::disallowed_methods)] // and, unlike the crate, it has a clock and runs valgrind

use retap_model::{Abstraction, Flags, Rect, Screen, Widget, Window, WindowKind};
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const WIDGETS: usize = 500;
const ROUNDS: u32 = 2_000;

fn main() {
    let screen = screen();
    // Under valgrind the program runs one abstraction, named by an argument, and nothing else.
    if let Some(name) = std::env::args().skip_while(|a| a != "--once").nth(1) {
        if let Ok(abstraction) = name.parse::<Abstraction>() {
            black_box(abstraction.state(black_box(&screen)));
        }
        return;
    }
    println!("{WIDGETS} widgets      µs/screen  instructions");
    let idle = instructions("none");
    for abstraction in Abstraction::ALL {
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            black_box(abstraction.state(black_box(&screen)));
        }
        let micros = begun.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS);
        let counted = instructions(&abstraction.to_string()).zip(idle);
        let counted = counted
            .map_or("no valgrind".into(), |(all, idle)| all.saturating_sub(idle).to_string());
        println!("{:<14} {micros:>12.1} {counted:>13}", abstraction.to_string());
    }
}

/// Counts the instructions of this very program when it runs one abstraction once.
fn instructions(name: &str) -> Option<u64> {
    let itself = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(itself)
        .args(["--once", name])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

fn screen() -> Screen {
    let widget = |n: usize| Widget {
        depth: (n % 7) as u16,
        class: "android.widget.TextView".into(),
        id: format!("com.example.app:id/item_{n}"),
        text: format!("The text of widget number {n}"),
        description: String::new(),
        bounds: Rect::new(0, n as i32, 100, n as i32 + 10),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "com.example.app".into(),
        title: String::new(),
        bounds: Rect::new(0, 0, 1080, 1920),
        focused: true,
        widgets: (0..WIDGETS).map(widget).collect(),
    };
    Screen { activity: "com.example.app.Main".into(), windows: vec![window], ..Screen::default() }
}
