// Twin of examples/philosophers_polite.stb: forks are taken in the order of their numbers, and a
// philosopher may leave between meals.
//
//     spin -DN=4 -o1 -o2 -o3 -a philosophers_polite.pml

#ifndef N
#define N 4
#endif

#define LEFT  _pid
#define RIGHT ((_pid + 1) % N)
#define LOWER (LEFT < RIGHT -> LEFT : RIGHT)
#define UPPER (LEFT < RIGHT -> RIGHT : LEFT)

#ifdef PROPERTY  // forks_are_held
#define CHECK(e) assert(e)
#else
#define CHECK(e) skip
#endif

bool taken[N];

active [N] proctype philosopher() {
thinking:
    if
    :: goto end_away
    :: skip
    fi;
first:
    d_step { !taken[LOWER] -> taken[LOWER] = true };
second:
    d_step { !taken[UPPER] -> taken[UPPER] = true };
eating:
    d_step { CHECK(taken[LEFT] && taken[RIGHT]); taken[LEFT] = false; taken[RIGHT] = false };
    goto thinking;
end_away:
    false
}
