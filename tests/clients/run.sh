#!/usr/bin/env bash
# Tells the same story in each of the clients that people use, with a real server: opens a model
# and its tester, hovers, makes a mistake, completes, mends, renames, saves, takes a request back,
# and quits. story.json has what is typed and what is to be seen; what a client is configured with
# is what the README shows.
#
#   neovim.lua       Neovim, with neovim-config.lua
#   emacs.el         Emacs with eglot, with emacs-config.el
#   test_story.py    pytest-lsp, with the capabilities of VS Code, Neovim and Emacs
#   debug-adapter.test.mjs   sessions with `stubborn dap`, through the client that VS Code's makers test theirs with
#   neovim-dap.lua   a session with it in Neovim with nvim-dap, where NVIM_DAP names a copy of nvim-dap's repository: no
#                    registry of packages has it
#   test_readme.py   what the README shows is what they are configured with; Helix, too
#
#   SERVER=FILE tests/clients/run.sh    runs this server, and not target/debug/stubborn
#   DEADLINE=SECONDS                    how long each client may take, 60 if not said
#
# Counts as Node's test runner does, each step of the story as a test ("ℹ pass 40", "ℹ fail 0"), and
# ends with 1 if one fails. A step that the server does not offer is said to be left out.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
rig=${CLIENTS_RIG:-$repository/target/clients-rig}
server=$(realpath "${SERVER:-${CARGO_TARGET_DIR:-$repository/target}/debug/stubborn}")
[ -x "$server" ] || { echo "clients test: there is no server at $server; build it with cargo build -p stubborn" >&2; exit 1; }

CLIENTS_RIG=$rig "$here/install.sh" || exit 1
rig=$(cd "$rig" && pwd)

export CLIENTS=$here STUBBORN=$server DEADLINE=${DEADLINE:-60} PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# client NAME COMMAND...: runs a client in a fresh copy of the workspace, with a home of its own and
# the server in its PATH, and adds up its steps.
client() {
    local name=$1 folder=$scratch/$1 status=0 ok bad
    shift
    mkdir -p "$folder/home" "$folder/bin"
    cp -r "$here/workspace" "$folder/workspace"
    # By this an editor knows what belongs to the workspace.
    git init --quiet "$folder/workspace"
    ln -s "$server" "$folder/bin/stubborn"
    (
        cd "$folder/workspace" || exit 1
        unset "${!XDG_@}" RUST_LOG
        export HOME=$folder/home PATH=$folder/bin:$PATH
        exec timeout --kill-after=5 $((DEADLINE + 30)) "$@"
    ) </dev/null >"$folder/out" 2>"$folder/errors" || status=$?
    cat "$folder/out"
    ok=$(grep -c '^ok ' "$folder/out")
    bad=$(grep -c '^not ok ' "$folder/out")
    if [ "$status" -ne 0 ] || ! grep -q '^ok \|^left out ' "$folder/out"; then
        echo "$name ended with status $status after $ok steps; it said on standard error:"
        tail -n 40 "$folder/errors"
        [ "$bad" -gt 0 ] || bad=1
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
}

client neovim "$rig/venv/bin/nvim" --headless -u "$here/neovim-config.lua" -i NONE -n -S "$here/neovim.lua"
client emacs emacs --batch -l "$here/emacs.el"
client pytest-lsp "$rig/venv/bin/pytest" -s --basetemp="$scratch/pytest" "$here/test_story.py"
client debugger node --test --test-reporter=tap "$here/debug-adapter.test.mjs"
if [ -n "${NVIM_DAP:-}" ]; then
    NVIM_DAP=$(realpath "$NVIM_DAP")
    export NVIM_DAP
    client nvim-dap "$rig/venv/bin/nvim" --headless -u NONE -i NONE -n -S "$here/neovim-dap.lua"
else
    echo 'left out nvim-dap: no package registry has it; NVIM_DAP=FOLDER names a copy of its repository'
fi
client readme "$rig/venv/bin/pytest" -s --basetemp="$scratch/pytest" "$here/test_readme.py"

printf 'ℹ pass %d\nℹ fail %d\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
