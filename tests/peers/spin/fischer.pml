// Twin of examples/fischer.stb: Fischer's protocol without its clocks.
//
//     spin -DN=4 -o1 -o2 -o3 -a fischer.pml

#ifndef N
#define N 4
#endif

#define NUMBER (_pid + 1)

byte x;  // who wrote last; 0 is for nobody yet

active [N] proctype server() {
away:
    x = NUMBER;
waiting:
    if
    :: x == NUMBER
    :: x != NUMBER
    fi;
    goto away
}
