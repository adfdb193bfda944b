#!/usr/bin/env bash
# Checks plan files: each must be deployable and free of findings from FAIL_ON on. For pipelines and hooks.
#
#   check-plans.sh FILE...
#
# FAIL_ON is error, warning (unless given), info or never. In a GitHub workflow each plan is shown in the summary.
# Exits with 0 when all are fine, with 1 when a plan has such findings, with 2 when one cannot be deployed or read.
set -uo pipefail
fail_on=${FAIL_ON:-warning}
worst=0
for plan in "$@"; do
  report=$(diskcap plan "$plan" --fail-on "$fail_on" --format markdown)
  code=$?
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    printf '%s\n\n' "$report" >> "$GITHUB_STEP_SUMMARY"
  fi
  if [ "$code" -ne 0 ]; then
    printf '%s:\n' "$plan"
    diskcap plan "$plan" --fail-on "$fail_on" --format csv --table findings 2> /dev/null
  fi
  [ "$code" -gt "$worst" ] && worst=$code
done
exit "$worst"
