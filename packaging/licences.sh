#!/usr/bin/env bash
# The licences of everything that the binary is made of, on every platform.
#
#   packaging/licences.sh            writes packaging/licences.tsv anew
#   packaging/licences.sh --check    says whether it is current, and whether every licence is one that we take
#   packaging/licences.sh --texts FILE   gathers the licence texts, as a package carries them
set -euo pipefail
cd "$(dirname "$0")/.."
list=packaging/licences.tsv

# Crate, version and licence, one a line; what only builds or tests is not shipped.
crates() {
  printf 'crate\tversion\tlicence\n'
  cargo tree --locked --target all --edges normal,no-proc-macro --prefix none --format '{p}|{l}' |
    sed -e 's/ (\*)$//' -e '/ (\/.*)|/d' -e '/ ([A-Za-z]:.*)|/d' |
    sed -E 's/^([^ ]+) v([^ |]+)[^|]*\|(.*)$/\1\t\2\t\3/' |
    LC_ALL=C sort -u
}

# Each licence is an offer: one of its alternatives must be among those of deny.toml, and of parts joined by AND each.
allowed() {
  sed -n '/^allow = \[/,/^\]/s/^ *"\([^"]*\)".*/\1/p' deny.toml
}

check_allowed() {
  awk -F'\t' -v allowed="$(allowed | tr '\n' '|')" '
    function taken(text,   parts, i, n) {
      gsub(/^ +| +$/, "", text)
      n = split(text, parts, / OR |\//)
      for (i = 1; i <= n; i++) if (index("|" allowed, "|" parts[i] "|")) return 1
      return 0
    }
    NR > 1 {
      text = $3; gsub(/[()]/, "", text)
      n = split(text, parts, / AND /)
      for (i = 1; i <= n; i++) if (!taken(parts[i])) { print $1 " " $2 ": " $3 " is not taken (deny.toml)"; bad = 1 }
    }
    END { exit bad }
  ' "$list" >&2
}

texts() {
  local registry crate version licence folder file sum
  declare -A crates_of=() text_of=()
  registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
  while IFS=$'\t' read -r crate version licence; do
    for folder in "$registry"/*/"$crate-$version"; do
      for file in "$folder"/{LICEN[CS]E,COPYING,NOTICE,UNLICENSE,COPYRIGHT}*; do
        [ -f "$file" ] || continue
        sum=$(sha256sum < "$file")
        crates_of[$sum]+="$crate $version, "
        text_of[$sum]=$file
      done
    done
  done < <(tail -n +2 "$list")
  for sum in "${!text_of[@]}"; do
    printf '%s\t%s\n' "${crates_of[$sum]}" "$sum"
  done | LC_ALL=C sort | while IFS=$'\t' read -r _ sum; do
    printf '%s\n%s\n\n' "${crates_of[$sum]%, }" "$(printf '%.0s-' {1..78})"
    cat "${text_of[$sum]}"
    printf '\n\n'
  done
}

case "${1:-}" in
  "") crates > "$list" ;;
  --check)
    diff -u "$list" <(crates) >&2 || { echo "$list is out of date: packaging/licences.sh" >&2; exit 1; }
    check_allowed
    ;;
  --texts)
    { printf 'Licences of the libraries that diskcap is made of.\n\n'; texts; } > "$2"
    ;;
  *) sed -n '2,6p' "$0" >&2; exit 2 ;;
esac
