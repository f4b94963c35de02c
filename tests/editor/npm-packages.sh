#!/usr/bin/env bash
# npm-packages.sh FOLDER: installs the npm packages that FOLDER's lock file names, unless they are there.
# npm-packages.sh --check: only sees whether Node and npm will do.
set -euo pipefail

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "Node 20 or later, with npm, is missing. Install it, for instance the package nodejs of deb.nodesource.com." >&2
    exit 1
fi
if [ "$(node -p 'parseInt(process.versions.node)')" -lt 20 ]; then
    echo "Node $(node --version) is too old: version 20 or later is needed." >&2
    exit 1
fi
[ "$1" != --check ] || exit 0

cd "$1"
# npm leaves this file after each install; one that is older than the lock file is out of date.
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
    echo "installing the npm packages of $(basename "$PWD")"
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
    touch node_modules/.package-lock.json
fi
