#!/bin/sh
# Checks HTML reports in a real Chromium; installs Debian's package where it is missing.
#   DISKCAP_PAGES=DIR        also checks every .html file in DIR for errors and overflow
#   DISKCAP_SCREENSHOTS=DIR  leaves pictures of the pages in DIR
set -eu
cd "$(dirname "$0")/../.."
if ! command -v chromium >/dev/null 2>&1; then
    apt-get update
    apt-get install -y --no-install-recommends chromium fonts-dejavu-core
fi
exec cargo test --test browser "$@" -- --ignored
