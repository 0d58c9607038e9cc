import type { Catalog } from '@duework/contracts';
import type { EngineMessage } from '../engine/leases/heartbeat.js';
import type { AbortCode } from '../engine/abort-reason.js';
import type { Json } from '../job.js';
import type { EffectAnswer, EffectKey, EffectRequest } from '../sql/begin-effect.js';
import type { Claim, ClaimRequest } from '../sql/claim-runs.js';
import type { ClaimedRun } from '../sql/claimed-run.js';
import type { Completion } from '../sql/complete-runs.js';
import type { EffectEnding } from '../sql/end-effect.js';
import type { ExtendedLease, LeaseToExtend } from '../sql/extend-leases.js';
import type { LostLook } from '../sql/look-for-lost.js';
import type { AlertLimits, RaisedAlert } from '../sql/raise-alerts.js';
import type { RescuedRun } from '../sql/rescue-runs.js';
import type { Queryable } from '../sql/sql.js';

export type { ClaimedRun };

/** What is worth keeping of an error: short where people look, bounded where they dig. */
export interface ErrorRecord {
  /** To group by: `ECONNREFUSED`, `http_503`, `timeout`. */
  readonly code: string;
  /** The class: `TypeError`. */
  readonly type: string;
  readonly message: string;
  readonly stack: string | null;
}

/**
 * How far a stop had to go: the handler ended on its signal; its thread ignored the signal for a whole grace and was
 * killed; or it runs on in this thread, and its lease was revoked under it.
 */
export type AbortStage = 'signalled' | 'killed' | 'lease_revoked';

/** Why an attempt was told to stop, and how far that went; null: it ended by itself. */
export type AbortRecord = { readonly code: AbortCode; readonly stage: AbortStage } | null;

/** What became of an attempt, to be written down. */
export type Settlement = { readonly id: string; readonly fence: number } & (
  | { readonly kind: 'complete'; readonly result: Json }
  | { readonly kind: 'fail'; readonly error: ErrorRecord; readonly delayMs: number; readonly abort: AbortRecord }
  | { readonly kind: 'bury'; readonly error: ErrorRecord; readonly abort: AbortRecord }
  /** Counted; after `maxSnoozes` of them the run is dead instead. */
  | { readonly kind: 'snooze'; readonly delayMs: number; readonly maxSnoozes: number }
  /** `reason` null: it only waited in the worker's buffer. */
  | { readonly kind: 'release'; readonly reason: string | null; readonly abort: AbortRecord }
  /** Cancelled for good: somebody asked, or (`by`, `reason`) the worker itself says who and why. */
  | {
      readonly kind: 'confirm_cancel';
      readonly by: string | null;
      readonly reason: string | null;
      readonly abort: AbortRecord;
    }
);

/** For how many whole days (UTC) what is over is kept: what succeeded or was cancelled, and what is dead. */
export interface Retention {
  readonly keepDays: number;
  readonly keepDeadDays: number;
}

/** The status a settlement led to. */
export type SettledStatus = 'succeeded' | 'failed' | 'dead' | 'queued' | 'cancelled';

/**
 * The seam between the engine and where runs are kept. Each verb is atomic; each write about an attempt names its fence
 * and changes nothing when that is no longer the row's.
 */
export interface Store {
  /** Takes up to `limit` due runs of one queue, most urgent first. Two may be on their way at once, and share no run. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** How long settlements gather, where one follows the other, because each statement costs a round trip; 0 unless given. */
  readonly settleGapMs?: number;
  /** Writes settlements of one kind, one for a run. Answers for each, in their order, what it led to; null: it was lost. */
  settle(batch: readonly Settlement[]): Promise<readonly (SettledStatus | null)[]>;
  /** Renews leases; one that is missing from the answer was lost. */
  extendLeases(batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]>;
  /** Writes that an effect is about to happen, only while its run is ours. */
  beginEffect(request: EffectRequest): Promise<EffectAnswer>;
  /** The result of an effect that has happened; null: it has not, or nobody knows. */
  findEffect(key: EffectKey): Promise<{ readonly result: Json } | null>;
  /** Writes how it ended; false: another claim has taken it over. */
  endEffect(
    key: EffectKey,
    claim: { readonly id: string; readonly fence: number },
    ending: EffectEnding,
  ): Promise<boolean>;
  /** Writes how far a run is; false: it is no longer ours. */
  saveProgress(id: string, fence: number, progressJson: string): Promise<boolean>;
  /** Completes a run through the caller's transaction; false: it is no longer ours. */
  completeIn(tx: Queryable, completion: Completion): Promise<boolean>;
  /** Whether that claim of the run has succeeded. */
  isCompleted(id: string, fence: number): Promise<boolean>;
  /** Whether there is anything to rescue, and which workers seem to be gone. */
  lookForLost(): Promise<LostLook>;
  /** Returns runs whose lease expired; or, whatever their leases say, those of workers that are gone. */
  rescue(limit: number, deadWorkers?: readonly string[]): Promise<RescuedRun[]>;
  /** Strikes workers that are gone, with nothing left to rescue, off the register; returns whom it was. */
  forgetWorkers(names: readonly string[]): Promise<string[]>;
  /** Writes what should exist and makes room for what will finish; before the first claim. */
  prepare(catalog: Catalog): Promise<void>;
  /** Makes partitions ahead and removes history that is old enough, in small steps. Told to stop, it leaves the rest to the next time. */
  retain(keep: Retention, signal?: AbortSignal): Promise<{ made: number; dropped: number }>;
  /** The alerts to tell now; each is told by one worker only. */
  raiseAlerts(limits: AlertLimits): Promise<RaisedAlert[]>;
  /**
   * Where runs are kept in this process: tells at once what the next poll or heartbeat would find out. The returned function
   * ends it.
   */
  watch?(listener: (message: EngineMessage) => void): () => void;
}
