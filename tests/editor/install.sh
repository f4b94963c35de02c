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

install_packages() {
    local wanted=() package
    for package in chromium fonts-dejavu-core ripgrep libkrb5-dev pkg-config g++ make python3; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted+=("$package")
    done
    [ ${#wanted[@]} -gt 0 ] || return 0

    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || give_up "these packages are missing: ${wanted[*]}. Install them as root: apt-get install ${wanted[*]}"
        root=(sudo)
    fi
    say "installing missing packages with apt-get: ${wanted[*]}"
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${wanted[@]}"
}

# A plain `npm install code-server` runs package scripts that download from elsewhere. Here every
# package is installed without its scripts, then the native ones are compiled one by one.
install_code_server() {
    local dest=$rig/code-server-$version
    [ ! -e "$dest/complete" ] || return 0
    say "installing code-server $version into $dest (about two minutes, 320 MB, once)"

    # The compiler takes Node's headers from beside the running Node; it must not download them.
    local prefix
    prefix=$(node -p 'require("node:path").resolve(process.execPath, "../..")')
    [ -e "$prefix/include/node/node.h" ] ||
        give_up "Node's headers are not at $prefix/include/node. Install Node 20 from a package that has them (Debian's libnode-dev, NodeSource's nodejs, or nodejs.org's archive)."
    export npm_config_nodedir=$prefix npm_config_build_from_source=true npm_config_yes=true
    local quiet=(--no-audit --no-fund --loglevel=error)

    rm -rf "$dest"
    mkdir -p "$dest"
    echo '{"private": true}' >"$dest/package.json"
    (
        cd "$dest"
        npm install --ignore-scripts "${quiet[@]}" "code-server@$version"
        npm rebuild --loglevel=error argon2
        cd node_modules/code-server/lib/vscode
        npm install --ignore-scripts --omit=dev "${quiet[@]}"
        npm rebuild --loglevel=error node-pty @vscode/spdlog native-watchdog @parcel/watcher kerberos @vscode/deviceid
        (cd extensions && npm install --ignore-scripts --omit=dev "${quiet[@]}" && node postinstall.mjs)
        # What the skipped scripts would have put in place.
        mkdir -p node_modules/@vscode/ripgrep/bin
        ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
        rm -rf node_modules.asar && ln -s node_modules node_modules.asar
        ln -sf code-linux.sh bin/remote-cli/code-server
        ln -sf browser-linux.sh bin/helpers/browser.sh
    ) >"$rig/install.log" 2>&1 || {
        tail -n 60 "$rig/install.log" >&2
        give_up "code-server could not be installed; all of the output is in $rig/install.log"
    }
    touch "$dest/complete"
}

command -v apt-get >/dev/null || give_up "this script installs Debian's packages, and there is no apt-get here."
"$here/npm-packages.sh" --check
mkdir -p "$rig"
install_packages
install_code_server
"$here/npm-packages.sh" "$here"
"$here/npm-packages.sh" "$here/../../vscode-extension"
