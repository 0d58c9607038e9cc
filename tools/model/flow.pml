/*
 * A limit between producers, two who look, two workers, an operator and a rescuer, as docs/internals/let-in.md has it. An
 * atomic block is what one transaction does at one moment: takes a lock, looks, or commits; between any two of them
 * anybody may be stopped for as long as it likes, or die, which takes back what it has not committed.
 *
 * Mistakes, each of which has to break an assertion:
 *   -DOLD_SNAPSHOT    who lets in has looked before it had the lock of the key
 *   -DLOOK_LOST       who takes a look commits that before it has decided
 *   -DCOUNTER         the key counts its holders instead of looking whether they live
 *   -DLOOK_IF_FREE    an enqueue asks for a look only if it sees room
 */
#define RUNS 3
#define MAX 1
#define DEATHS 1

/* held: it waits at the key. let_in: due. Nobody sees a run before its enqueue commits. */
mtype = { unborn, held, let_in, running, ended };

/* what has committed */
mtype state[4] = unborn;
bool asked = false;      /* there are rows in flow_looks */
bool holds[4];        /* flow_keys.holders */
byte counted = 0;        /* -DCOUNTER: what a counter would say */

/* the locks: of the key's row, and of each run's */
bool keyLocked = false;
bool runLocked[4];

/* what only an observer counts */
byte deaths = 0;
bool hasFailed[4];
bool isLost[4];       /* its worker has died, and its lease will end */

#define isLive(r) (state[r] == let_in || state[r] == running)
#define live ((isLive(0) -> 1 : 0) + (isLive(1) -> 1 : 0) + (isLive(2) -> 1 : 0))
#define NOBODY RUNS

/* holders that still live, but for one that this transaction ends */
inline countHolders() {
  used = 0; i = 0;
  do
  :: i < RUNS -> if :: holds[i] && isLive(i) && i != mine -> used++ :: else fi; i++
  :: else -> break
  od
}

/* the first in line; a run that somebody has locked is passed by, and looked at again */
inline pick() {
  next = NOBODY; isBusy = false;
#ifdef COUNTER
  used = counted - (mine != NOBODY -> 1 : 0);
#else
  countHolders();
#endif
  i = 0;
  do
  :: i < RUNS && used < MAX && next == NOBODY ->
     if
     :: (state[i] == held || (i == mine && comesBack)) && runLocked[i] && i != mine -> isBusy = true
     :: (state[i] == held || (i == mine && comesBack)) && !(runLocked[i] && i != mine) -> next = i; runLocked[i] = true
     :: else
     fi;
     i++
  :: else -> break
  od
}

/* so that states which differ in nothing that matters are one */
inline forget() {
  i = 0; used = 0; next = 0; isBusy = false; comesBack = false
}

/* what let_in has decided becomes true, and what it found locked will be looked at again */
inline letIn() {
  i = 0;
  do
  :: i < RUNS -> holds[i] = holds[i] && isLive(i); i++
  :: else -> break
  od;
  if
  :: next != NOBODY -> state[next] = let_in; holds[next] = true; runLocked[next] = false; counted++
  :: else
  fi;
  if :: isBusy -> asked = true :: else fi;
  assert(live <= MAX);
  keyLocked = false;
  forget()
}

inline unlock() {
  if :: next != NOBODY -> runLocked[next] = false :: else fi;
  keyLocked = false;
  forget()
}

/* an enqueue in a transaction that stays open for as long as it likes: it locks no key, and adds a place and a look */
proctype producer(byte r) {
  bool sawRoom = true;
  byte used, i, mine = NOBODY;
#ifdef LOOK_IF_FREE
  atomic { countHolders(); sawRoom = used < MAX }
#endif
  if
  :: atomic { true -> state[r] = held; if :: sawRoom -> asked = true :: else fi }
  :: atomic { deaths < DEATHS -> deaths++; state[r] = ended }   /* rolled back */
  fi
}

/* take_looks, of any worker */
active [2] proctype looker() {
  bool taken;
  byte next, used, i, mine;
  bool isBusy, comesBack;
end:
  do
  :: atomic { asked -> taken = true; asked = false; mine = NOBODY; next = NOBODY };
#ifdef LOOK_LOST
     taken = false;
#endif
#ifdef OLD_SNAPSHOT
     atomic { pick() }
     atomic { !keyLocked -> keyLocked = true }
#else
     atomic { !keyLocked -> keyLocked = true }
     atomic { pick() }
#endif
     if
     :: atomic { true -> letIn(); taken = false; mine = 0 }
     :: atomic { deaths < DEATHS -> deaths++; unlock(); asked = asked || taken; taken = false; mine = 0 }
     fi
  od
}

active [2] proctype worker() {
  byte mine, next, used, i;
  bool isBusy, comesBack;
end:
  do
  :: atomic {   /* claim-runs */
       if
       :: state[0] == let_in -> mine = 0
       :: state[1] == let_in -> mine = 1
       :: state[2] == let_in -> mine = 2
       fi;
       state[mine] = running; next = NOBODY; comesBack = false
     };
     if
     :: atomic { deaths < DEATHS -> deaths++; isLost[mine] = true; mine = 0; next = 0 }
     :: /* the handler's own transaction ends it: it locks no key, and adds a look */
        atomic { true -> state[mine] = ended; asked = true; counted--; mine = 0; next = 0 }
     :: /* a settlement, which lets in who is next; a failure waits again, at the end of its attempt */
        if
        :: atomic { !hasFailed[mine] -> hasFailed[mine] = true; comesBack = true }
        :: comesBack = false
        fi;
        atomic { !keyLocked -> keyLocked = true }
        atomic { pick() }
        if
        :: atomic {
             true ->
             state[mine] = (comesBack -> held : ended); holds[mine] = false; counted--;
             letIn();
             mine = 0
           }
        :: atomic { deaths < DEATHS -> deaths++; unlock(); isLost[mine] = true; mine = 0 }
        fi
     fi
  od
}

/* its lease is over: it waits at the key again, and somebody looks */
active proctype rescuer() {
  byte i;
end:
  do
  :: atomic { isLost[0] && !runLocked[0] -> isLost[0] = false; state[0] = held; asked = true }
  :: atomic { isLost[1] && !runLocked[1] -> isLost[1] = false; state[1] = held; asked = true }
  :: atomic { isLost[2] && !runLocked[2] -> isLost[2] = false; state[2] = held; asked = true }
  od
}

/* cancels one that waits, in a transaction that may stay open; its place in the line stays behind */
active proctype operator() {
  if
  :: atomic { state[1] == held && !runLocked[1] -> runLocked[1] = true }
     atomic { state[1] = ended; runLocked[1] = false }
  :: skip
  fi
}

init {
  atomic { run producer(0); run producer(1); run producer(2) }
  /* when nothing can happen any more, nobody waits, and nobody is left let in */
  timeout ->
  assert(state[0] == ended && state[1] == ended && state[2] == ended)
}
