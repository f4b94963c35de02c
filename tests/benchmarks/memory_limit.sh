#!/usr/bin/env bash
# Whether a search ends in good order where it may have half of the memory that it needs.
#
#     tests/benchmarks/memory_limit.sh [NAME...]
#
# Runs each search without a limit, and again with `--max-memory` at half of the resident memory that it had at
# its peak. Prints both peaks in megabytes, the second as a part of the limit, and how many properties the limit
# has left undecided: none where what took the memory was telling what was found, or where the states were on the
# disk. Ends with 1 where the part is over 1.2, or where the second run did not end in good order. With NAMEs
# those searches alone.
#
# Needs python3. The program is built as it is released, or is what the variable STUBBORN names. Takes some
# minutes and a gigabyte.
set -euo pipefail

cd "$(dirname "$0")/../.."
wanted=" $* "
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi

correct=examples/peterson_correct.stb
searches=$(
    cat <<END
counting explore $correct -D N=4 --reduction none --keep-dead-variables --threads 1
counting-2 explore $correct -D N=4 --reduction none --keep-dead-variables --threads 2
counting-wide explore tests/peers/models/dolev_klawe_rodeh.stb -D N=7 --reduction none --keep-dead-variables
in-passing check $correct -D N=4 --reduction none --threads 1 --property mutex --keep-dead-variables
in-passing-2 check $correct -D N=4 --reduction none --threads 2 --property mutex --keep-dead-variables
spilled-counting explore $correct -D N=4 --reduction none --keep-dead-variables --storage disk
spilled-in-passing check $correct -D N=4 --reduction none --property mutex --keep-dead-variables --storage disk
spilled-wide explore tests/peers/models/dolev_klawe_rodeh.stb -D N=7 --reduction none --keep-dead-variables --storage disk
graph check $correct -D N=4 --reduction none
stubborn check $correct -D N=5 --max-states 2000000
must check examples/philosophers_polite.stb -D N=9 --reduction none
depth-first check $correct -D N=4 --reduction none --search dfs
nested check examples/philosophers.tester -D N=12 --reduction none --liveness nested --keep-dead-variables
four-pass check examples/philosophers.tester -D N=12 --reduction none --liveness four-pass --keep-dead-variables --property never_starves(0)
bitstate check $correct -D N=4 --reduction none --storage bitstate --bits 24 --property mutex --keep-dead-variables
compact check $correct -D N=4 --reduction none --storage compact --property mutex
END
)

# ran COMMAND...: prints "status kilobytes held".
ran() {
    python3 - "$STUBBORN" "$@" <<'END'
import json, resource, subprocess, sys
ran = subprocess.run([*sys.argv[1:], "--format", "json"], stdout=subprocess.PIPE)
told = json.loads(ran.stdout)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
whys = [told.get("why")] + [one["why"] for one in told.get("properties", [])]
limits = sum("memory limit" in (why or "") for why in whys)
print(ran.returncode, peak, limits)
END
}

printf '%-18s %10s %10s %10s %7s %9s\n' search 'all MB' 'limit MB' 'peak MB' part undecided
failed=0
while read -r name command; do
    [ "$wanted" = "  " ] || [[ "$wanted" == *" $name "* ]] || continue
    read -r _ all _ < <(ran $command --max-memory 12G)
    half=$((all * 512))
    read -r status peak limits < <(ran $command --max-memory "$half")
    awk -v n="$name" -v a="$all" -v h="$half" -v p="$peak" -v s="$status" -v l="$limits" 'BEGIN {
        part = p * 1024 / h
        printf "%-18s %10.1f %10.1f %10.1f %7.2f %9d\n", n, a / 1024, h / 1048576, p / 1024, part, l
        exit !(part <= 1.2 && (l > 0 ? s == 1 || s == 2 : s == 0 || s == 1))
    }' || failed=1
done <<<"$searches"
exit "$failed"
