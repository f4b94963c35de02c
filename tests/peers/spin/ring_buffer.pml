// Twin of tests/benchmarks/models/realistic/ring_buffer.stb, with ORDERED = 1.
//
//     spin -DPRODUCERS=2 -DCONSUMERS=2 -o1 -o2 -o3 -a ring_buffer.pml

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#define TOTAL (PRODUCERS * ITEMS)
#define ME (_pid + 1)
#define CELL (at % SIZE)
#define TURN (turn_plus[CELL] + CELL)

byte turn_plus[SIZE];  // what the turn is ahead of the cell's number, so that all begin with 0
byte value[SIZE];
byte tail;
byte head;
byte made[PRODUCERS + 1];
byte taken[PRODUCERS + 1];

active [PRODUCERS] proctype producer() {
    byte at;

idle:
    if
    :: d_step { made[ME] < ITEMS -> at = tail }
    :: made[ME] == ITEMS; goto finished
    fi;
looking:
    if
    :: TURN == at
    :: d_step { TURN < at -> at = tail }; goto looking
    :: d_step { TURN > at -> at = tail }; goto looking
    fi;
    if
    :: d_step { tail == at -> tail = at + 1 }
    :: d_step { tail != at -> at = tail }; goto looking
    fi;
    value[CELL] = ME;
    d_step { turn_plus[CELL] = at + 1 - CELL; made[ME] = made[ME] + 1 };
    goto idle;
finished:
    false
}

active [CONSUMERS] proctype consumer() {
    byte at;
    byte got;

idle:
    if
    :: d_step { head < TOTAL -> at = head }
    fi;
    if
    :: TURN == at + 1
    :: TURN != at + 1; goto idle
    fi;
    if
    :: d_step { head == at -> head = at + 1 }
    :: head != at; goto idle
    fi;
    d_step { got = value[CELL]; value[CELL] = 0 };
    d_step {
        turn_plus[CELL] = at + SIZE - CELL;
        if
        :: got != 0 -> taken[got] = taken[got] + 1
        :: else
        fi
    };
    goto idle
}

