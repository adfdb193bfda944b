#!/bin/sh
# Builds the book into docs/book and checks every link and anchor of the built pages.
# mdbook is installed beside the build where it is missing (once: about a minute of CPU).
set -eu
cd "$(dirname "$0")/.."
version=0.5.4
tools="${CARGO_TARGET_DIR:-target}/tools"

if ! "$tools/bin/mdbook" --version 2>/dev/null | grep -q "v$version\$"; then
    # Unoptimised: a book of this size builds in a second all the same.
    CARGO_TARGET_DIR="$tools/build" cargo install --locked --quiet --debug --root "$tools" \
        --no-default-features --features search \
        --version "$version" mdbook
    rm -rf "$tools/build"
fi

rm -rf docs/book
"$tools/bin/mdbook" build docs
cp -R docs/schema docs/book/schema
cargo test --locked --quiet --test docs -- --ignored built_book
