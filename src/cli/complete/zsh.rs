//! Zsh, with keys of a disk spec (`cache=`) left open for their value: the script of `clap_complete` puts a blank behind
//! everything that is no folder.

use std::ffi::OsString;
use std::io::{Result, Write};
use std::path::Path;

use clap_complete::env::{self, EnvCompleter};

/// The line of the script that offers what is no folder.
const OFFER: &str = "[[ -n $other ]] && _describe -V 'values' other";

/// The same, with what ends in `=` apart.
const OFFER_OPEN: &str = "\
local -a open=(\"${(@M)other:#*=(|:*)}\")
        other=(\"${(@)other:#*=(|:*)}\")
        [[ -n $open ]] && _describe -V 'values' open -S ''
        [[ -n $other ]] && _describe -V 'values' other";

/// Zsh with keys left open.
pub struct Zsh;

impl EnvCompleter for Zsh {
    fn name(&self) -> &'static str {
        env::Zsh.name()
    }

    fn is(&self, name: &str) -> bool {
        env::Zsh.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> Result<()> {
        let mut script = Vec::new();
        env::Zsh.write_registration(var, name, bin, completer, &mut script)?;
        let script = String::from_utf8_lossy(&script).replace(OFFER, OFFER_OPEN);
        buf.write_all(script.as_bytes())
    }

    fn write_complete(
        &self,
        cmd: &mut clap::Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> Result<()> {
        env::Zsh.write_complete(cmd, args, current_dir, buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_still_has_the_line_that_is_replaced() {
        let mut script = Vec::new();
        env::Zsh
            .write_registration("V", "n", "b", "c", &mut script)
            .unwrap();
        assert!(String::from_utf8(script).unwrap().contains(OFFER));
    }
}
