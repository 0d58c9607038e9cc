import type { Catalog } from '@duework/contracts';
import type { Clock } from '../clock.js';
import type { ClaimBrake } from '../claim/claim-brakes.js';
import type { CrashHook } from '../run/attempt.js';
import type { Heartbeat } from '../leases/heartbeat.js';
import type { EmitEvent } from '../events.js';
import type { HandlerLog, Handlers, Middleware } from '../run/handler.js';
import type { Chore } from '../maintenance/do-chores.js';
import type { MaintenanceOptions } from '../maintenance/maintain.js';
import type { Ticker } from '../ports/schedules.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import type { Backoffs } from '../settle/own-backoff.js';

export interface WorkerOptions<TCatalog extends Catalog, TAdded extends object = object> {
  readonly name: string;
  readonly store: Store;
  /** The version of the program, which is shown with its workers. */
  readonly codeVersion?: string | undefined;
  /** The newest migration that its release knows, which is not taken back while it runs. Default: nobody knows. */
  readonly needs?: string | undefined;
  /** The types this worker runs; it claims no other. */
  readonly catalog: TCatalog;
  readonly handlers: Handlers<TCatalog, TAdded>;
  /** For some types, when a failed attempt is retried, by the attempt and its error; the others do as their contract says. */
  readonly backoffs?: Backoffs<TCatalog> | undefined;
  /** Runs around every handler, and may add to the context; `combineMiddleware` makes one of two. */
  readonly middleware?: Middleware<TAdded>;
  readonly emit: EmitEvent;
  readonly logOf: (run: ClaimedRun) => HandlerLog;
  /** Keeps a handler's last logs with each failed attempt, up to 8,000 characters; default false. */
  readonly keepLogs?: boolean | undefined;
  /** How many handlers run at once; default 10. */
  readonly concurrency?: number;
  /**
   * The most runs claimed ahead of a free slot; default 2,000. Only as many are claimed as will start within 50 ms, so
   * with slow handlers nothing is claimed ahead.
   */
  readonly buffer?: number;
  /** What it has beside its code, such as `gpu`: it claims the types alone that need no more. Default: nothing. */
  readonly labels?: readonly string[];
  /** The queues it claims from; default: those of the catalog's contracts. */
  readonly queues?: readonly string[];
  /** The longest sleep while nothing is due; default 5 s with wake-ups, 500 ms without. */
  readonly pollIntervalMs?: number | undefined;
  /** How long a handler may ignore its signal before it is given up; default 2 s. */
  readonly graceMs?: number;
  readonly maintenance?: Partial<MaintenanceOptions>;
  /** Other chores of this worker, such as stepping bulk actions. */
  readonly chores?: readonly Chore[];
  /** Renews the leases; default: this thread, through the store. */
  readonly leases?: Heartbeat;
  /** Makes runs of due schedules; without it this worker leaves that to others. */
  readonly ticker?: Ticker;
  /**
   * The worker claims nothing while handlers keep the event loop later than this; default 200 ms, Infinity: it always
   * claims.
   */
  readonly maxLoopDelayMs?: number;
  /** The caller's own brake, which may keep the worker from claiming for a while. */
  readonly brake?: ClaimBrake;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** For tests that make the worker die at a certain moment; see `CRASH_POINTS`. */
  readonly crashHook?: CrashHook;
}
