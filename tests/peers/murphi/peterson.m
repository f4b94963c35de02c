-- The twin of examples/peterson.stb: a rule for each step. How many and ID are put in by tests/peers/symmetry.sh:
-- ID is a range, or a scalarset.
const N: CUSTOMERS;
type
  Id: ID;
  Place: enum { outside, test, announce, give_way, wait, next, door, critical, stopped };
var
  gate: array [Id] of 0..N-1;
  last: array [0..N-2] of Id;
  j: array [Id] of 0..N-1;
  at: array [Id] of Place;

procedure begin_with(first: Id);
begin
  for i: Id do
    gate[i] := 0;
    j[i] := 0;
    at[i] := outside;
  end;
  for g: 0..N-2 do last[g] := first; end;
end;

-- FIRST
ruleset first: Id do
  startstate "any first" begin begin_with(first); end;
end;
-- END

ruleset i: Id do
  rule "stop" at[i] = outside ==> begin at[i] := stopped; end;
  rule "ask" at[i] = outside ==> begin j[i] := 0; at[i] := test; end;
  rule "go on" at[i] = test & j[i] < N-1 ==> begin at[i] := announce; end;
  rule "come to the end" at[i] = test & !(j[i] < N-1) ==> begin at[i] := door; end;
  rule "announce" at[i] = announce ==> begin gate[i] := j[i] + 1; at[i] := give_way; end;
  rule "give way" at[i] = give_way ==> begin last[j[i]] := i; at[i] := wait; end;
  rule "wait"
    at[i] = wait & (last[j[i]] != i | forall k: Id do k = i | gate[k] <= j[i] end) ==>
  begin at[i] := next; end;
  rule "next" at[i] = next ==> begin j[i] := j[i] + 1; at[i] := test; end;
  rule "enter" at[i] = door ==> begin at[i] := critical; end;
  rule "leave" at[i] = critical ==> begin gate[i] := 0; at[i] := outside; end;
end;
