// Twin of tests/benchmarks/models/realistic/gc_handshake.stb, with BARRIER = 1 and three objects.
//
//     spin -DMUTATORS=2 -o1 -o2 -o3 -a gc_handshake.pml

#ifndef MUTATORS
#define MUTATORS 2
#endif
#define OBJECTS 3
#define NULL 0
#define UNUSED 0
#define WHITE 1
#define GREY 2
#define BLACK 3
#define RESTING 0
#define ROOTING 1
#define TRACING 2
#define SWEEPING 3

byte colour[4] = { UNUSED, WHITE, UNUSED, UNUSED };
byte field[OBJECTS + 1];
byte phase;
bool asked[MUTATORS];
byte running = MUTATORS;  // mutators that are there: their locations are read by the collector
hidden byte f;

#define SHADE(x) f = x; if :: f != NULL && colour[f] == WHITE -> colour[f] = GREY :: else fi
#define ALLOCATE(x) d_step { colour[x] == UNUSED && root == 1 -> \
    colour[x] = (phase == RESTING -> WHITE : BLACK); field[x] = NULL; target = x; running-- }

active [MUTATORS] proctype mutator() {
    byte root;
    byte target;

running_:
    if
    :: d_step { root != NULL -> root = field[root] }; goto running_
    :: root = 1; goto running_
    :: ALLOCATE(1)
    :: ALLOCATE(2)
    :: ALLOCATE(3)
    :: d_step { root != NULL && root != 1 && field[1] != NULL -> target = field[1]; running-- }
    :: d_step { root != NULL -> target = NULL; running-- }
    :: d_step { asked[_pid] -> SHADE(root); SHADE(1); asked[_pid] = false }; goto running_
    fi;
    if
    :: d_step { true; if :: phase == ROOTING || phase == TRACING -> SHADE(target) :: else fi }
    fi;
    if
    :: d_step { field[root] = target; target = NULL; running++ }
    fi;
    goto running_
}

#if MUTATORS == 1
#define NONE_ASKED (!asked[0])
#define SOME_NOT_ASKED (!asked[0])
#define ASK asked[0] = true
#else
#define NONE_ASKED (!asked[0] && !asked[1])
#define SOME_NOT_ASKED (!asked[0] || !asked[1])
#define ASK asked[0] = true; asked[1] = true
#endif
#define NO_GREY (colour[1] != GREY && colour[2] != GREY && colour[3] != GREY)
#define TRACE(x) d_step { colour[x] == GREY -> colour[x] = BLACK; SHADE(field[x]) }
#define FREE(x) d_step { colour[x] == WHITE -> colour[x] = UNUSED; field[x] = NULL }
#define WHITEN(x) if :: colour[x] != UNUSED -> colour[x] = WHITE :: else fi

active proctype collector() {
idle:
    if
    :: d_step { phase = ROOTING; ASK }
    fi;
    d_step { NONE_ASKED -> phase = TRACING };
tracing:
    if
    :: TRACE(1); goto tracing
    :: TRACE(2); goto tracing
    :: TRACE(3); goto tracing
    :: d_step { NO_GREY && SOME_NOT_ASKED -> ASK }
    fi;
    if
    :: NONE_ASKED && !NO_GREY; goto tracing
    :: d_step { NONE_ASKED && running == MUTATORS && NO_GREY -> phase = SWEEPING }
    fi;
freeing:
    if
    :: FREE(2); goto freeing
    :: FREE(3); goto freeing
    :: d_step { colour[2] != WHITE && colour[3] != WHITE -> WHITEN(1); WHITEN(2); WHITEN(3); phase = RESTING }; goto idle
    fi
}
