//! iostat of sysstat 9 to 12: text (with or without `-x`, `-t`, `-m`, `-h`) and `-o JSON`.

mod blocks;
mod columns;
pub(super) mod json;
mod sizes;
pub(super) mod text;
