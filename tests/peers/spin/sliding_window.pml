// Twin of examples/sliding_window.stb: selective repeat over channels that lose.
//
// What a guard over a received value says there, the pattern says here: a message is taken only if
// its number is the one asked for, and NONE is no number.
//
//     spin -DMESSAGES=5 -o1 -o2 -o3 -a sliding_window.pml

#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef NUMBERS
#define NUMBERS 4
#endif
#ifndef MESSAGES
#define MESSAGES 5
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

chan data = [CAPACITY] of { byte, byte };
chan reply = [CAPACITY] of { byte };

byte first;
bool acknowledged[MESSAGES];
byte expected;
hidden byte n;
hidden byte m;

#define END_OF_WINDOW (first + WINDOW < MESSAGES -> first + WINDOW : MESSAGES)
#define IS_DUE(k) (first <= k && k < END_OF_WINDOW && !acknowledged[k])
#define GO_ON next = (next + 1 < END_OF_WINDOW -> next + 1 : first)

active proctype sender() {
    byte next;

    do
    :: d_step { IS_DUE(next) && nfull(data) -> data!(next % NUMBERS),next; GO_ON }
    :: d_step { !IS_DUE(next) && first < MESSAGES -> GO_ON }
    :: first == MESSAGES -> break
    od;
end_done:
    false
}

active proctype acknowledger() {
end_waiting:
    do
    :: d_step {
            reply?n;
            m = 0;
            do
            :: m < MESSAGES ->
                if
                :: IS_DUE(m) && m % NUMBERS == n -> acknowledged[m] = true
                :: else
                fi;
                m++
            :: else -> break
            od;
            m = 0;
            do
            :: m < MESSAGES ->
                if
                :: m == first && acknowledged[m] -> first = m + 1
                :: else
                fi;
                m++
            :: else -> break
            od
        }
    od
}

#define NONE 255
#define AHEAD(k) ((k + NUMBERS - expected % NUMBERS) % NUMBERS)
#define TAKE(k) d_step { data?eval((AHEAD(k) < WINDOW -> k : NONE)),got -> number = k; place = expected + AHEAD(k) }
#define PASS(k) d_step { data?eval((AHEAD(k) >= WINDOW -> k : NONE)),_ -> number = k }

#ifdef PROPERTY  // arrives_intact
#define CHECK assert(got == place)
#else
#define CHECK skip
#endif

active proctype receiver() {
    bool early[MESSAGES];
    byte number;
    byte got;
    byte place;

end_listening:
    do
    :: TAKE(0) -> goto taking
    :: TAKE(1) -> goto taking
    :: PASS(0) -> goto repeating
    :: PASS(1) -> goto repeating
#if NUMBERS > 2
    :: TAKE(2) -> goto taking
    :: PASS(2) -> goto repeating
#endif
#if NUMBERS > 3
    :: TAKE(3) -> goto taking
    :: PASS(3) -> goto repeating
#endif
#if NUMBERS > 4
    :: TAKE(4) -> goto taking
    :: PASS(4) -> goto repeating
#endif
#if NUMBERS > 5
    :: TAKE(5) -> goto taking
    :: PASS(5) -> goto repeating
#endif
#if NUMBERS > 6
    :: TAKE(6) -> goto taking
    :: PASS(6) -> goto repeating
#endif
#if NUMBERS > 7
    :: TAKE(7) -> goto taking
    :: PASS(7) -> goto repeating
#endif
    od;
taking:
    if
    :: d_step {
            CHECK;
            if
            :: place < MESSAGES -> early[place] = true
            :: else
            fi;
            m = 0;
            do
            :: m < MESSAGES ->
                if
                :: m == expected && early[m] -> expected = m + 1
                :: else
                fi;
                m++
            :: else -> break
            od
        }
    fi;
repeating:
    reply!number;
    goto end_listening
}

active proctype loss() {
    byte lost;

end_active:
    do
    :: d_step { lost < LOSSES && nempty(data) -> data?_,_; lost++ }
    :: d_step { lost < LOSSES && nempty(reply) -> reply?_; lost++ }
    od
}
