#!/usr/bin/env bash
# Compares what symmetry leaves with what Rumur's scalarsets leave (https://github.com/Smattr/rumur), and prints a table:
#
#     tests/peers/symmetry.sh             Peterson's algorithm and a bounded buffer, in all sizes
#     tests/peers/symmetry.sh --check     in one small size each; nothing is printed but what is wrong
#
# The twins are in tests/peers/murphi: there whoever is alike has to be declared, here it is found. Needs `rumur` and
# `gcc` (tests/peers/install.sh); the program is built as it is released, or is what the variable STUBBORN names. Ends
# with 1 if the full state space of a model is not that of its twin, or if Rumur is left fewer states.
set -euo pipefail

cd "$(dirname "$0")/../.."
mode=${1:-}
case $mode in
    '' | --check) ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
for tool in rumur gcc; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; see tests/peers/install.sh" >&2; exit 2; }
done
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The number that the JSON object on standard input has under the name $1.
figure() { sed -n "s/^ *\"$1\": \([0-9][0-9]*\),\{0,1\}$/\1/p" | head -n 1; }

# ours MODEL PARAMETER=SIZE ARGUMENTS...: "states edges".
ours() {
    local found
    found=$("$STUBBORN" explore "$1" -D "$2" "${@:3}" --reduction none --threads 1 --format json)
    echo "$(figure states <<<"$found") $(figure edges <<<"$found")"
}

# rumurs TWIN PARAMETER SIZE ID SYMMETRY: the same.
rumurs() {
    local model=$scratch/model
    sed -e "s/\b$2\b/$3/; s/: ID;/: $4;/" "tests/peers/murphi/$1" >"$model.m"
    # A range has a first value, a scalarset has not.
    [ "$5" != off ] || sed -i '/^-- FIRST/,/^-- END/c startstate begin begin_with(0); end;' "$model.m"
    rumur --deadlock-detection off --symmetry-reduction "$5" "$model.m" --output "$model.c"
    # Most of the time is the compiler's.
    gcc -O1 -std=c11 -mcx16 -w "$model.c" -o "$model" -lpthread -latomic
    "$model" | sed -n 's/^\t\([0-9]*\) states, \([0-9]*\) rules fired in .*/\1 \2/p'
}

is_right=true
wrong() {
    echo "$*" >&2
    is_right=false
}

# beside MODEL TWIN PARAMETER FIRST SIZES...: the first value of those who are alike.
beside() {
    local model=$1 twin=$2 parameter=$3 first=$4 size full found full_there found_there
    shift 4
    for size in "$@"; do
        full=$(ours "$model" "${parameter##* }=$size" --keep-dead-variables)
        found=$(ours "$model" "${parameter##* }=$size" --symmetry always)
        full_there=$(rumurs "$twin" "${parameter%% *}" "$size" "$first..$((first + size - 1))" off)
        found_there=$(rumurs "$twin" "${parameter%% *}" "$size" "scalarset($size)" exhaustive)
        [ "$full" = "$full_there" ] || wrong "$model, $size: $full states and edges, and $full_there in $twin"
        [ "${found_there% *}" -ge "${found% *}" ] || wrong "$model, $size: $found with symmetry, and $found_there in $twin"
        [ "$mode" = --check ] ||
            printf '| %s | %s | %s | %s | %s |\n' "$(basename "$model" .stb)" "$size" "${full% *}" "${found% *}" "${found_there% *}"
    done
}

[ "$mode" = --check ] || printf '| model | size | full | symmetry | Rumur, scalarsets |\n|---|---|---:|---:|---:|\n'
case $mode in
    --check)
        beside examples/peterson.stb peterson.m "CUSTOMERS N" 0 3
        beside examples/bounded_buffer.stb bounded_buffer.m "MAKERS PRODUCERS" 1 2
        ;;
    *)
        beside examples/peterson.stb peterson.m "CUSTOMERS N" 0 2 3 4
        beside examples/bounded_buffer.stb bounded_buffer.m "MAKERS PRODUCERS" 1 2 3 4 5
        ;;
esac
$is_right
