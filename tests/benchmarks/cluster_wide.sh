#!/usr/bin/env bash
# What it costs to search with several processes where states have several words.
#
#     tests/benchmarks/cluster_wide.sh [RUNS]
#
# Counts the plain state spaces of three models by one process with one thread and by two processes with one worker each, RUNS
# (3) times in turn, there and back. It prints for each model the states, how many times as many processor seconds two processes
# take, and how many times as many bytes the larger of them holds for its states, and the bytes that were sent for each state:
# medians. Ends with 1 where the counts differ, or where a process holds more than 0.6 of what one alone does.
#
# Needs python3. The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
runs=${1:-3}
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

python3 - "$STUBBORN" "$runs" <<'END'
import json, resource, statistics, subprocess, sys

program, runs = sys.argv[1], int(sys.argv[2])
models = [
    ["examples/sliding_window.stb", "-D", "MESSAGES=7", "-D", "LOSSES=3", "-D", "CAPACITY=4"],
    ["examples/cache_coherence.stb", "-D", "CACHES=3"],
    ["tests/peers/models/dolev_klawe_rodeh.stb", "-D", "N=7"],
]

def used():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime

def counted(model, processes):
    before = used()
    cluster = ["cluster", "--processes", str(processes)] if processes > 1 else []
    command = [program, *cluster, "explore", *model, "--reduction", "none", "--format", "json", "--threads", "1"]
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE).stdout)
    if not told["complete"]:
        sys.exit(f"{model}: {told['why']}")
    seconds = used() - before
    workers = told.get("sharing", {}).get("workers", [])
    held = max((one["bytes"] for one in workers), default=told["bytes_per_state"] * told["states"])
    sent = sum(one["sent"] for one in workers) / told["states"]
    return (told["states"], told["edges"]), seconds, held, sent

wrong = False
for model in models:
    found = {1: [], 2: []}
    for run in range(runs):
        for processes in [1, 2] if run % 2 == 0 else [2, 1]:
            found[processes].append(counted(model, processes))
    one, two = ([statistics.median(run[at] for run in found[processes]) for at in (1, 2, 3)] for processes in (1, 2))
    counts = {run[0] for all in found.values() for run in all}
    print(f"{' '.join(model)}: {min(counts)[0]} states, {one[0]:.2f} s of processors and {two[0]:.2f} ({two[0] / one[0]:.2f} times), "
          f"{one[1] / 1e6:.1f} MB and {two[1] / 1e6:.1f} in each ({two[1] / one[1]:.2f} times), {two[2]:.1f} bytes sent a state")
    wrong |= len(counts) != 1 or two[1] > 0.6 * one[1]
sys.exit(1 if wrong else 0)
END
