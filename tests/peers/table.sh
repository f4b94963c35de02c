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
# What SPIN finds changes with a twin alone, and is kept.
cache=${CARGO_TARGET_DIR:-target}/peers
mkdir -p "$cache"

# Runs a command within the limits; what it is killed for is seen in what it leaves unsaid.
limited() (
    ulimit -t "$seconds" -v $((megabytes * 1024))
    exec "$@" 2>/dev/null
)

# The number that the JSON object in $2 has under the name $1, the space's or the only property's.
figure() { sed -n "s/^ *\"$1\": \([0-9][0-9]*\),\{0,1\}$/\1/p" <<<"$2" | head -n 1; }

# ours COMMAND MODEL DEFINITION OPTIONS...: "states edges", or that a limit was reached.
ours() {
    local found status=0
    found=$(limited "$STUBBORN" "$1" "$2" -D "$3" "${@:4}" --keep-dead-variables --threads 1 \
        --max-memory "${megabytes}M" --format json) || status=$?
    if [ "$status" -eq 1 ] || [ "$status" -eq 3 ]; then
        echo "$2, $3: $found" >&2
        return 1
    elif [ "$status" -ne 0 ]; then
        echo "$over"
    else
        echo "$(figure states "$found") $(figure edges "$found")"
    fi
}

# spins TWIN DEFINITIONS C_FLAGS DEPTH: "states edges" of SPIN, or that a limit was reached.
#   -o1 -o2 -o3  no dead variable is reset, none is hidden, no steps are merged: as in the text
#   -E -c0       looks at everything: a place where nobody can go on does not end the search
# SPIN prints eight digits of a figure, which does not do for the largest: here it prints all.
# It counts as a transition that the initial state is stored; that one is taken off.
spins() {
    local known folder said optimised=-O0
    # Small state spaces are found in less time than it takes to optimise.
    [ "$4" -le 1000000 ] || optimised=-O2
    known=$cache/$(cat "tests/peers/spin/$1" - <<<"$2 $3 $4 $seconds $megabytes" | sha256sum | cut -c1-32)
    if [ -s "$known" ]; then
        cat "$known"
        return
    fi
    folder=$(mktemp -d "$scratch/XXXXXX")
    cp "tests/peers/spin/$1" "$folder/model.pml"
    # shellcheck disable=SC2086  # definitions and flags are lists
    said=$(cd "$folder" && spin $2 -o1 -o2 -o3 -a model.pml && sed -i 's/%9\.8g/%9.0f/' pan.c &&
        gcc "$optimised" $3 -w -DSAFETY -DMEMLIM=$megabytes -o pan pan.c 2>&1) ||
        { echo "$1 $2: $said" >&2; return 1; }
    said=$(cd "$folder" && limited ./pan "-m$4" -w24 -E -c0 -n) || true
    rm -rf "$folder"
    if grep -q 'errors: [1-9]' <<<"$said"; then
        echo "$1 $2: $said" >&2
        return 1
    elif grep -q 'Search not completed\|max search depth too small\|out of memory' <<<"$said"; then
        said=
    fi
    awk -v over="$over" '
        / states, stored/ { states = $1 }
        / transitions \(= stored\+matched\)/ { transitions = $1 }
        END {
            if (states == "" || transitions == "") print over
            else printf "%d %d\n", states, transitions - 1
        }
    ' <<<"$said" | tee "$scratch/found"
    mv "$scratch/found" "$known"
}

# "96854 290562" as two cells of a table: 96,854 | 290,562.
cells() {
    if [ "$1" = "$over" ]; then
        echo "$over | "
    else
        sed -E ':a; s/([0-9])([0-9]{3})( |,|$)/\1,\2\3/; ta; s/ / | /' <<<"$1"
    fi
}

# Compares what should be the same: MODEL DEFINITION TWIN and both figures.
compare() {
    if [ "$4" != "$over" ] && [ "$5" != "$over" ] && [ "$4" != "$5" ]; then
        echo "$1, $2: $4 states and edges, and $5 in $3" >&2
        same=false
    fi
}
same=true

