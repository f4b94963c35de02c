// Twin of tests/benchmarks/models/realistic/hazard_pointers.stb, with REVALIDATES = 1.
//
//     spin -DREADERS=2 -DNODES=3 -o1 -o2 -o3 -a hazard_pointers.pml

#ifndef READERS
#define READERS 2
#endif
#ifndef NODES
#define NODES 3
#endif
#define NONE 0
#define UNUSED 0
#define LIVE 1
#define RETIRED 2
#define ME (_pid + 1)

#if NODES == 2
byte use_of[3] = { UNUSED, LIVE, UNUSED };
#define SOME_RETIRED (use_of[1] == RETIRED || use_of[2] == RETIRED)
#define NONE_TO_FREE (!FREES(1) && !FREES(2))
#elif NODES == 3
byte use_of[4] = { UNUSED, LIVE, UNUSED, UNUSED };
#define SOME_RETIRED (use_of[1] == RETIRED || use_of[2] == RETIRED || use_of[3] == RETIRED)
#define NONE_TO_FREE (!FREES(1) && !FREES(2) && !FREES(3))
#else
byte use_of[5] = { UNUSED, LIVE, UNUSED, UNUSED, UNUSED };
#define SOME_RETIRED (use_of[1] == RETIRED || use_of[2] == RETIRED || use_of[3] == RETIRED || use_of[4] == RETIRED)
#define NONE_TO_FREE (!FREES(1) && !FREES(2) && !FREES(3) && !FREES(4))
#endif

byte shared = 1;
byte hazard[READERS + 1];

active [READERS] proctype reader() {
    byte mine;

outside:
    mine = shared;
publishing:
    hazard[ME] = mine;
    if
    :: shared == mine
    :: d_step { shared != mine -> mine = shared }; goto publishing
    fi;
using:
    if
    :: use_of[mine] != UNUSED; goto using
    :: d_step { hazard[ME] = NONE; mine = NONE }; goto outside
    fi
}

#define TAKE(x) d_step { use_of[x] == UNUSED -> use_of[x] = LIVE; fresh = x }
#define FREES(x) (use_of[x] == RETIRED && !(protected & (1 << x)))
#define FREE(x) d_step { FREES(x) -> use_of[x] = UNUSED }

active proctype writer() {
    byte fresh;
    byte old;
    byte protected;
    byte slot;

idle:
    if
    :: TAKE(1); goto swapping
    :: TAKE(2); goto swapping
#if NODES > 2
    :: TAKE(3); goto swapping
#endif
#if NODES > 3
    :: TAKE(4); goto swapping
#endif
    :: d_step { SOME_RETIRED -> protected = 0; slot = 0 }; goto scanning
    fi;
swapping:
    if
    :: d_step { old = shared; shared = fresh; fresh = NONE }
    fi;
    d_step { use_of[old] = RETIRED; old = NONE };
    goto idle;
scanning:
    if
    :: d_step {
            slot < READERS ->
            slot++;
            if
            :: hazard[slot] != NONE -> protected = protected | (1 << hazard[slot])
            :: else
            fi
        }; goto scanning
    :: slot == READERS
    fi;
freeing:
    if
    :: FREE(1); goto freeing
    :: FREE(2); goto freeing
#if NODES > 2
    :: FREE(3); goto freeing
#endif
#if NODES > 3
    :: FREE(4); goto freeing
#endif
    :: d_step { NONE_TO_FREE -> protected = 0 }; goto idle
    fi
}
