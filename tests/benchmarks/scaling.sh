#!/usr/bin/env bash
# How time and memory grow with the state space and with threads.
#
#     tests/benchmarks/scaling.sh [MOST [FOLDER]]
#
# Builds plain state spaces of up to MOST states (100000000) by `stubborn explore --reduction none
# --keep-dead-variables`, on one thread and on two: whole ones, of Peterson's algorithm for 2 to 4
# customers, two kinds of philosophers and two elections, and the first 10^4, 10^5, ... states of
# Peterson's algorithm for 5 customers. Writes into FOLDER (docs) a table, `scaling.tsv`: the model,
# threads, states, edges, seconds, states a second, bytes a state that the search held at the most, and bytes of
# resident memory a state at the peak, beyond what the program takes for a model of a few states (which says
# little of less than a million states); and a picture of it, `scaling.svg`. Prints the table, and for each series by how much the slowest and the
# largest of its points with 10^6 states and more are slower and larger than the one before: what grows
# without a cliff has small ones. Ends with 1 where two threads find other states than one.
#
# Needs `gnuplot` (which it installs, on Debian) and python3. The program is built as it is released, or is what
# the variable STUBBORN names. A space of 10^8 states takes a minute or two and 2 GB; the variable MEMORY
# says how much may be used (8G).
set -euo pipefail

cd "$(dirname "$0")/../.."
most=${1:-100000000}
folder=${2:-docs}
memory=${MEMORY:-8G}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v gnuplot >/dev/null || tests/debian-packages.sh "$scratch/apt" gnuplot-nox
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

# series, model, its parameter, about how many states (in full), or how many at the most (in part)
runs() {
    local n size
    for n in 2:600 3:97000 4:26300000; do
        echo "Peterson|examples/peterson_correct.stb|N=${n%%:*}|${n##*:}|whole"
    done
    for n in 8:6600 9:20000 10:60000 11:178000 12:532000; do
        echo "philosophers|examples/philosophers.stb|N=${n%%:*}|${n##*:}|whole"
    done
    for n in 6:10000 7:40000 8:200000 9:940000 10:4500000; do
        echo "polite philosophers|examples/philosophers_polite.stb|N=${n%%:*}|${n##*:}|whole"
    done
    for n in 4:2000 5:20000 6:220000 7:2540000; do
        echo "election|tests/peers/models/dolev_klawe_rodeh.stb|N=${n%%:*}|${n##*:}|whole"
    done
    for ((size = 10000; size <= most; size *= 10)); do
        echo "Peterson in part|examples/peterson_correct.stb|N=5|$size|part"
        if ((size * 3 <= most)); then
            echo "Peterson in part|examples/peterson_correct.stb|N=5|$((size * 3))|part"
        fi
    done
}

# explored THREADS MODEL PARAMETER [OPTION...]: prints "states edges seconds bytes kilobytes".
explored() {
    python3 - "$STUBBORN" "$memory" "$@" <<'END'
import json, resource, subprocess, sys
program, memory, threads, model, parameter, *more = sys.argv[1:]
command = [program, "explore", model, "-D", parameter, "--reduction", "none", "--keep-dead-variables",
           "--threads", threads, "--max-memory", memory, "--format", "json", *more]
told = json.loads(subprocess.run(command, stdout=subprocess.PIPE).stdout)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if told["why"] and "states" not in told["why"]:
    sys.exit(f"{model} {parameter}: {told['why']}")
print(told["states"], told["edges"], told["seconds"], told["bytes_per_state"], peak)
END
}

mkdir -p "$folder"
read -r _ _ _ _ own < <(explored 1 examples/peterson_correct.stb N=2)
table=$folder/scaling.tsv
printf 'series\tparameter\tthreads\tstates\tedges\tseconds\tstates a second\tbytes a state\tresident bytes a state\n' >"$table"
failed=0
while IFS='|' read -r series model parameter states kind; do
    [ "$states" -le "$most" ] || continue
    limit=()
    [ "$kind" = whole ] || limit=(--max-states "$states")
    before=
    for threads in 1 2; do
        read -r found edges seconds bytes peak < <(explored "$threads" "$model" "$parameter" "${limit[@]}")
        if [ "$kind" = whole ] && [ -n "$before" ] && [ "$before" != "$found $edges" ]; then
            echo "$series $parameter: $found states, $edges edges on two threads, $before on one" >&2
            failed=1
        fi
        before="$found $edges"
        awk -v OFS='\t' -v s="$series" -v p="$parameter" -v t="$threads" -v n="$found" -v e="$edges" \
            -v sec="$seconds" -v b="$bytes" -v kb="$((peak - own))" 'BEGIN {
                if (sec < 0.0005) sec = 0.0005
                if (kb < 0) kb = 0
                printf "%s\t%s\t%d\t%d\t%d\t%.3f\t%.0f\t%.1f\t%.1f\n", s, p, t, n, e, sec, n / sec, b, kb * 1024 / n
            }' | tee -a "$table"
    done
done < <(runs)

# By series and threads, in the order of their states: how much worse a point is than the one before.
tail -n +2 "$table" | sort -t "$(printf '\t')" -k1,1 -k3,3n -k4,4n | awk -F '\t' '
    { series = $1 ", " $3 ($3 == 1 ? " thread" : " threads") }
    series == before && $4 >= 1e6 {
        slower = rate / $7; larger = $8 / bytes
        if (slower > slowest[series]) slowest[series] = slower
        if (larger > largest[series]) largest[series] = larger
    }
    { before = series; rate = $7; bytes = $8 }
    END {
        for (series in slowest)
            printf "%s: at most %.2f times as slow and %.2f times as large as the point before\n", \
                series, slowest[series], largest[series]
    }'

# A picture with two parts, for who sees it on light and on dark.
{
    cat <<END
set terminal svg size 900,760 font "sans-serif,13" background "#ffffff"
set output "$folder/scaling.svg"
set datafile separator "\t"
set logscale x
set xrange [5e3:*]
set format x "10^{%T}"
set grid
set key outside right
set multiplot layout 2,1
set logscale y
set format y "10^{%T}"
set ylabel "states a second"
END
    plot() {
        local column=$1 series threads parts=() point=1
        while read -r series; do
            for threads in 1 2; do
                parts+=("\"< awk -F '\\\\t' '\$1 == \\\"$series\\\" && \$3 == $threads' $table | sort -t '\\t' -k4,4n\" using 4:$column with linespoints linecolor $point dashtype $threads pointtype $((threads == 1 ? 7 : 6)) title \"$series, $threads\"")
            done
            point=$((point + 1))
        done < <(tail -n +2 "$table" | cut -f 1 | awk '!seen[$0]++')
        local IFS=,
        echo "plot ${parts[*]}"
    }
    plot 7
    echo 'unset logscale y; set format y "%g"; set yrange [0:60]'
    echo 'set ylabel "bytes a state"; set xlabel "states"'
    plot 8
    echo 'unset multiplot'
} >"$scratch/plot"
gnuplot "$scratch/plot"
echo "$folder/scaling.svg"
exit "$failed"
