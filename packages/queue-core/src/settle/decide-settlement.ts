import { LONGEST_MS, type JobContract } from '@duework/contracts';
import { AbortReason } from './attempt-end.js';
import { HandlerKilledError, OutcomeError } from './attempt-errors.js';
import type { Json } from '../queue/job.js';
import type { Outcome } from './outcome.js';
import { checkResult } from './check-result.js';
import { type Cleaner, makeCleaner } from '../secrets/make-cleaner.js';
import { KeptResult } from './keep-result.js';
import type { OwnedRun } from '../claim/owned-run.js';
import type { Engine } from '../worker/engine.js';
import { showValue } from '@duework/sql/errors';
import {
  RETRY_BUDGET_EXHAUSTED,
  UNCOUNTED_SNOOZES,
  type AbortRecord,
  type AbortStage,
  type ClaimedRun,
  type ErrorRecord,
  type Settlement,
} from '../ports/runs.js';
import { classifyError, toErrorRecord } from './classify-error.js';
import { computeBackoff, leastBackoffMs, spreadDelay } from './compute-backoff.js';
import { askBackoff, type AttemptFailure } from './own-backoff.js';

/** How soon a run is due again that this worker cannot decrypt: another worker may have the key, or a deploy bring it. */
const LEAVE_MS = 30_000;

/** How soon a run is due again that has taken its process down, at the latest. */
const SOON_MS = 5_000;

