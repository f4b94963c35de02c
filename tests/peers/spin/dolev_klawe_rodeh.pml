// Twin of tests/peers/models/dolev_klawe_rodeh.stb: election in a ring with N log N messages.
//
// `before` and `heard` start with the least number there, 1, and with 0 here: all the same, as
// both are read only after they have been written.
//
//     spin -DN=4 -o1 -o2 -o3 -a dolev_klawe_rodeh.pml

#ifndef N
#define N 4
#endif

#define NUMBER ((N + 2 - _pid) % N + 1)

mtype = { one, two, winner };

chan link[N] = [2 * N] of { mtype, byte };

byte leaders;

#ifdef PROPERTY  // one_leader
#define BE_LEADER d_step { leaders = leaders + 1; assert(leaders <= 1) }
#else
#define BE_LEADER leaders = leaders + 1
#endif

active [N] proctype node() {
    byte maximum = NUMBER;
    byte heard;
    byte before;
    bool passive;
    bool knows;
    chan inbox = link[_pid];
    chan outbox = link[(_pid + 1) % N];
    xr inbox;
    xs outbox;

    outbox!one,NUMBER;
    do
    :: inbox?one,heard;
        if
        :: passive -> outbox!one,heard
        :: else ->
            if
            :: heard != maximum ->
                outbox!two,heard;
                before = heard
            :: else ->
                assert(heard == N);
                knows = true;
                outbox!winner,heard
            fi
        fi
    :: inbox?two,heard;
        if
        :: passive -> outbox!two,heard
        :: else ->
            if
            :: before > heard && before > maximum ->
                maximum = before;
                outbox!one,before
            :: else ->
                passive = true
            fi
        fi
    :: inbox?winner,heard;
        if
        :: heard == NUMBER -> BE_LEADER
        :: else
        fi;
        if
        :: knows
        :: else -> outbox!winner,heard
        fi;
        break
    od;
end_done:
    false
}
