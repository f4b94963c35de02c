#!/usr/bin/env bash
# How long large texts take to be read: models of many instances that speak of each other, and
# texts with very many of everything, mistakes too.
#
#     tests/benchmarks/large_texts.sh [SECONDS]        given up after 60 if nothing is said
#
# Prints for each text the time until `check` has read it and found one state; nothing is judged.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
most=${1:-60}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# timed NAME: checks the text on standard input.
timed() {
    local status=0 TIMEFORMAT='%R'
    cat >"$scratch/text.stb"
    { time timeout "$most" "$STUBBORN" check "$scratch/text.stb" --max-states 1 \
        --property errors >/dev/null 2>&1; } 2>"$scratch/time" || status=$?
    if [ "$status" -eq 124 ]; then
        printf '%-40s more than %s s\n' "$1" "$most"
    else
        printf '%-40s %s s\n' "$1" "$(cat "$scratch/time")"
    fi
}

# each NUMBER LINE: the line for each number from 1, with the number for every @.
each() { awk -v number="$1" -v line="$2" 'BEGIN { for (n = 1; n <= number; n++) { text = line; gsub("@", n, text); print text } }'; }

for n in 20 50 100 200 1000; do
    timed "quantifiers over $n instances" <<END
type Id = 1..$n
var a: array[Id] of 0..3
process p(i in Id) {
    loop {
        await forall k in Id: k == i or a[k] <= 1
        a[i] = 1
        await count(k in Id: p(k)@critical) == 0
        critical: a[i] = 0
    }
}
END
    timed "variables of $n instances" <<END
type Id = 1..$n
process p(i in Id) {
    var x: 0..3
    var y: Id
    loop {
        y = any Id
        await p(y)@critical and p(y).x == 1
        critical: x = 0
    }
}
END
    timed "actions of $n instances" <<END
type Id = 1..$n
action take(Id)
var a: array[Id] of 0..3
process p(i in Id) { loop { on take(i) do a[i] = 1 } }
process q { loop { for k in Id on take(k) } }
END
done
for n in 1000 10000; do
    { each "$n" 'var x@: 0..3'; echo 'process p { skip }'; } | timed "$n unused variables"
    { echo 'macro m0 { skip }'; each "$n" 'macro m@ { m0 }'; echo 'process p { m0 }'; } |
        timed "$n macros that call one"
    { echo 'process p { initial state s { -> t0 }'; each "$n" 'state s@ { -> t@ }'; echo '}'; } |
        timed "$n unknown states"
    { echo 'var x: 0..3'; echo 'process p {'; each "$n" 'x = 1'; echo '}'; } | timed "$n statements"
    { echo "enum e { v0"; each "$n" ', v@'; echo '}'; echo 'var x: e'; echo 'process p {';
        each "$n" 'await x == v@'; echo 'x = v0 }'; } | timed "$n values of an enumeration"
    each "$((n * 4))" '$ $' | timed "$((n * 4)) lines of junk"
done
