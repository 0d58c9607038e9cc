import type { ClaimedRun, ErrorRecord } from './ports/runs.js';
import type { SkipReason } from './ports/schedules.js';
import type { AlertMessage } from './ports/alerts.js';
import type { ExpiredRun, RescuedRun } from './ports/upkeep.js';

type AboutDueTime = { readonly worker: string; readonly schedule: string; readonly type: string; readonly dueAt: Date };
type About = { readonly run: ClaimedRun; readonly worker: string };

/** Everything that a worker reports; logs and metrics are made from it elsewhere. Names are `noun.past_participle`. */
export type WorkerEvent =
  | {
      readonly name: 'worker.started';
      readonly worker: string;
      readonly types: readonly string[];
      readonly queues: readonly string[];
      readonly concurrency: number;
    }
  /** Another schema is registered for this version of a type: it was changed without a new version. */
  | { readonly name: 'contract.changed'; readonly worker: string; readonly type: string; readonly version: number }
  /** An operator has changed how many handlers it runs at once, or has taken that back: `declared` holds. */
  | {
      readonly name: 'worker.resized';
      readonly worker: string;
      readonly slots: number;
      readonly before: number;
      readonly declared: number;
    }
  | {
      readonly name: 'worker.draining';
      readonly worker: string;
      readonly running: number;
      readonly buffered: number;
      readonly deadlineMs: number;
    }
  | { readonly name: 'worker.stopped'; readonly worker: string; readonly released: number; readonly drainMs: number }
  | ({ readonly name: 'job.claimed' } & About)
  | ({ readonly name: 'job.succeeded'; readonly ranMs: number } & About)
  | ({
      readonly name: 'job.failed';
      readonly ranMs: number;
      readonly error: ErrorRecord;
      readonly delayMs: number;
    } & About)
  | ({ readonly name: 'job.dead'; readonly ranMs: number; readonly error: ErrorRecord } & About)
  | ({ readonly name: 'job.snoozed'; readonly ranMs: number; readonly delayMs: number } & About)
  | ({ readonly name: 'job.cancelled'; readonly ranMs: number } & About)
  | ({ readonly name: 'job.released'; readonly reason: string | null } & About)
  /** This worker cannot read the payload, for lack of the key `keyId`: the run waits for another one, and is due again later. */
  | ({
      readonly name: 'job.left';
      readonly code: 'key_missing';
      readonly keyId: string;
      readonly delayMs: number;
    } & About)
  /** The handler ignores its signal: its slot stays taken until it ends, and its outcome will change nothing. */
  | ({ readonly name: 'job.overran'; readonly ranMs: number } & About)
  /** Another worker may have the run by now; whatever this worker still writes about it changes nothing. */
  | ({ readonly name: 'lease.lost'; readonly during: 'heartbeat' | 'settle' } & About)
  | { readonly name: 'run.rescued'; readonly worker: string; readonly rescued: RescuedRun }
  | { readonly name: 'run.expired'; readonly worker: string; readonly expired: ExpiredRun }
  /** A worker whose session ended and stayed away counts as vanished, and all its runs have been rescued. */
  | { readonly name: 'worker.vanished'; readonly worker: string; readonly vanished: string }
  | { readonly name: 'history.pruned'; readonly worker: string; readonly made: number; readonly dropped: number }
  /** An index that was mostly empty, built anew. */
  | {
      readonly name: 'index.rebuilt';
      readonly worker: string;
      readonly index: string;
      readonly beforeBytes: number;
      readonly afterBytes: number;
    }
  /** An index that was to be rebuilt, or dropped, and stays as it is. `who`: in its way; null: nobody is known. */
  | {
      readonly name: 'index.left';
      readonly worker: string;
      readonly index: string;
      readonly reason: string;
      readonly who: string | null;
    }
  /**
   * Runs that wait stand in line by the rules of their types that a deploy has changed; of a large backlog each 10 s, the
   * counts so far. `unusable`: their payload could not be read, or has no usable value for a rule.
   */
  | {
      readonly name: 'gates.changed';
      readonly worker: string;
      readonly types: readonly string[];
      readonly looked: number;
      readonly changed: number;
      readonly unusable: number;
      readonly isAll: boolean;
    }
  /** A due time of a schedule was decided, and made a run. */
  | ({ readonly name: 'schedule.fired'; readonly runId: string; readonly lateMs: number } & AboutDueTime)
  /** Due times of one schedule were decided, `count` of them up to this one, and make no run; the ledger says why. */
  | ({ readonly name: 'schedule.skipped'; readonly reason: SkipReason; readonly count: number } & AboutDueTime)
  /** A schedule makes no runs until its type, payload or rule is fixed. */
  | {
      readonly name: 'schedule.failed';
      readonly worker: string;
      readonly schedule: string;
      readonly type: string;
      readonly code: string;
    }
  /** An alert began, or lasts since an hour; `alert.resolved`: it is over. One process of all has each. */
  | { readonly name: 'alert.raised' | 'alert.resolved'; readonly worker: string; readonly alert: AlertMessage }
  /**
   * The event loop did not turn for `blockedMs`, which kept everything else waiting. `isCertain`: the first suspect
   * blocked it. At most one a second is reported, the worst.
   */
  | {
      readonly name: 'loop.blocked';
      readonly worker: string;
      readonly blockedMs: number;
      readonly suspects: readonly { readonly run: ClaimedRun }[];
      readonly isCertain: boolean;
    }
  /** A statement failed and is tried again. Reported at most once a second for each `during`. */
  | {
      readonly name: 'database.failed';
      readonly worker: string;
      readonly during: string;
      readonly error: unknown;
      readonly failures: number;
    }
  | {
      readonly name: 'database.recovered';
      readonly worker: string;
      readonly during: string;
      readonly failures: number;
    };

export type EmitEvent = (event: WorkerEvent) => void;
