/*
 * The life of one run between two workers, a rescuer, an operator and the passing of time, as docs/understand/state-machine.md has it. Each
 * atomic block is one statement of packages/queue-core/src/sql; between any two of them anybody may be stopped for as long as
 * it likes, which is what a pause, a cut connection or a slow disk looks like from here.
 *
 * Mistakes, each of which has to break an assertion:
 *   -DNO_FENCE           a settlement asks for the status alone
 *   -DATTEMPTS_AS_FENCE  a settlement names its attempt instead of the fence, and a snooze lowers attempts
 *   -DNO_RECHECK         the rescue acts on what it saw a moment ago
 */
#define WORKERS 2
#define MAX_ATTEMPTS 2
#define MAX_SNOOZES 2
#define MAX_RENEWALS 2

mtype = { queued, failed, running, succeeded, dead, cancelled };

/* the row */
mtype status = queued;
byte fence = 0;
byte attempts = 0;
bool isExpired = false;
bool isCancelRequested = false;

/* what only an observer sees: the claim that owns the run (0: nobody), and how often it ended */
byte owner = 0;
byte claims = 0;
byte endings = 0;
byte snoozes = 0;
byte renewals = 0;

#define isWaiting (status == queued || status == failed)
#define isOver (status == succeeded || status == dead || status == cancelled)

#ifdef NO_FENCE
#define isOurs (status == running)
#elif defined(ATTEMPTS_AS_FENCE)
#define isOurs (status == running && attempts == myAttempt)
#else
#define isOurs (status == running && fence == myFence)
#endif

inline end(how) {
  /* nobody but the owner decides, and only once */
  assert(owner == myClaim);
  endings++;
  assert(endings == 1);
  owner = 0;
  status = how
}

inline giveBack(how) {
  assert(owner == myClaim);
  owner = 0;
  status = how
}

active [WORKERS] proctype worker() {
  byte myFence, myAttempt, myClaim;
  byte before;
  do
  :: atomic { isOver -> break }
  :: atomic { /* claim-runs */
       isWaiting ->
       before = fence;
       fence++; attempts++; claims++;
       assert(fence > before && attempts <= MAX_ATTEMPTS);
       status = running; isExpired = false;
       /* a lease passes on only when the last owner has lost it */
       assert(owner == 0);
       owner = claims;
       myFence = fence; myAttempt = attempts; myClaim = claims
     }
     do
     :: atomic { /* extend-leases: a lease that is over, and not yet passed on, may be renewed */
          isOurs && isExpired && renewals < MAX_RENEWALS -> isExpired = false; renewals++
        }
     :: atomic { /* complete-runs */
          true ->
          if
          :: isOurs -> end(succeeded)
          :: else
          fi;
          break
        }
     :: atomic { /* fail-runs, bury-runs */
          true ->
          if
          :: isOurs && isCancelRequested -> end(cancelled)
          :: isOurs && !isCancelRequested && attempts < MAX_ATTEMPTS -> giveBack(failed)
          :: isOurs && !isCancelRequested && attempts >= MAX_ATTEMPTS -> end(dead)
          :: else
          fi;
          break
        }
     :: atomic { /* snooze-runs: the attempt is not charged */
          snoozes < MAX_SNOOZES ->
          if
          :: isOurs && isCancelRequested -> end(cancelled); break
          :: isOurs && !isCancelRequested -> snoozes++; attempts--; giveBack(queued);
             /* its answer may be lost, and then it is sent again */
             if :: break :: skip fi
          :: else -> break
          fi
        }
     :: atomic { isCancelRequested && isOurs -> end(cancelled); break }   /* stop-runs */
     :: break                                                             /* it dies, or never comes back */
     od
  od
}

/* time: the lease of whoever runs it is over */
active proctype clock() {
  do
  :: atomic { isOver -> break }
  :: atomic { status == running && !isExpired -> isExpired = true }
  od
}

inline rescue() {
  /* the owner has lost it, whether it knows or not */
  owner = 0;
  if
  :: isCancelRequested -> endings++; assert(endings == 1); status = cancelled
  :: !isCancelRequested && attempts < MAX_ATTEMPTS -> status = failed
  :: !isCancelRequested && attempts >= MAX_ATTEMPTS -> endings++; assert(endings == 1); status = dead
  fi
}

active proctype rescuer() {
  do
  :: atomic { isOver -> break }
#ifdef NO_RECHECK
  :: atomic { status == running && isExpired -> skip }
     atomic { rescue() }
#else
  :: atomic { status == running && isExpired -> rescue() }   /* rescue-runs: looked at again under its lock */
#endif
  od
}

active proctype operator() {
  if
  :: atomic { status == running -> isCancelRequested = true }                                       /* cancel-run */
  :: atomic { isWaiting -> endings++; assert(endings == 1); status = cancelled }
  :: skip
  fi
}

/* whatever happens, the run ends, and ends once */
ltl ends { <> [] isOver }
