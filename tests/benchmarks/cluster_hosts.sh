#!/usr/bin/env bash
# Searches with processes that have a network between them: each in a network namespace, with an address of its own.
#
#     tests/benchmarks/cluster_hosts.sh [HOSTS [PARTS]]
#
# Makes so many HOSTS (3, at most 50), joined by a bridge in one more namespace, runs `cluster --hosts` in each of them as if on
# a machine of its own, and prints a line for each thing that it looks at. Of the PARTS (all) it does those that are named:
#
#     verdicts     verdicts and counts are those of one process, and the others end with 0 and print nothing
#     addresses    a host may be named by an address that it does not send from of itself
#     cable        `why` names the host whose network goes away in the middle of a search, and its process ends too
#     lag          what a layer costs where packets are late by 0, 1 and 10 ms: nothing is expected of it
#     loss         verdicts are the same where one packet in a hundred is lost
#
# Ends with 1 where one of them is not so, with 2 where there is no way to make the network. It may be ended by Ctrl-C: the
# namespaces and what runs in them go in any case. Nothing of the machine's own network is touched.
#
# Is started as root on Linux, and needs iproute2 and python3. Packets are made late and lost by a switch of this script's own
# between devices of `/dev/net/tun`, because not every kernel has `netem`; it takes a few tenths of a millisecond by itself.
# The program is built as it is released, or is what the variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
many=${1:-3}
parts=${2:-verdicts addresses cable lag loss}
cannot() { echo "cluster_hosts.sh: $1" >&2; exit 2; }
[[ $many =~ ^[0-9]+$ ]] && [ "$many" -ge 2 ] && [ "$many" -le 50 ] || cannot "HOSTS is a number from 2 to 50, not \`$many\`"
for part in $parts; do
    [[ $part =~ ^(verdicts|addresses|cable|lag|loss)$ ]] || cannot "there is no part \`$part\`"
done
[ "$(uname)" = Linux ] || cannot "network namespaces are of Linux"
command -v ip >/dev/null || cannot "\`ip\` is missing: it belongs to iproute2 (apt-get install iproute2)"
[ "$(id -u)" = 0 ] || cannot "only root may make network namespaces"
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

