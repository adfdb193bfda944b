#!/usr/bin/env bash
# The bill of materials of the binary, as CycloneDX JSON beside the release: target/artefacts/diskcap.cdx.json.
# Needs cargo-cyclonedx 0.5 (`cargo install --locked cargo-cyclonedx@0.5.9`).
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-cyclonedx > /dev/null || { sed -n '3p' "$0" >&2; exit 2; }
mkdir -p target/artefacts
cargo cyclonedx --format json --target all --override-filename diskcap.cdx
mv diskcap.cdx.json target/artefacts/
echo "target/artefacts/diskcap.cdx.json"
