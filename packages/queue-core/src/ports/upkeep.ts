import type { Catalog, JobContract, JsonSchema } from '@duework/contracts';
import type { AlertLimits, AlertMessage, AlertTold } from './alerts.js';

/** A chore that one worker at a time does for all. */
export interface AskedChore {
  /** Whoever does it otherwise gives it another name. */
  readonly name: string;
  /** The length of its periods, by the store's clock; 0: at once, whoever has done it just now. */
  readonly everyMs: number;
}

/** The chore that `takeChores` does itself: to look for lost work. */
export const RESCUE = 'rescue';

export interface TakenChores {
  /** Those that the caller is to do; there may be something to do. */
  readonly taken: readonly string[];
  /** The store's now, in milliseconds since 1970. */
  readonly nowMs: number;
  /** What the look for lost work has found; null: it was another one's, or not asked for. */
  readonly lost: LostLook | null;
  /**
   * How many handlers the workers of each queue run at once, where an operator has changed it. Absent: the store has no
   * such changes.
   */
  readonly slots?: ChangedSlots;
}

/** How many handlers the workers of a queue run at once, by queue, where an operator has changed it. */
export type ChangedSlots = Readonly<Record<string, number>>;

export interface LostLook {
  /** Whether the lease of any run has expired. */
  readonly hasExpired: boolean;
  /** Registered workers that show no sign of life at this moment; empty where a store cannot see that. */
  readonly missing: readonly string[];
}

/** Whose runs a rescue gives back; neither is given: those of all leases that are over by the store's clock. */
export interface WhoseRuns {
  /** Those of vanished workers, whatever their leases say. */
  readonly workers?: readonly string[];
  /** Only those of leases that were over then, in milliseconds since 1970 on the store's clock. */
  readonly expiredBeforeMs?: number;
}

export interface RescuedRun {
  readonly id: string;
  readonly type: string;
  readonly worker: string;
  readonly attempt: number;
  readonly status: 'failed' | 'dead' | 'cancelled';
}

/** A run that had not started in time, and is cancelled. */
export interface ExpiredRun {
  readonly id: string;
  readonly type: string;
}

/** Who has cancelled a run that had not started in time, and its error code. */
export const EXPIRY = { by: 'expiry', code: 'expired' } as const;

/** The error message of a run whose worker vanished. */
export const LOST_MESSAGE = 'The worker stopped renewing its lease: it died, lost its connection, or was stopped.';

/** For how many whole days (UTC) finished runs are kept: succeeded and cancelled ones, and dead ones. */
export interface Retention {
  readonly keepDays: number;
  readonly keepDeadDays: number;
  /** For how many days entries of the audit are kept, independent of their runs; default 400. */
  readonly keepAuditDays?: number | undefined;
  /** How large the disk of the store is, in gigabytes, for those who ask when it is full; default: nobody knows. */
  readonly diskGb?: number | undefined;
}

/** What a worker can run: the versions of the types that it claims, from these queues. */
export interface WorkerContracts {
  readonly worker: string;
  readonly queues: readonly string[];
  readonly contracts: ReadonlyMap<string, JobContract>;
  /** Where it runs; a store that shows no workers may ignore it. */
  readonly place?: WorkerPlace;
  /** How busy it is at the moment. */
  readonly load?: WorkerLoad;
}

export interface WorkerPlace {
  readonly host: string;
  readonly pid: number;
  /** The program's own version; null: it was not told. */
  readonly codeVersion: string | null;
  /** The newest migration that its release knows; null: it was not told. */
  readonly needs: string | null;
}

export interface WorkerLoad {
  /** How many handlers it runs at once. */
  readonly slots: number;
  /** What its program was given. */
  readonly declaredSlots: number;
  /** How many of them are taken. */
  readonly running: number;
  /** Claimed and not begun. */
  readonly buffered: number;
  /** How late its event loop was lately (99th percentile). */
  readonly loopDelayMs: number;
  /** Why it does not claim; null: it does. */
  readonly shutBy: string | null;
}

/** What a worker did with the runs of one queue and type within one minute. */
export interface FiguresRow {
  /** When the minute began, in milliseconds since 1970 on the store's clock; null: it is that of the write. */
  readonly atMs: number | null;
  readonly queue: string;
  readonly type: string;
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly snoozed: number;
  /** Counts of times from due to claimed: the n-th of those below 2^(n-1) ms, and not below half of it. */
  readonly waited: readonly number[];
  /** Counts of the times of attempts, in the same way. */
  readonly ran: readonly number[];
  readonly waitedMs: number;
  readonly ranMs: number;
}

