// Twin of examples/bounded_buffer.stb: producers and a consumer with an array between them.
//
//     spin -DPRODUCERS=2 -o1 -o2 -o3 -a bounded_buffer.pml

#ifndef SIZE
#define SIZE 2
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

#ifdef PROPERTY  // slots_are_fresh
#define PUT d_step { assert(buffer[write_at] == 0); buffer[write_at] = 1 }
#else
#define PUT buffer[write_at] = 1
#endif

#define TOTAL (PRODUCERS * ITEMS)

bit buffer[SIZE];  // 1: something
byte write_at;
byte read_at;
byte free = SIZE;
byte filled;
bool lock;
byte delivered;

active [PRODUCERS] proctype producer() {
    byte made;

    do
    :: made < ITEMS ->
        made = made + 1;
        d_step { free > 0 -> free = free - 1 };
        d_step { !lock -> lock = true };
        PUT;
        write_at = (write_at + 1) % SIZE;
        lock = false;
        filled = filled + 1
    :: else -> break
    od;
end_done:
    false
}

active proctype consumer() {
    do
    :: delivered < TOTAL ->
        d_step { filled > 0 -> filled = filled - 1 };
        d_step { !lock -> lock = true };
        buffer[read_at] = 0;
        read_at = (read_at + 1) % SIZE;
        delivered = delivered + 1;
        lock = false;
        free = free + 1
    :: else -> break
    od;
end_done:
    false
}
