// Twin of tests/benchmarks/models/realistic/log_shipping.stb, with GAPS = 0 and two replicas.
//
// A bag is a channel into which messages are sorted (`!!`), and from which any may be taken (`??`).
//
//     spin -DENTRIES=2 -DCAPACITY=2 -o1 -o2 -o3 -a log_shipping.pml

#ifndef REPLICAS
#define REPLICAS 2
#endif
#if REPLICAS != 2
#error "two replicas"
#endif
#ifndef ENTRIES
#define ENTRIES 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define RED 1
#define GREEN 2

chan data[3] = [CAPACITY] of { byte, byte };
chan answer = [CAPACITY] of { byte, byte };

byte log[ENTRIES + 1];
byte written;
byte committed;
byte matched[REPLICAS + 1];

typedef Copy { byte at[ENTRIES + 2] };
byte applied[REPLICAS + 1];
Copy copy[REPLICAS + 1];

#define SEND(r, x) d_step { x <= written && x > matched[r] && nfull(data[r]) -> data[r]!!x,log[x] }
#define HEAR(r, x) d_step { answer??r,x; matched[r] = x }
#define ACKS(x) ((matched[1] >= x) + (matched[2] >= x))
#define COMMIT(x) d_step { x == committed + 1 && ACKS(x) >= 2 -> committed = x }

active proctype primary() {
serving:
    if
    :: d_step { written < ENTRIES -> written++; log[written] = RED }; goto serving
    :: d_step { written < ENTRIES -> written++; log[written] = GREEN }; goto serving
    :: SEND(1, 1); goto serving
    :: SEND(2, 1); goto serving
    :: HEAR(1, 0)
    :: HEAR(2, 0)
    :: HEAR(1, 1)
    :: HEAR(2, 1)
#if ENTRIES > 1
    :: SEND(1, 2); goto serving
    :: SEND(2, 2); goto serving
    :: HEAR(1, 2)
    :: HEAR(2, 2)
#endif
#if ENTRIES > 2
    :: SEND(1, 3); goto serving
    :: SEND(2, 3); goto serving
    :: HEAR(1, 3)
    :: HEAR(2, 3)
#endif
    fi;
counting:
    if
    :: COMMIT(1); goto counting
#if ENTRIES > 1
    :: COMMIT(2); goto counting
#endif
#if ENTRIES > 2
    :: COMMIT(3); goto counting
#endif
    :: committed == ENTRIES || ACKS(committed + 1) < 2; goto serving
    fi
}

#define GET(x, v) d_step { data[_pid]??x,v; index = x; value = v }
#define APPLY(x) if :: x == applied[_pid] + 1 && copy[_pid].at[x] != 0 -> applied[_pid] = x :: else fi

active [REPLICAS] proctype replica() {
    byte index = 1;
    byte value;

listening:
    if
    :: GET(1, RED)
    :: GET(1, GREEN)
#if ENTRIES > 1
    :: GET(2, RED)
    :: GET(2, GREEN)
#endif
#if ENTRIES > 2
    :: GET(3, RED)
    :: GET(3, GREEN)
#endif
    fi;
    d_step {
        copy[_pid].at[index] = value;
        APPLY(1);
#if ENTRIES > 1
        APPLY(2);
#endif
#if ENTRIES > 2
        APPLY(3);
#endif
    };
    answer!!_pid,applied[_pid];
    goto listening
}
