#!/usr/bin/env bash
# Whole checks of realistic designs, as nobody asks for anything and in three alternatives.
#
#     tests/benchmarks/realistic.sh [RUNS [NAME...]]
#
# Prints a table in Markdown: processor seconds of `check` on one thread (the median of RUNS, 1) by default, with
# `--reduction none`, with `--symmetry off`, and with both, and of `explore` with both; in parentheses how many
# properties are undecided after LONGEST of these seconds (60); the states of all searches of the default; and how many times
# the default takes what the best of the four takes that decides the most. Below it the geometric mean. The designs
# are in models/realistic; with NAMEs those alone.
# Then the table of beside_spin.sh for the designs that have a twin in Promela, where SPIN is installed.
#
# Ends with 1 if the default leaves a property undecided that an alternative decides, if two verdicts differ, or one
# is not as the design expects.
#
# Needs `python3`. The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
export STUBBORN

# design, its parameters
designs=$(
    cat <<'END'
seqlock READERS=2,WRITERS=2
ring_buffer PRODUCERS=2,CONSUMERS=2
ring_buffer ORDERED=0
work_queue JOBS=3
log_shipping ENTRIES=2
raft_election RESTARTS=2
raft_election FORGETFUL=1
raft_election TERMS=2,RESTARTS=0
task_wakeups SOURCES=4,EVENTS=2
task_wakeups TASKS=3,WORKERS=3,EVENTS=2
consumer_group CONSUMERS=2
hazard_pointers READERS=3
write_skew DOCTORS=4
upgrade_lock THREADS=4
upgrade_lock THREADS=5
snapshot NODES=3
mesi CACHES=3
inheritance LOW=2,MIDDLE=3,HIGH=2,WORK=3
connection_pool CLIENTS=4
saga SAGAS=2
gc_handshake MUTATORS=2
latch_coupling WRITERS=2
circuit_breaker CALLERS=3
rate_limiter GATEWAYS=2,WINDOWS=3
gossip INCARNATIONS=0
END
)

status=0
DESIGNS=$designs python3 - "$@" <<'END' || status=1
import json, math, os, resource, signal, subprocess, sys

runs, wanted = int((sys.argv[1:] or ["1"])[0]), sys.argv[2:]
longest = int(os.environ.get("LONGEST", "60"))
ways = [[], ["--reduction", "none"], ["--symmetry", "off"], ["--reduction", "none", "--symmetry", "off"]]


def run(command, design, parameters, options):
    """The median processor seconds of a command, and what it says."""
    arguments = [os.environ["STUBBORN"], command, f"tests/benchmarks/models/realistic/{design}.stb"]
    for parameter in parameters.split(","):
        arguments += ["-D", parameter]
    arguments += options + ["--threads", "1", "--format", "json"]
    times, limits = [], (longest, longest + 5)
    while len(times) < runs:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(arguments, stdout=subprocess.PIPE, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limits))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == -signal.SIGXCPU and "--timeout" not in arguments:
            # What it decides by then. It is not the first choice: with a limit, attempts are made more than once.
            arguments += ["--timeout", str(longest)]
            continue
        if not 0 <= done.returncode <= 2:
            sys.exit(f"{' '.join(arguments)} ended with {done.returncode}")
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(times)[runs // 2], json.loads(done.stdout)


def cell(seconds, undecided):
    return f"{seconds:.2f}" + (f" ({len(undecided)})" if undecided else "")


good, ratios = True, []
print("| design | default | `--reduction none` | `--symmetry off` | both | `explore` | its states | states of the default | times the best |")
print("|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
for line in os.environ["DESIGNS"].splitlines():
    design, parameters = line.split()
    if wanted and design not in wanted:
        continue
    checks = [run("check", design, parameters, way + ["--explain"]) for way in ways]
    explored, space = run("explore", design, parameters, ways[3])
    verdicts, left = {}, []
    for way, (_, said) in zip(ways, checks):
        undecided = set()
        for found in said["properties"]:
            name, verdict = found["name"], found["verdict"]
            if verdict == "undecided":
                undecided.add(name)
            elif verdicts.setdefault(name, verdict) != verdict or verdict != found["expected"]:
                print(f"{line}: {name} {verdict} with {' '.join(way) or 'no option'}, elsewhere {verdicts[name]},"
                      f" expected {found['expected']}", file=sys.stderr)
                good = False
        left.append(undecided)
    fewest = min(map(len, left))
    best = min(took for (took, _), undecided in zip(checks, left) if len(undecided) == fewest)
    missed = left[0] - set.intersection(*left)
    if missed:
        print(f"{line}: the default leaves undecided {', '.join(sorted(missed))}", file=sys.stderr)
        good = False
    searches = {
        (one["search"], one["states"], one["edges"], one["seconds"])
        for found in checks[0][1]["properties"]
        for one in found["attempts"]
    }
    ratios.append(max(longest if missed else checks[0][0], 0.01) / max(best, 0.01))
    cells = [cell(took, undecided) for (took, _), undecided in zip(checks, left)]
    states = f"{space['states']:,}" + ("" if space["complete"] else "+")
    print(f"| {design} {parameters} | {' | '.join(cells)} | {explored:.2f} | {states} |"
          f" {sum(search[1] or 0 for search in searches):,} | {'> ' if missed else ''}{ratios[-1]:.2f} |", flush=True)
if ratios:
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nThe default takes {mean:.2f} times the best in the geometric mean, and {max(ratios):.2f} at the most.\n")
sys.exit(not good)
END

if command -v spin >/dev/null; then
    MODELS=realistic tests/benchmarks/beside_spin.sh "$@" || status=1
fi
exit "$status"
