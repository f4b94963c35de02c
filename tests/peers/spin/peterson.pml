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
    skip;  // enters
critical:
    gate[_pid] = 0;
    goto outside;
end_stopped:
    false
}
