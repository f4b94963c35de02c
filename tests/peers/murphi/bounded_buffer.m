-- The twin of examples/bounded_buffer.stb: a rule for each step. How many and ID are put in by
-- tests/peers/symmetry.sh: ID is a range, or a scalarset.
const
  SIZE: 2;
  ITEMS: 2;
  COUNT: MAKERS;
  TOTAL: COUNT * ITEMS;
type
  Producer: ID;
  Place: enum { test, make, wait_free, wait_lock, writing, move, unlock, tell, done };
var
  buffer: array [0..SIZE-1] of boolean;
  write_at: 0..SIZE-1;
  read_at: 0..SIZE-1;
  free: 0..SIZE;
  filled: 0..SIZE;
  lock: boolean;
  delivered: 0..TOTAL;
  made: array [Producer] of 0..ITEMS;
  at: array [Producer] of Place;
  consumer: 0..8;

startstate begin
  for s: 0..SIZE-1 do buffer[s] := false; end;
  write_at := 0;
  read_at := 0;
  free := SIZE;
  filled := 0;
  lock := false;
  delivered := 0;
  for p: Producer do
    made[p] := 0;
    at[p] := test;
  end;
  consumer := 0;
end;

ruleset p: Producer do
  rule "more" at[p] = test & made[p] < ITEMS ==> begin at[p] := make; end;
  rule "no more" at[p] = test & !(made[p] < ITEMS) ==> begin at[p] := done; end;
  rule "make" at[p] = make ==> begin made[p] := made[p] + 1; at[p] := wait_free; end;
  rule "free" at[p] = wait_free & free > 0 ==> begin free := free - 1; at[p] := wait_lock; end;
  rule "lock" at[p] = wait_lock & !lock ==> begin lock := true; at[p] := writing; end;
  rule "write" at[p] = writing ==> begin buffer[write_at] := true; at[p] := move; end;
  rule "move" at[p] = move ==> begin write_at := (write_at + 1) % SIZE; at[p] := unlock; end;
  rule "unlock" at[p] = unlock ==> begin lock := false; at[p] := tell; end;
  rule "filled" at[p] = tell ==> begin filled := filled + 1; at[p] := test; end;
end;

rule consumer = 0 & delivered < TOTAL ==> begin consumer := 1; end;
rule consumer = 0 & !(delivered < TOTAL) ==> begin consumer := 8; end;
rule consumer = 1 & filled > 0 ==> begin filled := filled - 1; consumer := 2; end;
rule consumer = 2 & !lock ==> begin lock := true; consumer := 3; end;
rule consumer = 3 ==> begin buffer[read_at] := false; consumer := 4; end;
rule consumer = 4 ==> begin read_at := (read_at + 1) % SIZE; consumer := 5; end;
rule consumer = 5 ==> begin delivered := delivered + 1; consumer := 6; end;
rule consumer = 6 ==> begin lock := false; consumer := 7; end;
rule consumer = 7 ==> begin free := free + 1; consumer := 0; end;
