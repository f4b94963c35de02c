#!/usr/bin/env bash
# Kills one of two or three processes at a random moment, many times, and looks for a wrong verdict or one that never comes.
#
#     tests/benchmarks/cluster_kills.sh [KILLS [SEED]]
#
# Checks the plain state space of Peterson's algorithm for three customers with several processes KILLS (100) times. Each time
# one that the command has started is killed after a random part of the time that the whole takes, or, once in four times, the
# first one, soon after it has begun, or interrupted. Ends with 1 where a property that one process says to hold is violated or
# the other way round, where the command ends with another status than what its verdicts say, where it takes 30 seconds longer
# than without a kill, or where a process is left that it has started two seconds after it has ended.
#
# Needs python3. The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

python3 - "$STUBBORN" "${1:-100}" "${2:-1}" <<'END'
import collections, glob, json, os, random, signal, subprocess, sys, time

program, kills = sys.argv[1], int(sys.argv[2])
random.seed(int(sys.argv[3]))
check = ["check", "examples/peterson_correct.stb", "-D", "N=3", "--reduction", "none",
         "--keep-dead-variables", "--threads", "1", "--format", "json"]

def cluster(processes):
    return [program, "cluster", "--processes", processes, *check]

def verdicts(out):
    return {one["name"]: one["verdict"] for one in json.loads(out)["properties"]}

def children(of):
    # Each thread has children of its own.
    found = []
    for listed in glob.glob(f"/proc/{of}/task/*/children"):
        with open(listed) as listed:
            found += [int(child) for child in listed.read().split()]
    return found

def left(group):
    found = []
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat) as stat:
                state, _, of = stat.read().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        # What has ended may wait for somebody to ask how.
        if int(of) == group and state != "Z":
            found.append(stat.name)
    return found

alone = verdicts(subprocess.run([program, *check], stdout=subprocess.PIPE).stdout)
began = time.monotonic()
subprocess.run(cluster("2"), stdout=subprocess.PIPE)
takes = time.monotonic() - began
met = collections.Counter()
for kill in range(kills):
    many = random.choice(["2", "3"])
    process = subprocess.Popen(cluster(many), stdout=subprocess.PIPE, start_new_session=True)
    is_first = random.random() < 0.25
    longest = min(takes, random.choice([0.03, takes])) if is_first else takes
    until = time.monotonic() + random.random() * longest
    while time.monotonic() < until and process.poll() is None:
        time.sleep(0.001)
    try:
        if is_first:
            process.send_signal(random.choice([signal.SIGKILL, signal.SIGINT]))
        elif started := children(process.pid):
            os.kill(random.choice(started), signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        pass
    try:
        out, _ = process.communicate(timeout=takes + 30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        sys.exit(f"kill {kill}: it does not end")
    until = time.monotonic() + 2
    while left(process.pid):
        if time.monotonic() > until:
            sys.exit(f"kill {kill}: a process is left: {left(process.pid)}")
        time.sleep(0.01)
    if is_first and process.returncode < 0:
        met["ends of the first one, with all others"] += 1
        continue
    found = verdicts(out)
    wrong = {name for name, verdict in found.items() if verdict not in (alone[name], "undecided")}
    if wrong or set(found) != set(alone):
        sys.exit(f"kill {kill}: wrong verdicts of {sorted(wrong)}: {found}")
    is_cut = "undecided" in found.values()
    if is_cut and process.returncode != 1 or not is_cut and process.returncode not in (0, 1):
        sys.exit(f"kill {kill}: status {process.returncode}")
    met["undecided" if is_cut else "decided all the same"] += 1
print(f"{kills} kills: " + ", ".join(f"{many} {what}" for what, many in sorted(met.items())))
END
