// Twin of examples/alternating_bit.stb: the alternating bit protocol over channels that lose.
//
//     spin -DCAPACITY=2 -o1 -o2 -o3 -a alternating_bit.pml

#ifndef CAPACITY
#define CAPACITY 2
#endif

#ifdef PROPERTY  // in_order
#define CHECK(e) assert(e)
#else
#define CHECK(e) skip
#endif

chan data = [CAPACITY] of { bit, byte };
chan reply = [CAPACITY] of { bit };

active proctype sender() {
    bit tag;
    byte number;

idle:
    if
    :: skip
    :: goto end_stopped
    fi;
sending:
    do
    :: data!tag,number
    :: reply?eval(1 - tag)
    :: d_step { reply?eval(tag) -> tag = 1 - tag; number = (number + 1) % 3 }; goto idle
    od;
end_stopped:
    do
    :: reply?_
    od
}

active proctype receiver() {
    bit expected;
    byte following;  // the number that should come next
    byte got;

end_listening:
    do
    :: d_step { data?eval(expected),got -> following = (following + 1) % 3 };
        d_step { reply!expected -> CHECK(got == (following + 2) % 3); expected = 1 - expected }
    :: data?eval(1 - expected),_;
        reply!(1 - expected)
    od
}

active proctype loss() {
end_active:
    do
    :: data?_,_
    :: reply?_
    od
}
