#!/usr/bin/env bash
# Manual pages, completion scripts and licence texts of a built diskcap, as packages and releases carry them.
#
#   packaging/artefacts.sh [DISKCAP] [FOLDER]
#
# DISKCAP is the command to ask (target/release/diskcap), FOLDER is made anew (target/artefacts).
set -euo pipefail
cd "$(dirname "$0")/.."
diskcap=$(realpath "${1:-target/release/diskcap}")
folder=${2:-target/artefacts}

rm -rf "$folder/man" "$folder/completions"
mkdir -p "$folder/completions"
export DISKCAP_CONFIG=none
"$diskcap" man "$folder/man"
for shell in bash:diskcap.bash zsh:_diskcap fish:diskcap.fish powershell:diskcap.ps1 nushell:diskcap.nu; do
  "$diskcap" completions "${shell%%:*}" > "$folder/completions/${shell#*:}"
done
packaging/licences.sh --texts "$folder/THIRD-PARTY-LICENCES.txt"
