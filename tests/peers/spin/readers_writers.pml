// Twin of examples/readers_writers.stb: a librarian who keeps count, by rendezvous.
//
// The librarian's count is changed in the step that meets a reader: the reader hands over what the
// count shall be, so `readers` stands where both see it. A writer hands over 0, and the librarian
// takes it only while that is the count.
//
//     spin -DREADERS=2 -DWRITERS=2 -o1 -o2 -o3 -a readers_writers.pml

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

chan begin_read = [0] of { byte };
chan end_read = [0] of { byte };
chan begin_write = [0] of { byte };
chan end_write = [0] of { byte };

byte readers;

active [READERS] proctype reader() {
outside:
    if
    :: goto end_gone
    :: begin_read!(readers + 1)
    fi;
    end_read!(readers - 1);
    goto outside;
end_gone:
    false
}

active [WRITERS] proctype writer() {
outside:
    if
    :: goto end_gone
    :: begin_write!0
    fi;
    end_write!0;
    goto outside;
end_gone:
    false
}

active proctype librarian() {
end_open:
    do
    :: begin_read?readers
    :: end_read?readers
    :: begin_write?eval(readers) -> end_write?0
    od
}
