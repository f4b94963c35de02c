// Twin of chang_roberts.stb.
//
//     spin -DN=12 -o1 -o2 -o3 -a chang_roberts.pml

#ifndef N
#define N 4
#endif

#define NUMBER ((N - _pid) % N)

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte };

active [N] proctype member() {
    byte seen;
    chan inbox = link[_pid];
    chan outbox = link[(_pid + 1) % N];
    xr inbox;
    xs outbox;

    outbox!candidate,NUMBER;
    do
    :: inbox?candidate,seen;
        if
        :: seen > NUMBER -> outbox!candidate,seen
        :: else ->
            if
            :: seen == NUMBER ->
                assert(NUMBER == N - 1);
                outbox!leader,NUMBER;
                inbox?leader,_;
                break
            :: else
            fi
        fi
    :: inbox?leader,seen;
        outbox!leader,seen;
        break
    od;
end_done:
    false
}
