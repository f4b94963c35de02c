// Twin of the four state machines of Peterson's algorithm, in steps that read or write one shared
// variable each; one of them is chosen:
//
//     -DCORRECT          examples/peterson_correct.stb
//     -DMUTEX_VIOLATING  examples/peterson_mutex_violating.stb
//     -DNOT_REVEALING    examples/peterson_not_revealing.stb
//     -DREVEALING        examples/peterson_revealing.stb
//
//     spin -DN=3 -DCORRECT -o1 -o2 -o3 -a peterson_steps.pml

#ifndef N
#define N 3
#endif

#if defined(NOT_REVEALING) || defined(REVEALING)
#define LEVEL     j
#define IS_BEHIND (gate[k] < j)
#else
#define LEVEL     (j + 1)
#define IS_BEHIND (gate[k] <= j)
#endif

byte gate[N];
byte last[N - 1];
#ifdef PROPERTY  // mutex
byte inside;  // how many are in the critical section; follows from where they are
#define ENTER ; inside++; assert(inside <= 1)
#define LEAVE ; inside--
#else
#define ENTER
#define LEAVE
#endif

active [N] proctype customer() {
    byte j;
    byte k;

idle:
    if
    :: j = 0
#ifndef NOT_REVEALING
    :: goto end_stopped
#endif
    fi;
test:
    if
    :: d_step { j >= N - 1 ENTER }; goto critical
    :: j < N - 1
    fi;
#ifdef MUTEX_VIOLATING
    last[j] = _pid;
    gate[_pid] = LEVEL;
#else
    gate[_pid] = LEVEL;
    last[j] = _pid;
#endif
look:
    if
    :: d_step { last[j] != _pid -> j = j + 1 }; goto test
    :: d_step { last[j] == _pid -> k = 0 }
    fi;
scan:
    if
    :: d_step { k >= N -> j = j + 1 }; goto test
    :: k < N
    fi;
    // compare
    if
    :: d_step { k == _pid || IS_BEHIND -> k = k + 1 }; goto scan
    :: !(k == _pid || IS_BEHIND) -> goto look
    fi;
critical:
    if
    :: d_step { true -> gate[_pid] = 0 LEAVE }
    fi;
    goto idle;
#ifndef NOT_REVEALING
end_stopped:
    false
#endif
}
