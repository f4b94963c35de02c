#!/usr/bin/env bash
# What it costs to search with several processes, and what it gains.
#
#     tests/benchmarks/cluster.sh [CUSTOMERS [RUNS]]
#
# Counts the plain state space of Peterson's algorithm for so many CUSTOMERS (4) by one process with one thread, by one
# with two, by two processes with one worker each, and by two that know nothing of each other and search it all, at once
# (what two busy processors cost each other), RUNS (3) times in turn, there and back, as memory that somebody has just given
# back is had for less. It prints for each the states, the
# median of the processor seconds of all processes, of which the system's, of the seconds, and of the bytes that the largest
# process holds for its states; for two processes also the bytes that were sent for each state, and the part of the time that workers waited. Ends
# with 1 where the counts differ, where processor seconds a state are more than 1.5 times those of one thread, or where a
# process holds more than 0.6 of what one alone does.
#
# Needs python3. The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
customers=${1:-4}
runs=${2:-3}
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

python3 - "$STUBBORN" "$customers" "$runs" <<'END'
import json, resource, statistics, subprocess, sys, time

program, customers, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
common = ["explore", "examples/peterson_correct.stb", "-D", f"N={customers}", "--reduction", "none",
          "--keep-dead-variables", "--format", "json"]
ways = {
    "one process, one thread": ([], "1"),
    "one process, two threads": ([], "2"),
    "two processes": (["cluster", "--processes", "2"], "1"),
    "each of two that search it all": ([], "1"),
}

def used():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime, of.ru_stime

found = {way: [] for way in ways}
for run in range(runs):
    in_turn = list(ways.items())
    for way, (cluster, threads) in in_turn if run % 2 == 0 else reversed(in_turn):
        before, began = used(), time.monotonic()
        copies = 2 if way.startswith("each of two") else 1
        started = [subprocess.Popen([program, *cluster, *common, "--threads", threads], stdout=subprocess.PIPE) for _ in range(copies)]
        told = [json.loads(one.communicate()[0]) for one in started][0]
        if not told["complete"]:
            sys.exit(f"{way}: {told['why']}")
        seconds = time.monotonic() - began
        processes = {}
        for worker in told.get("sharing", {}).get("workers", []):
            processes.setdefault(worker["process"], []).append(worker)
        held = told["bytes_per_state"] * told["states"]
        sent = waited = 0
        if processes:
            held = max(sum(one["bytes"] for one in all) for all in processes.values())
            workers = [one for all in processes.values() for one in all]
            sent = sum(one["sent"] for one in workers) / told["states"]
            waited = sum(one["waited"] for one in workers) / len(workers) / told["seconds"]
        processor, system = ((now - then) / copies for now, then in zip(used(), before))
        found[way].append((told["states"], told["edges"], processor, system, seconds, held, sent, waited))

wrong = False
medians = {}
for way, all in found.items():
    counts = {(one[0], one[1]) for one in all}
    medians[way] = [statistics.median(one[at] for one in all) for at in range(8)]
    states, _, processor, system, seconds, held, sent, waited = medians[way]
    print(f"{way}: {states:.0f} states, {processor:.2f} s of processors ({system:.2f} the system's), {seconds:.2f} s, {held / 1e6:.1f} MB"
          + (f", {sent:.1f} bytes sent a state, {waited:.0%} of the time waited" if sent else ""))
    wrong |= len(counts) != 1 or counts != {(found["one process, one thread"][0][0], found["one process, one thread"][0][1])}
one, two = medians["one process, one thread"], medians["two processes"]
busy = medians["each of two that search it all"]
threads = medians["one process, two threads"]
print(f"processor seconds a state: {two[2] / one[2]:.2f} times those of one thread, {two[2] / threads[2]:.2f} times those of one "
      f"process with two, and {two[2] / busy[2]:.2f} times those of one thread beside another; memory of a process: {two[5] / one[5]:.2f}")
sys.exit(1 if wrong or two[2] > 1.5 * one[2] or two[5] > 0.6 * one[5] else 0)
END
