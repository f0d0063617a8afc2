//! Tiny dex files for tests: one class `La/Main;` with one method `run()V`, whose code the test
//! chooses, and the id of one method to call.

/// String number of `native`.
pub const NATIVE: u16 = 5;
/// DexMethod number of `System.loadLibrary`.
pub const LOAD: u16 = 1;

const STRINGS: [&str; 9] = [
    "La/Main;",
    "Ljava/lang/Object;",
    "Ljava/lang/String;",
    "Ljava/lang/System;",
    "V",
    "native",
    "run",
    "loadLibrary",
    "VL",
];
const TYPES: [u32; 5] = [0, 1, 2, 3, 4];
const HEADER_LEN: usize = 0x70;

/// Returns a file whose `run` loads the library `native`.
pub fn loading_a_library() -> Vec<u8> {
    with_code(&[0x001a, NATIVE, 0x1071, LOAD, 0, 0x000e])
}

/// Returns a file whose `run` has this code.
pub fn with_code(code: &[u16]) -> Vec<u8> {
    build(code, 1)
}

/// Returns thousands of class definitions with one body of thousands of instructions.
pub fn classes_sharing_one_body() -> Vec<u8> {
    build(&[0x0000; 20_000], 5_000)
}

fn build(code: &[u16], classes: u32) -> Vec<u8> {
    let strings_at = HEADER_LEN;
    let types_at = strings_at + 4 * STRINGS.len();
    let protos_at = types_at + 4 * TYPES.len();
    let methods_at = protos_at + 2 * 12;
    let classes_at = methods_at + 2 * 8;
    let data_at = classes_at + 32 * classes as usize;

    let mut data = Vec::new();
    let mut string_ids = Vec::new();
    let here = |data: &Vec<u8>| (data_at + data.len()) as u32;
    // Parameters of loadLibrary: one type, java.lang.String.
    let parameters_at = here(&data);
    data.extend(words(&[1]));
    data.extend(halves(&[2, 0]));
    let code_at = here(&data);
    data.extend(halves(&[1, 0, 1, 0]));
    data.extend(words(&[0, code.len() as u32]));
    data.extend(halves(code));
    let class_data_at = here(&data);
    data.extend([0, 0, 1, 0, 0, 9]);
    data.extend(uleb128(code_at));
    for text in STRINGS {
        string_ids.push(here(&data));
        data.push(text.len() as u8);
        data.extend(text.as_bytes());
        data.push(0);
    }

    let mut file = b"dex\n035\0".to_vec();
    file.resize(0x20, 0);
    file.extend(words(&[(data_at + data.len()) as u32, HEADER_LEN as u32, 0x1234_5678]));
    file.resize(0x38, 0);
    file.extend(words(&[STRINGS.len() as u32, strings_at as u32]));
    file.extend(words(&[TYPES.len() as u32, types_at as u32]));
    file.extend(words(&[2, protos_at as u32, 0, 0, 2, methods_at as u32]));
    file.extend(words(&[classes, classes_at as u32, data.len() as u32, data_at as u32]));
    file.extend(words(&string_ids));
    file.extend(words(&TYPES));
    file.extend(words(&[4, 4, 0, 8, 4, parameters_at]));
    file.extend(halves(&[0, 0]));
    file.extend(words(&[6]));
    file.extend(halves(&[3, 1]));
    file.extend(words(&[7]));
    for _ in 0..classes {
        file.extend(words(&[0, 1, 1, 0, u32::MAX, 0, class_data_at, 0]));
    }
    file.extend(data);
    file
}

fn uleb128(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}
