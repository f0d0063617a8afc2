//! How the model looks on disk. Readers are strict and kind: they name the file, the line and what was
//! expected, and never take more memory than a bounded line at a time.