/** What one portion of runs has become that wait, and whose rules a deploy has changed. */
export interface GatesGiven {
  readonly types: readonly string[];
  /** Runs that were looked at, of any type, and those that have other gates now. */
  readonly looked: number;
  readonly changed: number;
  /** Those whose payload could not be read here, or had no usable value for a rule. */
  readonly unusable: number;
  /** busy: another worker is at it, or rows of the portion are locked: call again a little later. */
  readonly state: 'going' | 'busy' | 'done';
}

/** One version of a contract, as the registry keeps it. */
export interface ContractRow {
  readonly type: string;
  readonly version: number;
  readonly schema: JsonSchema;
  /** Of the schema as text with sorted keys: SHA-256, hexadecimal. */
  readonly checksum: string;
}

/** A version whose schema is not the one that was registered first. */
export interface ChangedContract {
  readonly type: string;
  readonly version: number;
}

/** What workers do beside their runs. Chores are safe to do anywhere, at any time, twice. */
export interface Upkeep {
  /**
   * Writes the job definitions and makes room for the history; called before the first claim. Returns the versions that
   * are registered with another schema; the worker continues with them.
   */
  prepare(catalog: Catalog): Promise<readonly ChangedContract[]>;
  /**
   * Writes what a worker can run, for the alert about unserved runs; called at its start, and once a minute. A worker
   * that has not called it for three minutes counts as gone.
   */
  announceContracts(worker: WorkerContracts): Promise<void>;
  /** The worker claims nothing any more. */
  withdrawContracts(worker: string): Promise<void>;
  /**
   * Takes chores, each for the first of all workers that asks in its period. Whoever dies after that is followed by
   * another one in the next.
   */
  takeChores(asked: readonly AskedChore[]): Promise<TakenChores>;
  /** Gives back runs that are lost, the longest expired first. */
  rescue(limit: number, whose?: WhoseRuns): Promise<RescuedRun[]>;
  /**
   * Cancels runs that have not started in time, looking at `batch` of those whose time is over, and enqueues its
   * `onExpired` job for each. `isAll`: no others are left now.
   */
  expire(batch: number): Promise<{ readonly expired: readonly ExpiredRun[]; readonly isAll: boolean }>;
  /**
   * Counts the changes of batches, and enqueues due callbacks, each once; null: of all changed batches. Returns those
   * that another worker is at: call again for these.
   */
  addUpBatches(ids: readonly string[] | null): Promise<readonly string[]>;
  /** Removes vanished workers that have no run left to rescue from the register; returns their names. */
  forgetWorkers(names: readonly string[]): Promise<string[]>;
  /**
   * Makes room ahead and removes history that is old enough, in small steps. When `signal` aborts, the rest is left for
   * the next time. Returns how many daily parts of the history it made and dropped.
   */
  prune(keep: Retention, signal?: AbortSignal): Promise<{ made: number; dropped: number }>;
  /** Adds to the figures. Returns the store's now, in milliseconds since 1970. Absent: the store keeps no figures. */
  writeFigures?(rows: readonly FiguresRow[]): Promise<number>;
  /** Notes in the figures what waits and runs at this moment. Absent: the store keeps no figures. */
  sampleDepth?(): Promise<void>;
  /** Takes before all others what has waited for longer than its contract allows. */
  raiseWaiting(): Promise<number>;
  /** Has keys looked at that nobody looks at although they have room: a part of them in each call. */
  findForgottenKeys(): Promise<void>;
  /**
   * Gives waiting runs new gates after a deploy has changed their rules: a portion in each call, which may be
   * interrupted anywhere. None of the types is claimed before. null: there are none.
   */
  giveGates(): Promise<GatesGiven | null>;
  /**
   * Finds alerts, and returns those that the caller must send: begun, lasting and ended ones. No other worker gets the
   * same within two minutes. `ways`: those of the caller, beside its log.
   */
  lookForAlerts(limits: AlertLimits, ways: readonly string[]): Promise<readonly AlertMessage[]>;
  /** The fate of a message: the ways by which it was sent, and whether others must send it again. */
  alertTold(told: AlertTold): Promise<void>;
}