name=stubborn_hosts_$$
folder=$(mktemp -d)
python=
clean() {
    trap '' INT TERM HUP
    if [ -n "$python" ] && kill -KILL "$python" 2>/dev/null; then
        # Here, so that bash does not tell the whole of what was killed.
        wait "$python" 2>/dev/null || true
    fi
    for space in $(ip netns list | cut -d' ' -f1 | grep "^${name}_"); do
        ip netns pids "$space" | xargs -r kill -KILL 2>/dev/null || true
        ip netns delete "$space" || true
    done
    rm -rf "$folder"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A place for the bridge, and one for each host with a cable to it, and with a device for what is late.
ip netns add "${name}_switch" || cannot "there is no right to make network namespaces here, or the kernel has none"
ip -n "${name}_switch" link add bridge up type bridge || cannot "the kernel has no bridges"
for host in $(seq "$many"); do
    here=${name}_$host
    ip netns add "$here"
    ip -n "$here" link set lo up
    ip -n "${name}_switch" link add "port$host" type veth peer name cable netns "$here" ||
        cannot "the kernel has no pairs of virtual cables (veth)"
    ip -n "${name}_switch" link set "port$host" master bridge up
    ip -n "$here" tuntap add late mode tap || cannot "the kernel has no devices that a program serves (/dev/net/tun)"
    ip -n "$here" address add "10.77.0.$host/24" dev cable
    ip -n "$here" address add "10.78.0.$host/24" dev late
    ip -n "$here" link set cable up
    ip -n "$here" link set late up
done

# In the background, because bash hears of a signal at once only while it waits.
python3 - "$STUBBORN" "$many" "$parts" "$name" "$folder" <<'END' &
import collections, contextlib, ctypes, fcntl, heapq, json, os, random, select, struct, subprocess, sys, time

program, many, parts, name, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(), sys.argv[4], sys.argv[5]
hosts = range(1, many + 1)
PLAIN = ["--reduction", "none", "--keep-dead-variables"]
is_wrong = False

def tell(part, what, wrong=None):
    global is_wrong
    is_wrong |= bool(wrong)
    print(f"{part}: {what}" + (": NOT SO: " + " / ".join(wrong.splitlines()) if wrong else ""), flush=True)

def ip(host, command):
    subprocess.run(["ip", "-n", f"{name}_{host}", *command.split()], check=True)

def write(file, text):
    with open(f"{folder}/{file}", "w") as to:
        to.write(text)
    return f"{folder}/{file}"

def read(file):
    with open(f"{folder}/{file}") as of:
        return of.read()

Ended = collections.namedtuple("Ended", "status out err after")

def check(options, addresses=None, meanwhile=None, patience=150):
    """What each process has ended with, by host; seconds are counted from what happens `meanwhile`. None of it is left."""
    addresses = addresses or [f"10.77.0.{host}" for host in hosts]
    listed = write("hosts", "".join(f"{address}:7401\n" for address in addresses))
    running, ended = {}, {}
    # The first one last: it does not matter, and so the others are ready to be looked at.
    for host in reversed(hosts):
        command = ["ip", "netns", "exec", f"{name}_{host}", program, "cluster", "--hosts", listed,
                   "--process", str(host), "check", *options, "--threads", "1", "--format", "json"]
        with open(f"{folder}/out{host}", "w") as out, open(f"{folder}/err{host}", "w") as err:
            running[host] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    if meanwhile:
        meanwhile()
    began = time.monotonic()
    while running:
        late = time.monotonic() - began > patience
        for host, process in list(running.items()):
            if late:
                process.kill()
                process.wait()
            if process.poll() is not None:
                status = None if late else process.returncode
                ended[host] = Ended(status, read(f"out{host}"), read(f"err{host}"), time.monotonic() - began)
                del running[host]
        time.sleep(0.01)
    return ended

def properties(out):
    return json.loads(out)["properties"]

def only(first):
    """Verdict, reason and seconds of the one property that was asked for, or of the first."""
    listed = properties(first.out) if first.out else []
    one = listed[0] if listed else {"verdict": None, "why": first.err + first.out, "seconds": None}
    return one["verdict"], one["why"] or "", one["seconds"]

def differs(options, counts=False, **how):
    """What several hosts tell otherwise than one process, or nothing, and what one process tells."""
    command = [program, "check", *options, "--threads", "1", "--format", "json"]
    one = subprocess.run(command, stdout=subprocess.PIPE)
    alone, ended = properties(one.stdout), check(options + ["--timeout", "120"], **how)
    wrong = [f"process {host} ended with {end.status} and printed {len(end.out)} bytes: {end.err.strip()[-300:]}"
             for host, end in ended.items() if host > 1 and (end.status != 0 or end.out)]
    together = properties(ended[1].out) if ended[1].out else []
    # Only one process decides these.
    refused = [there for there in together if "without `cluster`" in (there["why"] or "")]
    if not refused and ended[1].status != one.returncode:
        wrong.append(f"status {ended[1].status} and not {one.returncode}: {ended[1].err.strip()[-300:]}")
    if [there["name"] for there in together] != [here["name"] for here in alone]:
        wrong.append("other properties")
    if not any(there.get("sharing", {}).get("processes") == many for there in together):
        wrong.append("nothing was decided together")
    for here, there in zip(alone, together):
        if there in refused:
            continue
        if here["verdict"] != there["verdict"]:
            wrong.append(f"{here['name']} {there['verdict']} and not {here['verdict']} ({there['why']})")
        if there["verdict"] == "violated" and not there["trace"]:
            wrong.append(f"{here['name']} without a run")
        # A search for a state ends where it has met one, which may be another one each time.
        figures = ["states", "edges"] if counts and here["verdict"] == "holds" and here["kind"] != "reachable" else []
        wrong += [f"{here['name']} {there[figure]} {figure} and not {here[figure]}" for figure in figures
                  if here[figure] != there[figure]]
    return "; ".join(wrong), alone

def verdicts():
    for model in ["examples/two_phase_commit.stb", "examples/alternating_bit.stb", "examples/peterson_revealing.stb",
                  "examples/peterson.tester", "examples/vending.tester", "examples/replicated_log.stb",
                  "tests/semantics/may_and_must_differ.stb"]:
        for options in [PLAIN, []]:
            wrong, alone = differs([model, *options], counts=bool(options))
            violated = sum(one["verdict"] == "violated" for one in alone)
            tell("verdicts", f"{model}, {'plain' if options else 'reduced'}: {len(alone)} properties, {violated} of them "
                 "violated, as by one process", wrong)

def addresses():
    for host in hosts:
        ip(host, f"address add 10.77.0.{100 + host}/24 dev cable")
    for second in [[host] for host in hosts] + [list(hosts)]:
        named = [f"10.77.0.{100 + host if host in second else host}" for host in hosts]
        ended = check(["examples/peterson.stb", "--timeout", "20"], named, patience=60)
        wrong = "; ".join(f"process {host} ended with {end.status} after {end.after:.0f} s: "
                          + (only(end)[1] if end.out else end.err.strip()[-300:])
                          for host, end in sorted(ended.items()) if end.status != 0)
        tell("addresses", f"host {' and '.join(map(str, second))} of {many} named by its second address", wrong)
    for host in hosts:
        ip(host, f"address delete 10.77.0.{100 + host}/24 dev cable")

def cable():
    endless = write("endless.stb", """var x: array[0..9] of 0..1000
        process p(i in 0..9) { loop { x[i] = any 0..1000 } }
        termination not required
        invariant small: x[0] <= 1000\n""")
    # The host itself sees that it has no network, or sees nothing; or only two that do not print have lost each other.
    for what, end, cut, mend, named in [
            ("its interface is set down", 2, "link set cable down", "link set cable up", [2]),
            ("its port of the switch is", "switch", "link set port2 down", "link set port2 up", [2]),
            ("host 3 alone", 2, "route add blackhole 10.77.0.3", "route delete blackhole 10.77.0.3", [2, 3])][:many]:
        def pull():
            until = time.monotonic() + 30
            while "searches" not in read("err2") and time.monotonic() < until:
                time.sleep(0.05)
            time.sleep(1)
            ip(end, cut)
        ended = check([endless, *PLAIN, "--property", "small", "--max-memory", "2G"], meanwhile=pull, patience=60)
        ip(end, mend)
        verdict, why, _ = only(ended[1])
        wrong = [f"process {host} ended with {of.status}: {of.err[-300:]}" for host, of in ended.items() if of.status != 1]
        if ended[1].after > 30 or verdict != "undecided" or any(f"process {host} of {many}" not in why for host in named):
            wrong.append("the first one does not name who is lost within 30 s")
        tell("cable", f"host 2 loses {'the others, ' if named == [2] else ''}{what}: {verdict} ({why}) after "
             f"{ended[1].after:.1f} s, the others end after " + ", ".join(f"{ended[host].after:.1f} s" for host in hosts[1:]),
             "; ".join(wrong))

def switch(owner, late, lost):
    """Hands frames on between the hosts, some seconds `late`; that part of them is `lost`. Ends with its `owner`."""
    libc, wires, at, waiting, number = ctypes.CDLL(None), [], {}, [], 0
    for host in hosts:
        # The device can be had where it is: in the host's namespace (CLONE_NEWNET).
        if libc.setns(os.open(f"/run/netns/{name}_{host}", os.O_RDONLY), 0x40000000):
            sys.exit("no way into a namespace")
        wires.append(os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK))
        # TUNSETIFF with IFF_TAP and IFF_NO_PI.
        fcntl.ioctl(wires[-1], 0x400454CA, struct.pack("16sH22x", b"late", 0x1002))
    while os.getppid() == owner:
        wait = max(0, waiting[0][0] - time.monotonic()) if waiting else 1
        for wire in select.select(wires, [], [], wait)[0]:
            frame = os.read(wire, 65536)
            at[frame[6:12]] = wire
            if random.random() >= lost:
                number += 1
                heapq.heappush(waiting, (time.monotonic() + late, number, wire, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, wire, frame = heapq.heappop(waiting)
            for to in [at[frame[:6]]] if frame[:6] in at else [to for to in wires if to != wire]:
                with contextlib.suppress(BlockingIOError):
                    os.write(to, frame)

@contextlib.contextmanager
def network(late, lost):
    """Addresses between which packets are so many milliseconds late on each way, and that part of them is lost."""
    owner = os.getpid()
    child = os.fork()
    if child == 0:
        switch(owner, late / 1000, lost)
        os._exit(0)
    yield [f"10.78.0.{host}" for host in hosts]
    os.kill(child, 9)
    os.waitpid(child, 0)

def lag():
    counter = write("counter.stb", """param N: 1..100000 = 2000
        var x: 0..N
        process p { loop { when x < N do x = x + 1 } }
        termination not required
        deadlock allowed when x == N
        invariant small: x <= N
        invariant not_all: x < N
        progress full: may x == N\n""")
    grid = write("grid.stb", """param N: 1..100000 = 2000
        var x: array[0..1] of 0..N
        process p(i in 0..1) { loop { when x[i] < N do x[i] = x[i] + 1 } }
        termination not required
        deadlock allowed when x[0] == N
        invariant small: x[0] <= N\n""")
    # Of one model a layer has one state, of the other one up to half as many as there are layers. What takes longer than
    # without lag is divided by the lag alone, so that the round trips are a tenth too many at 1 ms: the switch takes some too.
    for what, model, asked, of in [("search, a state a layer", counter, "small", 1), ("search, wider layers", grid, "small", 2),
                                   ("search and run", counter, "not_all", 1), ("search and question", counter, "full", 1)]:
        told, without = [], None
        for late, layers in [(0, 1000), (1, 1000), (10, 200)]:
            options = [model, *PLAIN, "-D", f"N={layers // of}", "--property", asked, "--timeout", "140"]
            with network(late, 0) as among:
                first = check(options, among)[1]
            verdict, why, seconds = only(first)
            if verdict not in ("holds", "violated"):
                told.append(f"{late} ms late {verdict} ({why})")
                continue
            each = seconds * 1000 / layers
            without = each if without is None else without
            told.append(f"{late} ms late {each:.2f} ms"
                        + (f" ({(each - without) / 2 / late:.1f} round trips)" if late else ""))
        tell("lag", f"{what}, for each layer: " + ", ".join(told))

def loss():
    def again():
        """Segments that the hosts have sent once more."""
        shown = [subprocess.run(["ip", "netns", "exec", f"{name}_{host}", "cat", "/proc/net/snmp"], check=True,
                                stdout=subprocess.PIPE, text=True).stdout.splitlines() for host in hosts]
        rows = [[line.split() for line in lines if line.startswith("Tcp:")] for lines in shown]
        return sum(int(values[names.index("RetransSegs")]) for names, values in rows)
    for model in ["examples/two_phase_commit.stb", "examples/replicated_log.stb"]:
        with network(1, 0.01) as among:
            before, began = again(), time.monotonic()
            wrong, alone = differs([model, *PLAIN], addresses=among, counts=True)
            tell("loss", f"{model}: {len(alone)} properties, as by one process, in {time.monotonic() - began:.1f} s, "
                 f"{again() - before} packets sent once more", wrong)

for part in parts:
    {"verdicts": verdicts, "addresses": addresses, "cable": cable, "lag": lag, "loss": loss}[part]()
sys.exit(is_wrong)
END
python=$!
status=0
wait "$python" || status=$?
exit "$status"
