#!/usr/bin/env bash
# Tests the extension in VS Code's own workbench, driven in a headless browser: builds the package
# with the server inside, installs it into a fresh profile, and does what a person would do.
#
#   UPDATE_SCREENSHOT=1 tests/editor/run.sh    also takes the pictures of the two READMEs from its screenshots
#   tests/editor/run.sh NAME...                runs tests/editor/NAME.test.mjs alone
#   SERVER=FILE tests/editor/run.sh            packages this program instead of building the server
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
export EDITOR_RIG=${EDITOR_RIG:-$repository/target/editor-rig}

"$here/install.sh"

export VSIX=$EDITOR_RIG/stubborn.vsix
export VSIX_WEB=$EDITOR_RIG/stubborn-web.vsix
package() { (cd "$repository/vscode-extension" && npm run --silent package -- "$@"); }
package --out "$VSIX_WEB" --target web
package --out "$VSIX" ${SERVER:+--server "$SERVER"}

# One file after the other: each has a browser and an editor of its own, and those want the machine.
tests=("$here"/*.test.mjs)
if [ $# -gt 0 ]; then
    tests=()
    for name in "$@"; do
        tests+=("$here/${name%.test.mjs}.test.mjs")
    done
fi
node --test --test-concurrency=1 --test-reporter=spec "${tests[@]}"

# take NAME FOLDER...: a screenshot as it is, into what shows it.
take() {
    local name=$1 folder
    shift
    for folder in "$@"; do
        cp "$EDITOR_RIG/screenshots/$name-light.png" "$repository/$folder/$name.png"
    done
}
if [ -n "${UPDATE_SCREENSHOT:-}" ]; then
    take violation vscode-extension/media docs
    take trace vscode-extension/media docs
    take debugging vscode-extension/media
    take states vscode-extension/media
fi
