//! The samples of a recording, in the text form of `agent/…/profile/SampleText.java`.

/// What a recording holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Samples {
    pub frames: Vec<SampledFrame>,
    pub stacks: Vec<Sample>,
    pub loads: Vec<ClassLoad>,
}

/// A frame of a stack. One method has several if it ran in several ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledFrame {
    pub form: CodeForm,
    /// The class and the method.
    pub name: String,
}

/// How the JVM runs a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeForm {
    Interpreted,
    Compiled,
    Native,
}

/// What a running thread was doing at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub time_ns: u64,
    pub thread: u64,
    /// The outermost frame first.
    pub stack: Vec<usize>,
}

/// The time in which a thread loaded and defined a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassLoad {
    pub begin_ns: u64,
    pub end_ns: u64,
    pub thread: u64,
}

impl Samples {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut samples = Self::default();
        for line in text.lines() {
            samples.add(line).ok_or_else(|| format!("unknown line {line:?}"))?;
        }
        Ok(samples)
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let parts: Vec<&str> = line.split('\t').collect();
        match parts[..] {
            ["frame", form, name] => {
                let form = match form {
                    "interpreted" => CodeForm::Interpreted,
                    "compiled" => CodeForm::Compiled,
                    "native" => CodeForm::Native,
                    _ => return None,
                };
                self.frames.push(SampledFrame { form, name: name.into() });
            }
            ["sample", time, thread, stack] => {
                let known = |number: &usize| *number < self.frames.len();
                let stack: Option<Vec<usize>> = stack
                    .split_whitespace()
                    .map(|number| number.parse().ok().filter(known))
                    .collect();
                self.stacks.push(Sample {
                    time_ns: time.parse().ok()?,
                    thread: thread.parse().ok()?,
                    stack: stack.filter(|stack| !stack.is_empty())?,
                });
            }
            ["load", begin, end, thread] => self.loads.push(ClassLoad {
                begin_ns: begin.parse().ok()?,
                end_ns: end.parse().ok()?,
                thread: thread.parse().ok()?,
            }),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_samples_and_loads_are_read() {
        let text =
            "frame\tinterpreted\ta.B.c\nframe\tnative\td.E.f\nsample\t7\t3\t0 1\nload\t1\t2\t3\n";
        let samples = Samples::parse(text).unwrap();
        assert_eq!(samples.frames[0].form, CodeForm::Interpreted);
        assert_eq!(samples.frames[1].name, "d.E.f");
        assert_eq!(samples.stacks, [Sample { time_ns: 7, thread: 3, stack: vec![0, 1] }]);
        assert_eq!(samples.loads, [ClassLoad { begin_ns: 1, end_ns: 2, thread: 3 }]);
    }

    #[test]
    fn a_sample_of_an_unknown_frame_is_refused() {
        assert!(Samples::parse("frame\tcompiled\ta.B.c\nsample\t7\t3\t1").is_err());
        assert!(Samples::parse("sample\t7\t3\t").is_err());
        assert!(Samples::parse("something\telse").is_err());
    }
}
