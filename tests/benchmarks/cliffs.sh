#!/usr/bin/env bash
# Numbers of states beyond the sizes at which a reduction might be given up: many processes, many properties, wide
# types, conjunctions of formulas.
#
#     tests/benchmarks/cliffs.sh [NAME...]
#
# Prints a table in Markdown: the model of models/cliffs with its parameters; the states of the default `check`, the
# most that there may be, and what that is; processor seconds on one thread, and megabytes of memory. With NAMEs those
# models alone. SPIN's figures are of its reduction (`-o1 -o2 -o3`); its program is run where it is installed, else
# figures from then are used.
#
# Ends with 1 if there are more states than that, a property is undecided or another number of states is wrong. Each
# check has 60 seconds of processor time.
#
# Needs `python3`. The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
export STUBBORN

python3 - "$@" <<'END_OF_PROGRAM'
import json, os, pathlib, re, resource, shutil, subprocess, sys, tempfile

models = pathlib.Path("tests/benchmarks/models/cliffs").resolve()
wanted, failed = sys.argv[1:], False


def check(path, parameters, options=()):
    """The states of the searches, processor seconds, megabytes, and what is undecided."""
    arguments = [os.environ["STUBBORN"], "check", str(path)]
    for parameter in parameters:
        arguments += ["-D", parameter]
    arguments += [*options, "--threads", "1", "--format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(arguments, stdout=subprocess.PIPE, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 65)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 1):
        return None, seconds, 0
    properties = json.loads(done.stdout)["properties"]
    undecided = any(one["verdict"] == "undecided" for one in properties)
    states = max(one["states"] for one in properties)
    return None if undecided else states, seconds, after.ru_maxrss // 1024


def spin(twin, n, known):
    """The states of SPIN's reduction."""
    if not shutil.which("spin") or not shutil.which("gcc"):
        return known
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["spin", f"-DN={n}", "-o1", "-o2", "-o3", "-a", twin], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["gcc", "-O1", "-w", "-DSAFETY", "-DVECTORSZ=32768", "-o", "pan", "pan.c"], cwd=folder,
                       check=True)
        said = subprocess.run(["./pan", "-m1000000"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    found = re.search(r"(\d+) states, stored", said.stdout)
    return int(found.group(1))


def row(name, parameters, most, what, path=None, options=()):
    global failed
    if wanted and name not in wanted:
        return None
    states, seconds, megabytes = check(path or models / f"{name}.stb", parameters, options)
    wrong = states is None or states > most
    failed |= wrong
    print(f"| {name} | {', '.join(parameters)} | {'undecided' if states is None else states} | {most} | {what} "
          f"| {seconds:.2f} | {megabytes} |{' WRONG' if wrong else ''}", flush=True)
    return states


print("| model | parameters | states | most | which is | seconds | MB |")
print("|---|---|--:|--:|---|--:|--:|")
twins = {"ring": pathlib.Path("tests/peers/spin/dolev_klawe_rodeh.pml").resolve(),
         "chang_roberts": models / "chang_roberts.pml"}
known = {"ring": {12: 209, 20: 345, 40: 685}, "chang_roberts": {12: 272, 20: 692, 40: 2582}}
for name, twin in twins.items():
    for n in (12, 20, 40):
        if wanted and name not in wanted:
            continue
        most = spin(twin, n, known[name][n]) * 11 // 10
        row(name, [f"N={n}"], most, "1.1 times SPIN's")
        # A label that nothing names.
        text = (models / f"{name}.stb").read_text()
        labelled = re.sub(r"^( +)(receive link\[i\])", r"\1unused: \2", text, count=1, flags=re.M)
        with tempfile.NamedTemporaryFile("w", suffix=".stb") as file:
            file.write(labelled)
            file.flush()
            row(name, [f"N={n}"], most, "with a label that nothing names", file.name)

few = row("bytes", ["MOST=7"], 1000, "few")
for most in (255, 100_000):
    row("bytes", [f"MOST={most}"], few or 56, "those with eight values")
for n in (30, 48, 64):
    row("philosophers", [f"N={n}"], 2 * n * n, "2N²")
for n in (10, 100, 1000):
    row("independent", [f"N={n}"], n + 1, "N + 1")
few = row("invariants", ["MANY=10"], 1000, "few")
for many in (100, 1000):
    row("invariants", [f"MANY={many}"], few or 416, "those with ten invariants")
few = row("formulas", ["N=1"], 100, "few")
for many in (4, 16):
    row("formulas", [f"N={many}"], 2 * (few or 50), "twice those of one formula")
sys.exit(failed)
END_OF_PROGRAM
