// Twin of tests/benchmarks/models/realistic/snapshot.stb, with LATE = 0.
//
//     spin -DNODES=3 -DMONEY=1 -o1 -o2 -o3 -a snapshot.pml

#ifndef NODES
#define NODES 3
#endif
#ifndef MONEY
#define MONEY 1
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define MARKER 0

chan link[NODES * NODES] = [CAPACITY] of { byte };
byte recorded[NODES];
byte transit[NODES];
bool has_recorded[NODES];
bool closed[NODES * NODES];
hidden byte a;

#define INTO(j) link[j * NODES + _pid]
#define PAY(j) d_step { j != _pid && balance > 0 && nfull(link[_pid * NODES + j]) -> \
    link[_pid * NODES + j]!1; balance-- }
#define EARN(j) d_step { j != _pid && nempty(INTO(j)) && !INTO(j)?[MARKER] -> \
    INTO(j)?a; balance = balance + a; \
    if :: has_recorded[_pid] && !closed[_pid * NODES + j] -> transit[_pid] = transit[_pid] + a :: else fi }
#define CLOSE(j) d_step { j != _pid && has_recorded[_pid] && INTO(j)?[MARKER] -> \
    INTO(j)?MARKER; closed[_pid * NODES + j] = true }
#define RECORD(j) d_step { j != _pid && !has_recorded[_pid] && INTO(j)?[MARKER] -> \
    INTO(j)?MARKER; closed[_pid * NODES + j] = true; recorded[_pid] = balance; has_recorded[_pid] = true; to = 0 }
#define MARK(j) d_step { to == j && j != _pid && nfull(link[_pid * NODES + j]) -> \
    link[_pid * NODES + j]!MARKER; to++ }

active [NODES] proctype node() {
    byte balance = MONEY;
    byte to;

running:
    if
    :: PAY(0); goto running
    :: PAY(1); goto running
    :: EARN(0); goto running
    :: EARN(1); goto running
    :: CLOSE(0); goto running
    :: CLOSE(1); goto running
    :: RECORD(0)
    :: RECORD(1)
#if NODES > 2
    :: PAY(2); goto running
    :: EARN(2); goto running
    :: CLOSE(2); goto running
    :: RECORD(2)
#endif
    :: d_step { _pid == 0 && !has_recorded[0] -> recorded[0] = balance; has_recorded[0] = true; to = 0 }
    fi;
marking:
    if
    :: MARK(0); goto marking
    :: MARK(1); goto marking
#if NODES > 2
    :: MARK(2); goto marking
#endif
    :: d_step { to == _pid -> to++ }; goto marking
    :: to == NODES
    fi;
    true;
    goto running
}
