#!/usr/bin/env bash
# Installs what the clients' test needs, and nothing that is already there:
#   - Neovim and pytest-lsp, as requirements.txt names them, from PyPI into target/clients-rig/venv;
#   - a client for debug adapters, as package-lock.json names it, from npm into tests/clients/node_modules;
#   - Debian's packages for Emacs with eglot, unless there is an Emacs that has it, and for Python's
#     virtual environments.
# The environment is kept between runs.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
rig=${CLIENTS_RIG:-$here/../../target/clients-rig}

say() { printf 'clients test: %s\n' "$*"; }
give_up() { printf 'clients test: %s\n' "$*" >&2; exit 1; }

# Says what an installation printed last, and stops.
failed() {
    tail -n 60 "$rig/install.log" >&2
    give_up "$1; all of the output is in $rig/install.log"
}

install_packages() {
    local wanted=()
    emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1 ||
        wanted+=(emacs-nox elpa-eglot)
    python3 -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3-venv)
    [ ${#wanted[@]} -eq 0 ] || "$here/../debian-packages.sh" "$rig/install.log" "${wanted[@]}" || exit 1
}

install_environment() {
    # What is left of an installation that did not end, or was of other versions, is not used.
    ! cmp -s "$here/requirements.txt" "$rig/venv/complete" || return 0
    say "installing Neovim and pytest-lsp into $rig/venv (20 MB, once)"
    rm -rf "$rig/venv"
    {
        python3 -m venv "$rig/venv" &&
            "$rig/venv/bin/pip" install --disable-pip-version-check -r "$here/requirements.txt"
    } >"$rig/install.log" 2>&1 || failed "Neovim and pytest-lsp could not be installed"
    cp "$here/requirements.txt" "$rig/venv/complete"
}

mkdir -p "$rig" && rig=$(cd "$rig" && pwd)
"$here/../editor/npm-packages.sh" --check
install_packages
install_environment
"$here/../editor/npm-packages.sh" "$here"
