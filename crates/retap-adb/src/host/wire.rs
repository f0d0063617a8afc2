//! The frames of the adb server's protocol: four hexadecimal digits of length, then the text; `OKAY` or `FAIL`.

use std::io::{self, Read, Write};

pub fn write_request(stream: &mut impl Write, request: &str) -> io::Result<()> {
    if request.len() > 0xffff {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a request is too long for adb"));
    }
    stream.write_all(format!("{:04x}{request}", request.len()).as_bytes())
}

/// Reads whether the server agrees. The inner error is its reason.
pub fn read_status(stream: &mut impl Read) -> io::Result<Result<(), String>> {
    let mut status = [0; 4];
    stream.read_exact(&mut status)?;
    match &status {
        b"OKAY" => Ok(Ok(())),
        b"FAIL" => Ok(Err(read_block(stream)?)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "neither OKAY nor FAIL came")),
    }
}

/// Reads a text with its length in front.
pub fn read_block(stream: &mut impl Read) -> io::Result<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits)?;
    let length = std::str::from_utf8(&digits).ok().and_then(|it| u64::from_str_radix(it, 16).ok());
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no length came"))?;
    let mut text = Vec::new();
    stream.take(length).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_have_their_length_in_front() {
        let mut sent = Vec::new();
        write_request(&mut sent, "host:version").unwrap();
        assert_eq!(sent, b"000chost:version");
        assert!(write_request(&mut sent, &"x".repeat(0x10000)).is_err());
        assert_eq!(read_status(&mut &b"OKAY"[..]).unwrap(), Ok(()));
        let refused = read_status(&mut &b"FAIL0014device unauthorized."[..]).unwrap();
        assert_eq!(refused, Err("device unauthorized.".into()));
        assert!(read_status(&mut &b"WHAT"[..]).is_err());
        assert!(read_block(&mut &b"zzzz"[..]).is_err());
    }
}
