import type { JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import { toPointer } from '../encode-payload.js';
import type { Handler, JobContext } from '../handler.js';
import type { IsolatedHandler } from '../isolate/isolated.js';
import { runIsolated, ThreadKilledError } from '../isolate/run-isolated.js';
import type { Json } from '../job.js';
import type { Middleware } from '../middleware.js';
import type { Outcome } from '../outcome.js';
import type { ClaimedRun, ErrorRecord, Settlement, StopRecord } from '../store/store.js';
import { showValue } from '../storable-text.js';
import { checkResult } from './check-result.js';
import { classifyError, toErrorRecord } from './classify-error.js';
import { computeBackoff } from './compute-backoff.js';
import type { ContextParts } from './make-context.js';
import { StopReason } from './stop-reason.js';
import type { StopSignal } from './stop-signal.js';

/**
 * Runs one attempt and decides what became of it. It never touches the database and never throws.
 *
 *   parse the payload → call the handler under its time limit → read the outcome → make the settlement
 *
 * The signal is asked, never forced: a handler that ignores it is given up after a grace and its settlement is made
 * without it, while `ended` tells when it really let go of its slot. Only an isolated handler can be killed.
 */
export interface AttemptInput {
  readonly context: ContextParts;
  readonly contract: JobContract;
  readonly handler: Handler | IsolatedHandler;
  readonly middleware: Middleware | null;
  readonly clock: Clock;
  readonly random: () => number;
  /** Told from outside (cancelled, lease lost, shutting down), and by this attempt's own time limit. */
  readonly stop: StopSignal;
  /** How long a handler may ignore its signal. */
  readonly graceMs: number;
}

export interface AttemptResult {
  /** null: the lease was lost, so there is nothing left to write. */
  readonly settlement: Settlement | null;
  readonly ranMs: number;
  /** It ignored its signal, and overran: resolves when the handler has really ended. null: it has. */
  readonly ended: Promise<unknown> | null;
}

type Ending =
  | { readonly kind: 'returned'; readonly outcome: Outcome }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'overran' };

/** A handler that returns nothing is done. */
const NOTHING_TO_SAY: Outcome = { kind: 'complete', result: null };

/** A thread is killed after its grace; only a kill that fails makes the attempt overrun. */
const KILL_MS = 2_000;

/** The longest duration there is: 24.8 days. */
const MAX_DELAY_MS = 2_147_483_647;

export async function runAttempt(input: AttemptInput): Promise<AttemptResult> {
  const { context, contract, clock, stop } = input;
  const startedMs = clock.monotonicMs();
  // stopped while it waited in the buffer
  if (stop.reason !== null) return withoutHandler(decideStopped(input, stop.reason, { kind: 'threw', error: stop.reason }));
  const payload = parsePayload(input);
  if ('settlement' in payload) return withoutHandler(payload.settlement);
  const stopTimer = clock.after(contract.timeoutMs, () => {
    stop.stop(new StopReason('timeout', `The attempt ran for longer than ${contract.timeoutMs} ms.`));
  });
  context.payload = payload.data;
  const { ending, ended } = await callHandler(input, context as JobContext);
  stopTimer();
  return { settlement: decide(input, ending), ranMs: clock.monotonicMs() - startedMs, ended };
}

/** The payload as the contract reads it, or what becomes of a run whose payload it refuses. A rule of a contract may throw. */
function parsePayload(input: AttemptInput): { readonly data: unknown } | { readonly settlement: Settlement } {
  const { context, contract } = input;
  try {
    const payload = contract.payload.safeParse(context.run.payload);
    if (payload.success) return payload;
    const message = payload.error.issues.map((issue) => `${toPointer(issue.path)} ${issue.message}`).join('; ');
    return { settlement: settle(context.run, { kind: 'bury', error: toRecord('invalid_payload', 'ZodError', message), stop: null }) };
  } catch (error) {
    return { settlement: failOrBury(input, toErrorRecord(error)) };
  }
}

function withoutHandler(settlement: Settlement | null): AttemptResult {
  return { settlement, ranMs: 0, ended: null };
}

interface Handled {
  readonly ending: Ending;
  readonly ended: Promise<unknown> | null;
}

/**
 * Calls the handler and waits for its ending, or for `overran` when it is still running a grace after it was told to stop. One
 * that throws before its first await throws here, not into the poll loop.
 */
function callHandler(input: AttemptInput, context: JobContext): Promise<Handled> {
  const { stop, clock, graceMs, handler } = input;
  const patienceMs = typeof handler === 'function' ? graceMs : graceMs + KILL_MS;
  return new Promise((resolve) => {
    let stopTimer: (() => void) | null = null;
    const end = (ending: Ending): void => {
      stop.listen(null);
      stopTimer?.();
      resolve({ ending, ended: null });
    };
    const outcome = callSafely(input, context);
    stop.listen(() => {
      stopTimer = clock.after(patienceMs, () => resolve({ ending: { kind: 'overran' }, ended: outcome.catch(() => {}) }));
    });
    outcome.then(
      (given) => end({ kind: 'returned', outcome: given ?? NOTHING_TO_SAY }),
      (error: unknown) => end({ kind: 'threw', error }),
    );
  });
}

async function callSafely(input: AttemptInput, context: JobContext): Promise<Outcome | void> {
  const { middleware } = input;
  if (middleware === null) return callOne(input, context);
  return middleware(context, async (added) => (await callOne(input, { ...context, ...added })) ?? NOTHING_TO_SAY);
}

