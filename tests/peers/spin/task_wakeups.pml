// Twin of tests/benchmarks/models/realistic/task_wakeups.stb, with MARKS = 1.
//
//     spin -DTASKS=2 -DWORKERS=2 -DSOURCES=3 -o1 -o2 -o3 -a task_wakeups.pml

#ifndef TASKS
#define TASKS 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SOURCES
#define SOURCES 3
#endif
#ifndef EVENTS
#define EVENTS 1
#endif

#define IDLE 0
#define SCHEDULED 1
#define RUNNING 2
#define MARKED 3

byte life[TASKS];
byte events[TASKS];
byte consumed;
chan ready = [TASKS] of { byte };

#define TARGET (_pid % TASKS)

active [SOURCES] proctype source() {
    byte left = EVENTS;

active_:
    if
    :: d_step { left > 0 -> left--; events[TARGET] = events[TARGET] + 1 }
    :: left == 0; goto closed
    fi;
    if
    :: d_step { life[TARGET] == IDLE -> life[TARGET] = SCHEDULED }
    :: d_step { life[TARGET] == RUNNING -> life[TARGET] = MARKED }; goto active_
    :: life[TARGET] == SCHEDULED || life[TARGET] == MARKED; goto active_
    fi;
    ready!TARGET;
    goto active_;
closed:
    false
}

active [WORKERS] proctype worker() {
    byte task;

parked:
    if
    :: d_step { ready?task; life[task] = RUNNING }
    fi;
polling:
    if
    :: d_step { events[task] > 0 -> events[task] = events[task] - 1; consumed++ }; goto polling
    :: events[task] == 0
    fi;
    if
    :: d_step { life[task] == RUNNING -> life[task] = IDLE }; goto parked
    :: d_step { life[task] == MARKED -> life[task] = SCHEDULED }
    fi;
    ready!task;
    goto parked
}
