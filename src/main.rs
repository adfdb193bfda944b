//! The `diskcap` command.

fn main() {}
