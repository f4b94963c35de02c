// Twin of examples/philosophers.stb: everybody takes the left fork first.
//
//     spin -DN=5 -o1 -o2 -o3 -a philosophers.pml

#ifndef N
#define N 5
#endif

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];

active [N] proctype philosopher() {
thinking:
    if
    :: d_step { !taken[LEFT] -> taken[LEFT] = true }
    fi;
has_left:
    d_step { !taken[RIGHT] -> taken[RIGHT] = true };
eating:
    taken[LEFT] = false;
has_right:
    taken[RIGHT] = false;
    goto thinking
}
