#!/usr/bin/env bash
# Compares the program with SPIN, model for model, and writes what it found into docs/peers.md:
#
#     tests/peers/table.sh            all but the largest; their lines stay as they are
#     tests/peers/table.sh --large    those too: a quarter of an hour, and 6 GB of memory
#     tests/peers/table.sh --check    only whether the full state spaces are the same, for one
#                                     small size of each model; nothing is written
#
# tests/peers/models.txt lists the models. Needs `spin` and `gcc` (tests/peers/install.sh); the
# program is built as it is released, or is what the variable STUBBORN names. Each search may have
# 8 GB of memory and two minutes of processor time; one that asks for more is told as over the
# limit. What is written is the same in every run, so it has no times in it. Ends with 1 if the
# full state space of a model is not that of its twin.
set -euo pipefail

cd "$(dirname "$0")/../.."
mode=${1:-}
case $mode in
    '' | --large | --check) ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
for tool in spin gcc; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; see tests/peers/install.sh" >&2; exit 2; }
done

page=docs/peers.md
over='over the limit'
megabytes=8192
seconds=120
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

# Runs a command within the limits; what it is killed for is seen in what it leaves unsaid.
limited() (
    ulimit -t "$seconds" -v $((megabytes * 1024))
    exec "$@" 2>/dev/null
)

# The number that the JSON object in $2 has under the name $1.
figure() { sed -n "s/.*\"$1\":[ ]*\([0-9a-z]*\).*/\1/p" <<<"$2" | head -n 1; }

# ours MODEL DEFINITION REDUCTION: "states edges", or that a limit was reached.
ours() {
    local found status=0
    found=$(limited "$STUBBORN" explore "$1" -D "$2" --reduction "$3" --keep-dead-variables \
        --threads 1 --max-memory "${megabytes}M" --format json) || status=$?
    found=$(tr -d '\n' <<<"$found")
    if [ "$status" -eq 3 ]; then
        echo "$1, $2: $found" >&2
        return 1
    elif [ "$(figure complete "$found")" = true ]; then
        echo "$(figure states "$found") $(figure edges "$found")"
    else
        echo "$over"
    fi
}

# spins TWIN DEFINITIONS C_FLAGS DEPTH: "states edges" of SPIN, or that a limit was reached.
#   -o1 -o2 -o3  no dead variable is reset, none is hidden, no steps are merged: as in the text
#   -E -c0       looks at everything: a place where nobody can go on does not end the search
# SPIN counts as a transition that the initial state is stored; that one is taken off.
spins() {
    local folder said
    folder=$(mktemp -d "$scratch/XXXXXX")
    cp "tests/peers/spin/$1" "$folder/model.pml"
    # shellcheck disable=SC2086  # definitions and flags are lists
    said=$(cd "$folder" && spin $2 -o1 -o2 -o3 -a model.pml && gcc $3 -w -DSAFETY \
        -DMEMLIM=$megabytes -o pan pan.c 2>&1) || { echo "$1 $2: $said" >&2; return 1; }
    said=$(cd "$folder" && limited ./pan "-m$4" -E -c0 -n) || true
    rm -rf "$folder"
    if grep -q 'Search not completed\|max search depth too small\|out of memory\|MEMLIM' <<<"$said"; then
        echo "$over"
        return
    fi
    awk -v over="$over" '
        / states, stored/ { states = $1 }
        / transitions \(= stored\+matched\)/ { transitions = $1 }
        END { print (states == "" || transitions == "") ? over : states " " transitions - 1 }
    ' <<<"$said"
}

# "96854 290562" as two cells of a table: 96,854 | 290,562.
cells() {
    if [ "$1" = "$over" ]; then
        echo "$over | "
    else
        sed -E ':a; s/([0-9])([0-9]{3})( |,|$)/\1,\2\3/; ta; s/ / | /' <<<"$1"
    fi
}

# The lines of models.txt, each as: model, parameter, values, values of --large, twin, definitions.
models() { sed -E '/^#|^$/d; s/ *\| */|/g' tests/peers/models.txt; }

same=true
differ() {
    echo "$1: $2 states and edges, and $3 in its twin $4" >&2
    same=false
}

# line MODEL DEFINITION TWIN DEFINITIONS DEPTH: measures everything, one line of the table.
line() {
    local full reduced spin_full spin_reduced start=$SECONDS
    full=$(ours "$1" "$2" none)
    reduced=$(ours "$1" "$2" stubborn)
    spin_full=$(spins "$3" "-D$2 $4" '-O2 -DNOREDUCE' "$5")
    spin_reduced=$(spins "$3" "-D$2 $4" -O2 "$5")
    if [ "$full" != "$over" ] && [ "$spin_full" != "$over" ] && [ "$full" != "$spin_full" ]; then
        differ "$1, $2" "$full" "$spin_full" "$3"
    fi
    row="$(key "$1" "$2") $(cells "$full") | $(cells "$reduced") | $(cells "$spin_full") | $(cells "$spin_reduced") |"
    printf '%s %s: %d s\n' "$1" "$2" $((SECONDS - start)) >&2
}

# How the line of a model and a size begins.
key() { printf '| [%s](../%s) | %s |' "$(basename "$1" .stb)" "$1" "$2"; }

check() {
    local compared=0 model parameter values twin definitions definition full spin_full
    while IFS='|' read -r model parameter values _ twin definitions; do
        # The second size: large enough to have every step in it.
        read -r _ value _ <<<"$values"
        definition=$parameter=$value
        full=$(ours "$model" "$definition" none)
        spin_full=$(spins "$twin" "-D$definition $definitions" '-O0 -DNOREDUCE' 100000)
        [ "$full" = "$spin_full" ] || differ "$model, $definition" "$full" "$spin_full" "$twin"
        compared=$((compared + 1))
    done < <(models)
    echo "$compared models compared with SPIN"
}

table() {
    local rows=$scratch/rows model parameter values large twin definitions value kept
    local row=
    {
        echo '| model | size | full: states | edges | reduced: states | edges | SPIN, full: states | edges | SPIN, reduced: states | edges |'
        echo '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|'
    } >"$rows"
    while IFS='|' read -r model parameter values large twin definitions; do
        for value in $values; do
            line "$model" "$parameter=$value" "$twin" "$definitions" 1000000
            echo "$row" >>"$rows"
        done
        for value in ${large#-}; do
            if [ "$mode" = --large ]; then
                line "$model" "$parameter=$value" "$twin" "$definitions" 20000000
                echo "$row" >>"$rows"
            else
                kept=$(key "$model" "$parameter=$value")
                grep -F -- "$kept" "$page" >>"$rows" || true
            fi
        done
    done < <(models)
    awk -v rows="$rows" '
        /^<!-- end of the table/ { inside = 0 }
        !inside { print }
        /^<!-- the table/ { while ((getline row < rows) > 0) print row; inside = 1 }
    ' "$page" >"$scratch/page"
    cat "$scratch/page" >"$page"
}

if [ "$mode" = --check ]; then check; else table; fi
$same
