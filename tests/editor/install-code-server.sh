#!/usr/bin/env bash
# install-code-server.sh FOLDER VERSION: installs code-server from npm, and from nowhere else.
#
# A plain `npm install code-server` runs package scripts that download from elsewhere. Here every
# package is installed without its scripts, then the native ones are compiled one by one.
set -euo pipefail
cd "$1"

# The compiler takes Node's headers from beside the running Node; it must not download them.
prefix=$(node -p 'require("node:path").resolve(process.execPath, "../..")')
if [ ! -e "$prefix/include/node/node.h" ]; then
    echo "Node's headers are not at $prefix/include/node. Install Node 20 from a package that has them, as deb.nodesource.com's nodejs and nodejs.org's archives do." >&2
    exit 1
fi
export npm_config_nodedir=$prefix npm_config_build_from_source=true npm_config_yes=true
quiet=(--no-audit --no-fund --loglevel=error)

echo '{"private": true}' >package.json
npm install --ignore-scripts "${quiet[@]}" "code-server@$2"
npm rebuild --loglevel=error argon2

cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev "${quiet[@]}"
npm rebuild --loglevel=error node-pty @vscode/spdlog native-watchdog @parcel/watcher kerberos @vscode/deviceid
(
    cd extensions
    npm install --ignore-scripts --omit=dev "${quiet[@]}"
    node postinstall.mjs
)

# What the skipped scripts would have put in place.
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
rm -rf node_modules.asar
ln -s node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh

# It runs; and it keeps its settings to itself.
XDG_CONFIG_HOME=$1/config "$1/node_modules/.bin/code-server" --version
