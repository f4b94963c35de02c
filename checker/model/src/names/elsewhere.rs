//! Words that other languages have, where a name is not known: what is written here instead.

/// A value, or a function of values.
pub(crate) fn value(word: &str) -> Option<&'static str> {
    Some(match word {
        "TRUE" | "True" => "truth values are written `true` and `false`",
        "FALSE" | "False" => "truth values are written `true` and `false`",
        "NULL" | "null" | "nil" | "None" | "NONE" | "undefined" => {
            "there is no such value: take one more value of the type for it, or a `bool` beside it"
        }
        "self" | "_pid" | "this" | "me" => {
            "which instance it is, a process knows by its parameter: `process p(i in T) { … }`"
        }
        "timeout" => {
            "nothing here waits until nothing else can happen; what it waits for is written `await e`"
        }
        "deadlock" | "deadlocked" => {
            "that nobody is stuck is asked of every model, as `deadlock`, without being written"
        }
        "random" | "rand" | "CHOOSE" | "nondet" => "any value of a type is taken by `x = any T`",
        "abs" => "write `max(x, -x)`",
        "pow" => "write the product, `x * x`",
        "eval" => "leave it out: what stands without `?` is a value to match",
        "nempty" => "write `not empty(c)`",
        "nfull" => "write `not full(c)`",
        "_" => "what may be anything is written `*`",
        "G" => "in a formula it is written `always`, or `[]`",
        "F" => "in a formula it is written `eventually`, or `<>`",
        "X" => "there is no `next` in a formula; say what holds `until` something else does",
        word if is_path_quantifier(word) => {
            "AG e is `invariant NAME: e`, EF e `reachable NAME: e`, AG EF e `progress NAME: may e`, AG AF e \
             `progress NAME: must e`"
        }
        "Cardinality" => {
            "how many elements a set has is `len(s)`, and how many values have something `count(x in T: e)`"
        }
        "Len" => "how many elements a list or a channel has is `len(l)`",
        "append" | "Append" | "Head" | "Tail" => {
            "a list has `l + [e]`, `l[0]` and `l[1..len(l)-1]`, and a channel `send c(e)` and `receive c(?x)`"
        }
        _ => return None,
    })
}

/// An operator of CTL: what is said of it is said of those in its argument too.
pub(crate) fn is_path_quantifier(word: &str) -> bool {
    matches!(word, "AG" | "AF" | "EF" | "EG" | "AX" | "EX")
}

/// A type.
pub(crate) fn ty(word: &str) -> Option<&'static str> {
    Some(match word {
        "int" | "integer" | "Integer" | "Int" | "nat" | "Nat" | "natural" | "Natural" | "byte"
        | "short" | "long" | "unsigned" | "number" | "uint" | "usize" | "isize" | "float"
        | "double" | "real" | "Real" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32"
        | "u64" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32"
        | "uint64" => "a type of integers is a range: `0..7`, say",
        "boolean" | "Boolean" | "BOOLEAN" | "Bool" | "BOOL" | "bit" => {
            "truth values are of the type `bool`"
        }
        "string" | "String" | "str" | "char" | "STRING" => {
            "there is no text; `enum NAME { a, b }` declares names for values"
        }
        "chan" | "Channel" => "a channel is no variable: `channel c: queue[1] of T` declares one",
        _ => return None,
    })
}

/// A statement, where a macro is asked for.
pub(crate) fn statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "pass" | "nop" | "noop" | "null" | "nothing" => "write `skip`",
        "end" | "exit" | "return" | "halt" | "quit" | "terminate" => "`stop` ends the process",
        "continue" => "write it as a statement in a loop",
        "goto" => "write `goto NAME` with the label of a statement",
        "sleep" | "delay" | "usleep" | "yield" => {
            "leave it out: any time may pass before each step, and others may come in between"
        }
        "lock" | "acquire" | "mutex_lock" | "pthread_mutex_lock" => {
            "a lock is a variable: `await not m do m = true` waits for it and takes it in one step"
        }
        "unlock" | "release" | "mutex_unlock" | "pthread_mutex_unlock" => {
            "a lock is a variable: `m = false` gives it back"
        }
        "wait" | "P" | "down" => {
            "a semaphore is a variable: `await s > 0 do s = s - 1` waits and takes in one step"
        }
        "signal" | "V" | "up" | "notify" => "a semaphore is a variable: `s = s + 1` gives back",
        "delta" | "deadlock" | "STOP" => {
            "a process that goes on with nothing is written `await false`"
        }
        "send" | "receive" => "write `send c(e)` and `receive c(?x)`",
        "print" | "printf" | "println" | "log" => "leave it out: a trace shows every change",
        _ => return None,
    })
}
