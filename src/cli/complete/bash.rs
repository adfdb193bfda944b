//! Bash. It splits words at `=` and `:` too, so that `data=P30:ca` reaches a completion function in five pieces; the
//! script puts them together again, which the one of `clap_complete` does not.

use std::ffi::OsString;
use std::io::{Result, Write};
use std::path::Path;

use clap_complete::env::{self, EnvCompleter};

/// The script, with the names to fill in.
const SCRIPT: &str = include_str!("bash.sh");

/// Bash with words put together again.
pub struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        env::Bash.name()
    }

    fn is(&self, name: &str) -> bool {
        env::Bash.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        _name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> Result<()> {
        let script = SCRIPT
            .replace("@COMMAND@", bin)
            .replace("@COMPLETER@", completer)
            .replace("@VARIABLE@", var);
        buf.write_all(script.as_bytes())
    }

    fn write_complete(
        &self,
        cmd: &mut clap::Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> Result<()> {
        env::Bash.write_complete(cmd, args, current_dir, buf)
    }
}
