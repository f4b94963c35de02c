// Twin of examples/peterson.stb: Peterson's algorithm whose wait looks at all gates in one step.
//
//     spin -DN=3 -o1 -o2 -o3 -a peterson.pml

#ifndef N
#define N 3
#endif

byte gate[N];
byte last[N - 1];

#define IS_BEHIND(k) (k == _pid || gate[k] <= j)

#if N == 2
#define ALL_BEHIND (IS_BEHIND(0) && IS_BEHIND(1))
#elif N == 3
#define ALL_BEHIND (IS_BEHIND(0) && IS_BEHIND(1) && IS_BEHIND(2))
#else
#define ALL_BEHIND (IS_BEHIND(0) && IS_BEHIND(1) && IS_BEHIND(2) && IS_BEHIND(3))
#endif

#ifdef PROPERTY  // mutex
byte inside;  // how many are in the critical section; follows from where they are
#define COME_IN inside++; assert(inside <= 1)
#define GO_OUT  gate[_pid] = 0; inside--
#else
#define COME_IN skip
#define GO_OUT  gate[_pid] = 0
#endif

active [N] proctype customer() {
    byte j;

outside:
    if
    :: goto end_stopped
    :: j = 0  // asks
    fi;
on_the_way:
    if
    :: j < N - 1
    :: else -> goto in_front
    fi;
    gate[_pid] = j + 1;
    last[j] = _pid;
    last[j] != _pid || ALL_BEHIND;
    j = j + 1;
    goto on_the_way;
in_front:
    if
    :: d_step { true -> COME_IN }
    fi;
critical:
    if
    :: d_step { true -> GO_OUT }
    fi;
    goto outside;
end_stopped:
    false
}
