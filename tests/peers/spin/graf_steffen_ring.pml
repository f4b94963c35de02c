// Twin of examples/graf_steffen_ring.stb: the token ring of Graf and Steffen, by rendezvous.
//
// Every action there has two participants. The resource forgets its user in the step in which it
// is released: the buffer hands over the user that it was taken by, and 0 for who has it now.
//
//     spin -DN=4 -o1 -o2 -o3 -a graf_steffen_ring.pml

#ifndef N
#define N 4
#endif

chan token[N] = [0] of { bit };
chan ask = [0] of { byte };
chan push[N] = [0] of { bit };
chan release = [0] of { byte, byte };
chan pull[N] = [0] of { bit };

// From having asked to being told that the use is over.
#define USE \
    push[_pid]!0; \
    token[(_pid + 1) % N]!0; \
    pull[_pid]?0

active proctype first_station() {
    do
    :: ask!_pid;
        USE;
        token[_pid]?0
    od
}

active [N - 1] proctype station() {
    do
    :: token[_pid]?0;
        ask!_pid;
        USE
    od
}

#define OWNER (_pid - N)

active [N] proctype buffer() {
    do
    :: push[OWNER]?0;
        release!OWNER,0;
        pull[OWNER]!0
    od
}

active proctype resource() {
    byte user;

    do
    :: ask?user;
        release?eval(user),user
    od
}
