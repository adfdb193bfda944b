#!/usr/bin/env bash
# Builds the Debian package and tries it: installed and removed again where this runs as root, else unpacked.
#
#   packaging/deb.sh [PROFILE]
#
# PROFILE is the cargo profile of the binary, release unless given; cargo-deb takes none of dev. cargo-deb itself is
# installed into target/tools where it is missing (a minute).
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-release}
cargo_deb_version=3.8.0

export PATH="$PWD/target/tools/bin:$PATH"
if ! command -v cargo-deb > /dev/null; then
  cargo install --quiet --locked --debug --root target/tools --target-dir target/tools/build \
    cargo-deb@$cargo_deb_version
fi

cargo build --locked --profile "$profile"
size=$(wc -c < "target/$profile/diskcap")
if [ "$profile" = release ] && [ "$size" -ge 30000000 ]; then
  echo "the binary has $size bytes, which is more than 30 MB" >&2
  exit 1
fi
packaging/artefacts.sh "target/$profile/diskcap"
package=$(cargo deb --locked --no-build --profile "$profile" --output target/debian/)
echo "built $package"

# The files that a user expects, below a root.
try() {
  local root=$1
  local diskcap=$root/usr/bin/diskcap file
  for file in share/man/man1/diskcap.1.gz share/man/man1/diskcap-plan.1.gz \
    share/bash-completion/completions/diskcap share/zsh/vendor-completions/_diskcap \
    share/fish/vendor_completions.d/diskcap.fish share/doc/diskcap/copyright \
    share/doc/diskcap/THIRD-PARTY-LICENCES.txt; do
    [ -s "$root/usr/$file" ] || { echo "$package lacks usr/$file" >&2; return 1; }
  done
  export DISKCAP_CONFIG=none
  "$diskcap" --version
  "$diskcap" plan --vm D8s_v5 --disk data=P30 --disk log=v2:size=256 | head -n 4
  bash --norc -c "PATH=$root/usr/bin:\$PATH
    source $root/usr/share/bash-completion/completions/diskcap
    COMP_LINE='diskcap plan --vm D8s_' COMP_POINT=22 COMP_WORDS=(diskcap plan --vm D8s_) COMP_CWORD=3
    _diskcap_complete diskcap D8s_ --vm
    [ \"\${COMPREPLY[0]}\" = D8s_v3 ]" || { echo "completion does not work" >&2; return 1; }
  gzip -dc "$root/usr/share/man/man1/diskcap-plan.1.gz" | grep -q '^.TH DISKCAP-PLAN 1'
}

if [ "$(id -u)" = 0 ] && ! dpkg-query --show diskcap > /dev/null 2>&1; then
  dpkg --install "$package"
  trap 'dpkg --remove diskcap > /dev/null' EXIT
  try ""
else
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  dpkg-deb --extract "$package" "$root"
  try "$root"
fi
echo "$package works"