function callOne({ handler, contract, graceMs, clock }: AttemptInput, context: JobContext): ReturnType<Handler> {
  if (typeof handler === 'function') return handler(context);
  return runIsolated({ handler, context, memoryMb: contract.isolate?.memoryMb ?? 128, graceMs, clock });
}

/** Reading what a handler threw or returned may throw, too: that is a failure like any other, and the worker goes on. */
function decide(input: AttemptInput, ending: Ending): Settlement | null {
  try {
    return decideEnding(input, ending);
  } catch (error) {
    return failOrBury(input, toErrorRecord(error));
  }
}

function decideEnding(input: AttemptInput, ending: Ending): Settlement | null {
  // A handler that finished in spite of the signal has finished: what it did is done.
  if (ending.kind === 'returned') return decideOutcome(input, ending.outcome);
  if (input.stop.reason !== null) return decideStopped(input, input.stop.reason, ending);
  if (ending.kind === 'overran') return null;
  if (ending.error instanceof StopReason && ending.error.code === 'lease_lost') return null;
  const { isPermanent, record } = classifyError(ending.error, input.contract.errors);
  return isPermanent ? settle(input.context.run, { kind: 'bury', error: record, stop: null }) : failOrBury(input, record);
}

function decideStopped(input: AttemptInput, reason: StopReason, ending: Ending): Settlement | null {
  const { context, contract } = input;
  const stop = { code: reason.code, rung: rungOf(ending) };
  // told to stop in the middle of an effect: only a person may let it be done again, so no other attempt comes by itself
  const unknown = reason.code !== 'cancelled' && ending.kind === 'threw' ? toErrorRecord(ending.error) : null;
  if (reason.code !== 'lease_lost' && unknown?.code === 'effect_unknown') return settle(context.run, { kind: 'bury', error: unknown, stop });
  switch (reason.code) {
    case 'lease_lost':
      return null;
    case 'cancelled':
      return settle(context.run, { kind: 'stop', by: reason.by, reason: reason.message, stop });
    case 'shutting_down':
      return contract.onShutdown === 'drop'
        ? settle(context.run, { kind: 'stop', by: 'shutdown', reason: 'Its contract lets a stopping worker drop it.', stop })
        : settle(context.run, { kind: 'release', reason: reason.message, stop });
    case 'timeout':
      return failOrBury(input, { code: 'timeout', type: reason.name, message: reason.message, stack: null }, null, stop);
  }
}

function rungOf(ending: Ending): NonNullable<StopRecord>['rung'] {
  if (ending.kind === 'overran') return 'lease_revoked';
  return ending.kind === 'threw' && ending.error instanceof ThreadKilledError ? 'killed' : 'signalled';
}

function decideOutcome(input: AttemptInput, outcome: Outcome): Settlement {
  const { run } = input.context;
  switch (outcome.kind) {
    case 'complete':
      return settle(run, { kind: 'complete', result: storableResult(input, outcome.result) });
    case 'snooze':
      return settle(run, { kind: 'snooze', delayMs: checkDelay(outcome.delayMs) });
    case 'bury':
      return settle(run, { kind: 'bury', error: toRecord(outcome.code, 'Buried', outcome.reason), stop: null });
    case 'retry':
      return failOrBury(input, toRecord(outcome.code, 'Retry', outcome.reason), outcome.delayMs === null ? null : checkDelay(outcome.delayMs));
    default:
      throw new OutcomeError(`The handler returned ${describeNoOutcome(outcome)}, which is no outcome: return complete(…), retry(…), snooze(…), bury(…) or nothing.`);
  }
}

/** What a handler returned is none of the outcomes, or one that cannot be; only code without types can do that. */
class OutcomeError extends Error {
  override readonly name = 'OutcomeError';
  readonly code = 'invalid_outcome';
}

function describeNoOutcome(outcome: never): string {
  return typeof outcome === 'object' ? 'an object' : `a ${typeof outcome}`;
}

/** What `parseDuration` makes is one. */
function checkDelay(delayMs: number): number {
  if (typeof delayMs === 'number' && delayMs >= 0 && delayMs <= MAX_DELAY_MS) return delayMs;
  throw new OutcomeError(`The handler asked for a delay of ${showValue(delayMs)} ms; it is a number from 0 to ${MAX_DELAY_MS}.`);
}

/** The words of a handler, made storable. */
function toRecord(code: string, type: string, message: string): ErrorRecord {
  return { ...toErrorRecord({ code, name: type, message }), type };
}

/** Retried while attempts remain, dead after the last one. */
function failOrBury({ context: { run }, contract, random }: AttemptInput, error: ErrorRecord, delayMs: number | null = null, stop: StopRecord = null): Settlement {
  if (run.attempt >= run.maxAttempts) return settle(run, { kind: 'bury', error, stop });
  return settle(run, { kind: 'fail', error, stop, delayMs: delayMs ?? computeBackoff(contract.retry, run.attempt, random()) });
}

/** The work is done, so a result that cannot be stored must not make it run again: it is left out, and that is logged. */
function storableResult({ context, contract }: AttemptInput, result: unknown): Json {
  if (result === null || result === undefined) return null;
  try {
    return checkResult(contract, result);
  } catch (error) {
    context.log.warn({ error: toErrorRecord(error).message }, 'the result of this run does not fit its contract and is left out');
    return null;
  }
}

type SettlementBody = Settlement extends infer S ? (S extends Settlement ? Omit<S, 'id' | 'fence'> : never) : never;

function settle(run: ClaimedRun, body: SettlementBody): Settlement {
  return { id: run.id, fence: run.fence, ...body } as Settlement;
}
