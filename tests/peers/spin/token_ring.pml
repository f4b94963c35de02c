// Twin of examples/token_ring.stb: a token that is handed on by rendezvous.
//
// `has_token` of a station follows from where the station is, but for the first one at the start;
// that is a place of its own here, in which nobody can hand it a second token.
//
//     spin -DN=3 -o1 -o2 -o3 -a token_ring.pml

#ifndef N
#define N 3
#endif

chan pass[N] = [0] of { bit };

#define GIVE pass[_pid]!0
#define TAKE pass[(_pid + N - 1) % N]?0

#ifdef PROPERTY  // line_is_shared
byte sending;  // how many are
#define BEGIN_SENDING d_step { !silent -> sending++; assert(sending <= 1) }
#define END_SENDING   sending--
#else
#define BEGIN_SENDING !silent
#define END_SENDING   skip
#endif

#define FALL_SILENT d_step { !silent -> silent = true }

// Where a station without the token begins, and all that it does from then on.
#define ROUND \
waiting: \
    do \
    :: TAKE -> break \
    :: FALL_SILENT \
    od; \
holding: \
    if \
    :: GIVE -> goto waiting \
    :: BEGIN_SENDING \
    fi; \
    END_SENDING; \
    GIVE; \
    goto waiting

active proctype first_station() {
    bool silent;

    do
    :: goto holding
    :: FALL_SILENT
    od;
    ROUND
}

active [N - 1] proctype station() {
    bool silent;

    ROUND
}
