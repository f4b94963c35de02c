// Twin of tests/benchmarks/models/realistic/work_queue.stb, with RECEIPTS = 1.
//
//     spin -DJOBS=2 -DWORKERS=2 -o1 -o2 -o3 -a work_queue.pml

#ifndef JOBS
#define JOBS 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif

#define READY 0
#define LEASED 1
#define DELETED 2
#define DEAD 3

byte stage[JOBS + 1];
byte attempt[JOBS + 1];
byte done[JOBS + 1];
byte crashes;

#define HOLDS (stage[job] == LEASED && attempt[job] == receipt)
#define LEASE(j) d_step { stage[j] == READY && attempt[j] < ATTEMPTS -> \
    stage[j] = LEASED; attempt[j] = attempt[j] + 1; job = j; receipt = attempt[j] }
#define EXPIRE(j) d_step { stage[j] == LEASED -> stage[j] = READY }
#define BURY(j) d_step { stage[j] == READY && attempt[j] == ATTEMPTS -> stage[j] = DEAD }

active [WORKERS] proctype worker() {
    byte job = 1;
    byte receipt;

idle:
    if
    :: LEASE(1)
#if JOBS > 1
    :: LEASE(2)
#endif
#if JOBS > 2
    :: LEASE(3)
#endif
#if JOBS > 3
    :: LEASE(4)
#endif
    fi;
    if
    :: done[job] = done[job] + 1
    :: d_step { crashes < WORKERS -> crashes++ }; goto down
    :: d_step { HOLDS -> stage[job] = READY }; goto idle
    fi;
    if
    :: d_step { HOLDS -> stage[job] = DELETED }; goto idle
    :: !HOLDS; goto idle
    fi;
down:
    true;
    goto idle
}

active proctype timer() {
    do
    :: EXPIRE(1)
    :: BURY(1)
#if JOBS > 1
    :: EXPIRE(2)
    :: BURY(2)
#endif
#if JOBS > 2
    :: EXPIRE(3)
    :: BURY(3)
#endif
#if JOBS > 3
    :: EXPIRE(4)
    :: BURY(4)
#endif
    od
}
