#!/usr/bin/env bash
# Installs what the editor test needs, and nothing that is already there:
#   - Debian's packages: a browser, and what code-server's native modules are compiled with;
#   - code-server, which is VS Code's own workbench served to a browser, into target/editor-rig;
#   - the library that drives the browser, into tests/editor/node_modules;
#   - what the extension is built with, into vscode-extension/node_modules.
# Everything comes from apt and npm. The folder of code-server is kept between runs.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rig=${EDITOR_RIG:-$here/../../target/editor-rig}
# The newest release that runs on Node 20; it is VS Code 1.100.3.
version=4.100.3

say() { printf 'editor test: %s\n' "$*"; }
give_up() { printf 'editor test: %s\n' "$*" >&2; exit 1; }

# Says what an installation printed last, and stops.
failed() {
    tail -n 60 "$rig/install.log" >&2
    give_up "$1; all of the output is in $rig/install.log"
}

install_packages() {
    local wanted=() package
    for package in chromium fonts-dejavu-core ripgrep libkrb5-dev pkg-config g++ make python3; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted+=("$package")
    done
    [ ${#wanted[@]} -eq 0 ] || "$here/../debian-packages.sh" "$rig/install.log" "${wanted[@]}" || exit 1
}

install_code_server() {
    local dest=$rig/code-server-$version
    [ ! -e "$dest/complete" ] || return 0
    [ "$(node -p 'parseInt(process.versions.node)')" -eq 20 ] ||
        say "code-server $version is made for Node 20; with $(node --version) it may not install"
    say "installing code-server $version into $dest (about two minutes, 320 MB, once)"
    rm -rf "$dest"
    mkdir -p "$dest"
    "$here/install-code-server.sh" "$dest" "$version" >"$rig/install.log" 2>&1 || failed "code-server could not be installed"
    touch "$dest/complete"
}

"$here/npm-packages.sh" --check
mkdir -p "$rig" && rig=$(cd "$rig" && pwd)
install_packages
install_code_server
"$here/npm-packages.sh" "$here"
"$here/npm-packages.sh" "$here/../../vscode-extension"
