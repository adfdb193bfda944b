#!/usr/bin/env bash
# Packs the crate as it would be published, and says when it holds what it must not, or lacks what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
listed=$(cargo package --locked --allow-dirty --list)
for needed in Cargo.lock Cargo.toml build.rs src/main.rs sku-data/SOURCES.md sku-data/azure-vm-sizes.csv \
  src/cli/complete/bash.sh src/report/html/page.css README.md LICENSE-MIT LICENSE-APACHE; do
  grep -qxF "$needed" <<< "$listed" || { echo "the crate lacks $needed" >&2; exit 1; }
done
if unwanted=$(grep -E '^(tests|fuzz|docs|benches|packaging|target|\.)/' <<< "$listed"); then
  echo "the crate holds what nobody builds from:" >&2
  head -n 5 <<< "$unwanted" >&2
  exit 1
fi
# Built from the packed files alone.
cargo package --locked --allow-dirty
# The next build in this folder would take what was built from there for its own.
rm -rf target/debug/.fingerprint/diskcap-* target/package/diskcap-*/
crate=$(ls -t target/package/diskcap-*.crate | head -n 1)
size=$(stat --format %s "$crate")
[ "$size" -le 5000000 ] || { echo "$crate has $size bytes, more than 5,000,000" >&2; exit 1; }
echo "$crate: $size bytes, $(wc -l <<< "$listed") files"