# The lines of models.txt: model, parameter, values, values of --large, property, twin, definitions.
models() { sed -E '/^#|^$/d; s/ *\| */|/g; s/ +$//' tests/peers/models.txt; }

# How the line of a model and a size begins.
key() { printf '| [%s](../%s) | %s |' "$(basename "$1" .stb)" "$1" "$2"; }

# spaces MODEL DEFINITION TWIN DEFINITIONS DEPTH: a line of the first table.
spaces() {
    local full reduced spin_full spin_reduced
    spin_full=$(spins "$3" "-D$2 $4" -DNOREDUCE "$5")
    spin_reduced=$(spins "$3" "-D$2 $4" '' "$5")
    full=$(ours explore "$1" "$2" --reduction none)
    reduced=$(ours explore "$1" "$2" --reduction stubborn)
    compare "$1" "$2" "$3" "$full" "$spin_full"
    echo "$(key "$1" "$2") $(cells "$full") | $(cells "$reduced") | $(cells "$spin_full") | $(cells "$spin_reduced") |" \
        >>"$scratch/spaces"
}

# checks MODEL DEFINITION TWIN DEFINITIONS DEPTH PROPERTY: a line of the second table.
checks() {
    local reduced spin_reduced
    spin_reduced=$(spins "$3" "-D$2 $4 -DPROPERTY" '' "$5")
    reduced=$(ours check "$1" "$2" --property "$6" --reduction stubborn)
    echo "$(key "$1" "$2") $6 | $(cells "$reduced") | $(cells "$spin_reduced") |" >>"$scratch/checks"
}

check() {
    local compared=0 model parameter values large property twin definitions definition full spin_full
    while IFS='|' read -r model parameter values large property twin definitions; do
        # The second size: large enough to have every step in it.
        read -r _ value _ <<<"$values"
        definition=$parameter=$value
        full=$(ours explore "$model" "$definition" --reduction none)
        # With the assertions, where it has some that hold.
        [ "$property" = - ] || definitions+=' -DPROPERTY'
        spin_full=$(spins "$twin" "-D$definition $definitions" -DNOREDUCE 100000)
        compare "$model" "$definition" "$twin" "$full" "$spin_full"
        compared=$((compared + 1))
    done < <(models)
    echo "$compared models compared with SPIN"
}

# put NAME: the lines in the scratch file NAME between the marks of that name in the page.
put() {
    awk -v name="$1" -v rows="$scratch/$1" '
        $0 == "<!-- end of " name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name ", by tests/peers/table.sh -->" {
            while ((getline row < rows) > 0) print row
            inside = 1
        }
    ' "$page" >"$scratch/page"
    cat "$scratch/page" >"$page"
}

table() {
    local model parameter values large property twin definitions value definition depth start
    {
        echo '| model | size | full: states | edges | reduced: states | edges | SPIN, full: states | edges | SPIN, reduced: states | edges |'
        echo '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|'
    } >"$scratch/spaces"
    {
        echo '| model | size | property | reduced: states | edges | SPIN, reduced: states | edges |'
        echo '|---|---|---|---:|---:|---:|---:|'
    } >"$scratch/checks"
    while IFS='|' read -r model parameter values large property twin definitions; do
        large=${large#-}
        for value in $values $large; do
            definition=$parameter=$value
            depth=1000000
            if [[ " $large " == *" $value "* ]]; then
                depth=20000000
                if [ "$mode" != --large ]; then
                    # Each table has one line of it.
                    key=$(key "$model" "$definition")
                    awk -v key="$key" 'index($0, key) == 1 && /^\|/' "$page" |
                        awk -F'|' -v to="$scratch" '{ print >> (to (NF > 10 ? "/spaces" : "/checks")) }'
                    continue
                fi
            fi
            start=$SECONDS
            spaces "$model" "$definition" "$twin" "$definitions" "$depth"
            if [ "$property" != - ]; then
                checks "$model" "$definition" "$twin" "$definitions" "$depth" "$property"
            fi
            printf '%s, %s: %d s\n' "$model" "$definition" $((SECONDS - start)) >&2
        done
    done < <(models)
    put spaces
    put checks
}

if [ "$mode" = --check ]; then check; else table; fi
$same