/** How an attempt ended. */
export type Ending =
  | { readonly kind: 'returned'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** The handler ignored its signal for a whole grace, and still runs. */
  | { readonly kind: 'overran' }
  /** The payload is encrypted with a key that this process does not have; the handler was not called. */
  | { readonly kind: 'sealed'; readonly keyId: string; readonly why: string }
  /** It cannot be decrypted with the key that it names; the handler was not called. */
  | { readonly kind: 'undecryptable'; readonly why: string }
  /** The payload does not fit the contract; the handler was not called. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** What decides a settlement, beside the ending. */
export interface AttemptFacts {
  readonly run: ClaimedRun;
  readonly contract: JobContract;
  /** Why the attempt was aborted; null: it was not. */
  readonly reason: AbortReason | null;
  /** In [0, 1). */
  readonly random: () => number;
  /** Until when, from now, a retry may begin; Infinity: at any time. */
  readonly retryLeftMs: number;
  /** What the worker's own backoff says of a failure; null: the contract decides. Absent: it has none. */
  readonly ownBackoffMs?: (failure: AttemptFailure) => number | null;
}

export function factsOf(
  { clock, random, backoffOf, logOf }: Pick<Engine, 'clock' | 'random' | 'backoffOf' | 'logOf'>,
  owned: OwnedRun,
): AttemptFacts {
  const { run, contract, abort } = owned;
  const backoff = backoffOf.get(run.type);
  return {
    run,
    contract,
    reason: abort.reason,
    random,
    retryLeftMs: owned.retryUntilMs - clock.monotonicMs(),
    ...(backoff && { ownBackoffMs: (failure) => askBackoff(backoff, run.attempt, failure, logOf(run)) }),
  };
}

export interface Decision {
  /** null: the lease was lost, so there is nothing to write. */
  readonly settlement: Settlement | null;
  /**
   * Why the result is left out, if it is: the work is done, so a result that cannot be stored must not make it run
   * again.
   */
  readonly droppedResult: string | null;
}

/**
 * Decides what becomes of an attempt, from its ending and its contract alone. Never throws: when what a handler threw
 * or returned cannot be read, the attempt has failed like any other.
 */
export function decideSettlement(facts: AttemptFacts, ending: Ending): Decision {
  try {
    // a handler that returned after its abort has done its work: its outcome counts
    if (ending.kind === 'returned') return decideOutcome(facts, ending.outcome);
    return {
      settlement: facts.reason === null ? decideFailure(facts, ending) : decideAborted(facts, facts.reason, ending),
      droppedResult: null,
    };
  } catch (error) {
    return { settlement: decideFailure(facts, { kind: 'threw', error }), droppedResult: null };
  }
}

/**
 * Decides what becomes of an attempt from which an error came outside of its handler's promise, and took the process down.
 * It is charged, and tried again whatever the error says of itself, because what it has done is not known; and soon, so that
 * one that takes down each worker is dead within a minute, and not after a day of crashes.
 */
export function decideUncaught(facts: AttemptFacts, error: unknown): Settlement {
  const record = { ...toErrorRecord(error, cleanerOf(facts)), code: 'uncaught_error' };
  const settlement = failOrBury(facts, record, { thrown: error });
  return settlement.kind === 'fail' ? { ...settlement, delayMs: Math.min(settlement.delayMs, SOON_MS) } : settlement;
}

function cleanerOf({ contract, run }: AttemptFacts): Cleaner {
  return makeCleaner(contract, run);
}

function decideOutcome(facts: AttemptFacts, outcome: Outcome<unknown>): Decision {
  if (outcome.kind === 'complete') return decideCompletion(facts, outcome.result);
  return { settlement: decideUnfinished(facts, outcome), droppedResult: null };
}

function decideCompletion(facts: AttemptFacts, result: unknown): Decision {
  const { run, contract } = facts;
  // without `settlementOf`, because nearly all attempts end here
  const complete = (stored: Json): Settlement => ({ id: run.id, fence: run.fence, kind: 'complete', result: stored });
  if (result === null || result === undefined) return { settlement: complete(null), droppedResult: null };
  if (result instanceof KeptResult) return { settlement: complete(result.stored), droppedResult: null };
  try {
    return { settlement: complete(checkResult(contract, result)), droppedResult: null };
  } catch (error) {
    return { settlement: complete(null), droppedResult: toErrorRecord(error, cleanerOf(facts)).message };
  }
}

function decideUnfinished(facts: AttemptFacts, outcome: Exclude<Outcome<unknown>, { kind: 'complete' }>): Settlement {
  const { run, contract, random } = facts;
  switch (outcome.kind) {
    case 'snooze': {
      const delayMs = spreadDelay(checkDelay(outcome.delayMs), 0, random());
      return settlementOf(run, { kind: 'snooze', delayMs, maxSnoozes: contract.maxSnoozes });
    }
    case 'rate_limited': {
      const shutMs = checkDelay(outcome.retryAfterMs);
      const delayMs = spreadDelay(shutMs, 0, random());
      return settlementOf(run, { kind: 'snooze', delayMs, maxSnoozes: UNCOUNTED_SNOOZES, shutMs });
    }
    case 'wait': {
      const { delayMs, wakesAt } = outcome;
      return settlementOf(run, { kind: 'snooze', delayMs, maxSnoozes: UNCOUNTED_SNOOZES, wakesAt });
    }
    case 'bury':
      return settlementOf(run, {
        kind: 'bury',
        error: toRecord(facts, outcome.code, 'Buried', outcome.reason),
        abort: null,
      });
    case 'retry': {
      const delayMs = outcome.delayMs === null ? null : checkDelay(outcome.delayMs);
      return failOrBury(facts, toRecord(facts, outcome.code, 'Retry', outcome.reason), { delayMs });
    }
  }
}

function decideFailure(facts: AttemptFacts, ending: Exclude<Ending, { kind: 'returned' }>): Settlement | null {
  const { run, contract, random } = facts;
  if (ending.kind === 'overran') return null;
  if (ending.kind === 'sealed') {
    const error = { code: 'key_missing', type: 'KeyMissing', message: ending.why, stack: null };
    return settlementOf(run, {
      kind: 'leave',
      keyId: ending.keyId,
      error,
      delayMs: spreadDelay(LEAVE_MS, 0, random()),
    });
  }
  if (ending.kind === 'undecryptable')
    return failOrBury(facts, { code: 'payload_not_readable', type: 'DueworkError', message: ending.why, stack: null });
  if (ending.kind === 'unreadable') {
    const error = toRecord(facts, 'invalid_payload', 'InvalidPayload', ending.why);
    return settlementOf(run, { kind: 'bury', error, abort: null });
  }
  if (AbortReason.is(ending.error) && ending.error.code === 'lease_lost') return null;
  const { isPermanent, record } = classifyError(ending.error, contract.errors, cleanerOf(facts));
  return isPermanent
    ? settlementOf(run, { kind: 'bury', error: record, abort: null })
    : failOrBury(facts, record, { thrown: ending.error });
}

function decideAborted(facts: AttemptFacts, reason: AbortReason, ending: Ending): Settlement | null {
  const { run, contract } = facts;
  const abort = { code: reason.code, stage: stageOf(ending) };
  // aborted in the middle of an effect: only a person may let the effect be done again, so the run is not retried
  const unknown =
    reason.code !== 'cancelled' && ending.kind === 'threw' ? toErrorRecord(ending.error, cleanerOf(facts)) : null;
  if (reason.code !== 'lease_lost' && unknown?.code === 'effect_unknown')
    return settlementOf(run, { kind: 'bury', error: unknown, abort });
  switch (reason.code) {
    case 'lease_lost':
      return null;
    case 'cancelled':
      return settlementOf(run, { kind: 'confirm_cancel', by: reason.by, reason: reason.message, abort });
    case 'shutting_down':
      return contract.onShutdown === 'drop'
        ? settlementOf(run, {
            kind: 'confirm_cancel',
            by: 'shutdown',
            reason: 'Its contract lets a stopping worker drop it.',
            abort,
          })
        : settlementOf(run, { kind: 'release', reason: reason.message, abort });
    case 'timeout':
      return failOrBury(facts, { code: 'timeout', type: reason.name, message: reason.message, stack: null }, { abort });
  }
}

function stageOf(ending: Ending): AbortStage {
  if (ending.kind === 'overran') return 'lease_revoked';
  return ending.kind === 'threw' && HandlerKilledError.is(ending.error) ? 'killed' : 'signalled';
}

/** What is known of a failure beside its record. */
interface Failed {
  /** The delay that the handler asked for; null: none. */
  readonly delayMs?: number | null;
  readonly abort?: AbortRecord;
  readonly thrown?: unknown;
}

/** Retries while attempts and time remain, buries after the last one. */
function failOrBury(facts: AttemptFacts, error: ErrorRecord, failed: Failed = {}): Settlement {
  const { run, retryLeftMs } = facts;
  const { abort = null } = failed;
  if (run.attempt >= run.maxAttempts) return settlementOf(run, { kind: 'bury', error, abort, isSpent: true });
  const delayMs = delayBefore(facts, error, failed);
  if (delayMs > retryLeftMs) return settlementOf(run, { kind: 'bury', error: exhausted(error), abort });
  return settlementOf(run, { kind: 'fail', error, abort, delayMs });
}

/** A handler's own delay is at least the policy's first one; without one the worker's backoff is asked before the policy. */
function delayBefore(
  { run, contract, random, ownBackoffMs }: AttemptFacts,
  { code, type, message }: ErrorRecord,
  { delayMs = null, thrown }: Failed,
): number {
  if (delayMs !== null) return spreadDelay(delayMs, leastBackoffMs(contract.retry), random());
  const ownMs = ownBackoffMs?.({ code, type, message, error: thrown }) ?? null;
  return ownMs === null ? computeBackoff(contract.retry, run.attempt, random()) : spreadDelay(ownMs, 0, random());
}

/** The last error, as that of a run whose next retry would begin after its time. */
const exhausted = ({ code, type, message, stack }: ErrorRecord): ErrorRecord => ({
  code: RETRY_BUDGET_EXHAUSTED,
  type,
  message: `Its time for retries is over (retryFor); the last attempt failed with ${code}: ${message}`,
  stack,
});

/** Throws unless this is a number of milliseconds that a run can wait. */
function checkDelay(delayMs: number): number {
  if (typeof delayMs === 'number' && delayMs >= 0 && delayMs <= LONGEST_MS) return delayMs;
  throw new OutcomeError(
    `The handler asked for a delay of ${showValue(delayMs)} ms; it must be a number from 0 to ${LONGEST_MS}.`,
  );
}

/** An error record from the code and reason that a handler gave, made storable. */
function toRecord(facts: AttemptFacts, code: string, type: string, message: string): ErrorRecord {
  return { ...toErrorRecord({ code, name: type, message }, cleanerOf(facts)), type };
}

type SettlementBody = Settlement extends infer S ? (S extends Settlement ? Omit<S, 'id' | 'fence'> : never) : never;

function settlementOf(run: ClaimedRun, body: SettlementBody): Settlement {
  return { id: run.id, fence: run.fence, ...body } as Settlement;
}
