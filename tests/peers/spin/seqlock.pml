// Twin of tests/benchmarks/models/realistic/seqlock.stb, with RECHECK = 1.
//
//     spin -DREADERS=2 -DWRITERS=2 -o1 -o2 -o3 -a seqlock.pml

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef WRITES
#define WRITES 1
#endif
#define WORDS 2

byte sequence;
byte data[WORDS];
bool is_locked;
byte writes;

active [WRITERS] proctype writer() {
    byte done;
    byte word;
    byte value;

outside:
    if
    :: d_step { done < WRITES && !is_locked -> is_locked = true }; goto locked
    :: done == WRITES; goto finished
    fi;
locked:
    if
    :: d_step { sequence++; writes++; value = writes }
    fi;
writing:
    if
    :: d_step { word < WORDS -> data[word] = value; word++ }; goto writing
    :: d_step { word == WORDS -> sequence++; word = 0 }
    fi;
    d_step { is_locked = false; done++ };
    goto outside;
finished:
    false
}

active [READERS] proctype reader() {
    byte before;
    byte word;
    byte copy[WORDS];

outside:
    if
    :: before = sequence; goto looking
    :: true; goto finished
    fi;
looking:
    if
    :: before % 2 == 0; goto copying
    :: before % 2 == 1; goto outside
    fi;
copying:
    if
    :: d_step { word < WORDS -> copy[word] = data[word]; word++ }; goto copying
    :: d_step { word == WORDS -> word = 0 }
    fi;
    if
    :: sequence == before
    :: sequence != before; goto outside
    fi;
    true;
    goto outside;
finished:
    false
}
