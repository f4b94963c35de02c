#!/usr/bin/env bash
# Installs what the comparisons with SPIN and Rumur need, where it is missing: Debian's packages `spin`, `rumur` and
# `gcc`. Where it may not install them it says what is missing; nothing else needs them.
set -uo pipefail

missing=()
for tool in spin rumur gcc; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "comparison with SPIN and Rumur: missing: ${missing[*]}. On Debian, as root: apt-get install ${missing[*]}"
    exit 0
fi
echo "comparison with SPIN and Rumur: installing with apt-get: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "comparison with SPIN and Rumur: the packages could not be installed; it is left out" >&2
fi
