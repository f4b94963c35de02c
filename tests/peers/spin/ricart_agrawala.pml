// Twin of tests/peers/models/ricart_agrawala.stb: mutual exclusion over messages.
//
//     spin -DN=3 -o1 -o2 -o3 -a ricart_agrawala.pml

#ifndef N
#define N 3
#endif

mtype = { request, reply };

chan inbox[N] = [2 * N] of { mtype, byte, byte };

#ifdef PROPERTY  // mutex
byte critical;  // how many are
#define ENTER d_step { wants && missing == 0 -> critical++; assert(critical <= 1) }
#define LEAVE d_step { critical--; wants = false }
#else
#define ENTER wants && missing == 0
#define LEAVE wants = false
#endif

active [N] proctype node() {
    byte clock;
    byte mine;
    byte missing;
    byte to;
    bool late[N];
    bool asked;
    bool wants;
    byte from;
    byte time;
    chan inbox_of_mine = inbox[_pid];
    xr inbox_of_mine;

end_listening:
    do
    :: d_step { !asked -> asked = true; wants = true; clock = clock + 1; mine = clock; missing = N - 1 };
        do
        :: to < N ->
            if
            :: to != _pid -> inbox[to]!request,_pid,mine
            :: else
            fi;
            to = to + 1
        :: else -> break
        od;
        to = 0
    :: inbox_of_mine?request,from,time;
        clock = (clock > time -> clock : time);
        if
        :: wants && (mine < time || (mine == time && _pid < from)) -> late[from] = true
        :: else -> inbox[from]!reply,_pid,0
        fi
    :: d_step { inbox_of_mine?reply,_,_ -> missing = missing - 1 }
    :: ENTER;
        LEAVE;
        do
        :: to < N ->
            if
            :: late[to] -> inbox[to]!reply,_pid,0; late[to] = false
            :: else
            fi;
            to = to + 1
        :: else -> break
        od;
        to = 0
    od
}
