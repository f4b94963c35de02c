#!/usr/bin/env bash
# debian-packages.sh LOG PACKAGE...: installs packages of Debian with apt-get, as root or by way of sudo,
# what that says going into the file LOG. Says on standard error why it cannot, and ends with 1.
set -euo pipefail

log=$1
shift
give_up() { printf '%s\n' "$*" >&2; exit 1; }

command -v apt-get >/dev/null ||
    give_up "these packages of Debian are missing, and there is no apt-get here: $*"
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        give_up "these packages are missing: $*. Install them as root: apt-get install $*"
    root=(sudo)
fi
echo "installing missing packages with apt-get: $*"
if ! {
    "${root[@]}" apt-get update -q &&
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
} >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    give_up "the packages could not be installed; all of the output is in $log"
fi
