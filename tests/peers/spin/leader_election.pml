// Twin of examples/leader_election.stb: election in a ring after Chang and Roberts.
//
// What a guard over a received value says there, the pattern says here: a message is taken only if
// its number is the one asked for, and NOBODY is the number of nobody.
//
//     spin -DN=4 -o1 -o2 -o3 -a leader_election.pml

#ifndef N
#define N 4
#endif

#define NUMBER ((N - _pid) % N)
#define NOBODY 255

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte };

#define PASS_ON(v) d_step { inbox?candidate,eval((v > NUMBER -> v : NOBODY)) -> seen = v }
#define DROP(v)    d_step { inbox?candidate,eval((v < NUMBER -> v : NOBODY)) -> seen = v }

#ifdef PROPERTY  // at_most_one_leader
byte elected;  // how many are
#define BECOME_LEADER d_step { outbox!leader,NUMBER -> elected++; assert(elected <= 1) }
#define CEASE_TO_LEAD d_step { inbox?leader,eval(NUMBER) -> elected-- }
#else
#define BECOME_LEADER outbox!leader,NUMBER
#define CEASE_TO_LEAD inbox?leader,eval(NUMBER)
#endif

active [N] proctype member() {
    byte chief;
    byte seen;
    chan inbox = link[_pid];
    chan outbox = link[(_pid + 1) % N];
    xr inbox;
    xs outbox;

    outbox!candidate,NUMBER;
listening:
    do
    :: PASS_ON(0) -> outbox!candidate,seen
    :: PASS_ON(1) -> outbox!candidate,seen
#if N > 2
    :: PASS_ON(2) -> outbox!candidate,seen
#endif
#if N > 3
    :: PASS_ON(3) -> outbox!candidate,seen
#endif
#if N > 4
    :: PASS_ON(4) -> outbox!candidate,seen
#endif
#if N > 5
    :: PASS_ON(5) -> outbox!candidate,seen
#endif
    :: DROP(0)
    :: DROP(1)
#if N > 2
    :: DROP(2)
#endif
#if N > 3
    :: DROP(3)
#endif
#if N > 4
    :: DROP(4)
#endif
#if N > 5
    :: DROP(5)
#endif
    :: d_step { inbox?candidate,eval(NUMBER) -> chief = NUMBER };
        BECOME_LEADER;
        CEASE_TO_LEAD;
        goto stopping
    :: inbox?leader,chief;
        outbox!leader,chief;
        goto stopping
    od;
stopping:
    skip;
end_stopped:
    false
}
