import { toPointer } from '../encode-payload.js';
import type { Handler, JobContext } from '../handler.js';
import type { IsolatedHandler } from '../isolated-handler.js';
import { HandlerKilledError } from '../handler-killed-error.js';
import type { Json } from '../job.js';
import type { Outcome } from '../outcome.js';
import type { ClaimedRun, ErrorRecord, Settlement, AbortRecord } from '../ports/runs.js';
import { showValue } from '../storable-text.js';
import { checkResult } from './check-result.js';
import { classifyError, toErrorRecord } from './classify-error.js';
import { computeBackoff } from './compute-backoff.js';
import type { Engine } from './engine.js';
import type { HeldRun } from './held-run.js';
import type { ContextParts } from './make-context.js';
import { AbortReason } from './abort-reason.js';

/**
 * Runs one attempt and decides what became of it. It never touches the database and never throws.
 *
 *   parse the payload → call the handler under its time limit → read the outcome → make the settlement
 *
 * The signal is asked, never forced: a handler that ignores it is given up after a grace and its settlement is made
 * without it, while `ended` tells when it really let go of its slot. Only an isolated handler can be killed.
 *
 * It answers once, and never before it has returned.
 */
export interface AttemptInput {
  readonly engine: Pick<Engine, 'clock' | 'random' | 'middleware' | 'graceMs' | 'limits' | 'loop'>;
  /** Its `stop` is told from outside (cancelled, lease lost, shutting down), and by this attempt's own time limit. */
  readonly held: HeldRun;
  readonly handler: Handler | IsolatedHandler;
  readonly context: ContextParts;
  readonly startedMs: number;
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

export function runAttempt(input: AttemptInput, answer: (result: AttemptResult) => void): void {
  const {
    context,
    held: { abort },
  } = input;
  // stopped while it waited in the buffer
  if (abort.reason !== null)
    return endWithoutHandler(decideAborted(input, abort.reason, { kind: 'threw', error: abort.reason }), answer);
  const payload = parsePayload(input);
  if ('settlement' in payload) return endWithoutHandler(payload.settlement, answer);
  context.payload = payload.data;
  callHandler(input, context as JobContext, answer);
}

/** The payload as the contract reads it, or what becomes of a run whose payload it refuses. A rule of a contract may throw. */
function parsePayload(input: AttemptInput): { readonly data: unknown } | { readonly settlement: Settlement } {
  const {
    context,
    held: { contract },
  } = input;
  try {
    const payload = contract.payload.safeParse(context.run.payload);
    if (payload.success) return payload;
    const message = payload.error.issues.map((issue) => `${toPointer(issue.path)} ${issue.message}`).join('; ');
    return {
      settlement: settle(context.run, {
        kind: 'bury',
        error: toRecord('invalid_payload', 'ZodError', message),
        abort: null,
      }),
    };
  } catch (error) {
    return { settlement: failOrBury(input, toErrorRecord(error)) };
  }
}

/** Answers later, as a handler would: whoever then starts the next run does not do so from within this one. */
function endWithoutHandler(settlement: Settlement | null, answer: (result: AttemptResult) => void): void {
  queueMicrotask(() => answer({ settlement, ranMs: 0, ended: null }));
}

/** Calls the handler and waits for its ending, or for `overran` when it is still running a grace after it was told to stop. */
function callHandler(input: AttemptInput, context: JobContext, answer: (result: AttemptResult) => void): void {
  const {
    engine: { clock, graceMs, limits },
    held,
    handler,
    startedMs,
  } = input;
  const { contract, abort } = held;
  let isOver = false;
  let stopTimer = (): void => {};
  const end = (ending: Ending, ended: Promise<unknown> | null): void => {
    if (isOver) return;
    isOver = true;
    abort.listen(null);
    limits.forget(held);
    stopTimer();
    answer({ settlement: decide(input, ending), ranMs: clock.monotonicMs() - startedMs, ended });
  };
  limits.begin(held, () => {
    if (abort.reason !== null) return;
    stopTimer = clock.after(Math.max(0, startedMs + contract.timeoutMs - clock.monotonicMs()), () => {
      abort.abort(new AbortReason('timeout', `The attempt ran for longer than ${contract.timeoutMs} ms.`));
    });
  });
  const outcome = callSafely(input, context);
  abort.listen(() => {
    stopTimer();
    const patienceMs = typeof handler === 'function' ? graceMs : graceMs + KILL_MS;
    stopTimer = clock.after(patienceMs, () =>
      end(
        { kind: 'overran' },
        outcome.catch(() => {}),
      ),
    );
  });
  outcome.then(
    (given) => end({ kind: 'returned', outcome: given ?? NOTHING_TO_SAY }, null),
    (error: unknown) => end({ kind: 'threw', error }, null),
  );
}

/** Always a promise: a handler that throws before its first await does not throw into the poll loop. */
function callSafely(input: AttemptInput, context: JobContext): Promise<Outcome | void> {
  const { middleware } = input.engine;
  try {
    if (middleware === null) return Promise.resolve(callOne(input, context));
    return Promise.resolve(
      middleware(context, async (added) => (await callOne(input, { ...context, ...added })) ?? NOTHING_TO_SAY),
    );
  } catch (error) {
    return Promise.reject(error);
  }
}

function callOne(
  { engine: { loop, clock, graceMs }, held, handler }: AttemptInput,
  context: JobContext,
): ReturnType<Handler> {
  // one in a thread of its own blocks nobody
  if (typeof handler !== 'function')
    return handler.run({ context, memoryMb: held.contract.isolate?.memoryMb ?? 128, graceMs, clock });
  return loop.call(held, handler, context);
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
  const { contract, abort } = input.held;
  if (abort.reason !== null) return decideAborted(input, abort.reason, ending);
  if (ending.kind === 'overran') return null;
  if (ending.error instanceof AbortReason && ending.error.code === 'lease_lost') return null;
  const { isPermanent, record } = classifyError(ending.error, contract.errors);
  return isPermanent
    ? settle(input.context.run, { kind: 'bury', error: record, abort: null })
    : failOrBury(input, record);
}

function decideAborted(input: AttemptInput, reason: AbortReason, ending: Ending): Settlement | null {
  const {
    context,
    held: { contract },
  } = input;
  const abort = { code: reason.code, stage: stageOf(ending) };
  // told to stop in the middle of an effect: only a person may let it be done again, so no other attempt comes by itself
  const unknown = reason.code !== 'cancelled' && ending.kind === 'threw' ? toErrorRecord(ending.error) : null;
  if (reason.code !== 'lease_lost' && unknown?.code === 'effect_unknown')
    return settle(context.run, { kind: 'bury', error: unknown, abort });
  switch (reason.code) {
    case 'lease_lost':
      return null;
    case 'cancelled':
      return settle(context.run, { kind: 'confirm_cancel', by: reason.by, reason: reason.message, abort });
    case 'shutting_down':
      return contract.onShutdown === 'drop'
        ? settle(context.run, {
            kind: 'confirm_cancel',
            by: 'shutdown',
            reason: 'Its contract lets a stopping worker drop it.',
            abort,
          })
        : settle(context.run, { kind: 'release', reason: reason.message, abort });
    case 'timeout':
      return failOrBury(
        input,
        { code: 'timeout', type: reason.name, message: reason.message, stack: null },
        null,
        abort,
      );
  }
}

function stageOf(ending: Ending): NonNullable<AbortRecord>['stage'] {
  if (ending.kind === 'overran') return 'lease_revoked';
  return ending.kind === 'threw' && ending.error instanceof HandlerKilledError ? 'killed' : 'signalled';
}

function decideOutcome(input: AttemptInput, outcome: Outcome): Settlement {
  const { run } = input.context;
  switch (outcome.kind) {
    case 'complete':
      // written out, because nearly all end like this
      return { id: run.id, fence: run.fence, kind: 'complete', result: storableResult(input, outcome.result) };
    case 'snooze':
      return settle(run, { kind: 'snooze', delayMs: checkDelay(outcome.delayMs) });
    case 'bury':
      return settle(run, { kind: 'bury', error: toRecord(outcome.code, 'Buried', outcome.reason), abort: null });
    case 'retry':
      return failOrBury(
        input,
        toRecord(outcome.code, 'Retry', outcome.reason),
        outcome.delayMs === null ? null : checkDelay(outcome.delayMs),
      );
    default:
      throw new OutcomeError(
        `The handler returned ${describeNoOutcome(outcome)}, which is no outcome: return complete(…), retry(…), snooze(…), bury(…) or nothing.`,
      );
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
  throw new OutcomeError(
    `The handler asked for a delay of ${showValue(delayMs)} ms; it is a number from 0 to ${MAX_DELAY_MS}.`,
  );
}

/** The words of a handler, made storable. */
function toRecord(code: string, type: string, message: string): ErrorRecord {
  return { ...toErrorRecord({ code, name: type, message }), type };
}

/** Retried while attempts remain, dead after the last one. */
function failOrBury(
  { context: { run }, held: { contract }, engine: { random } }: AttemptInput,
  error: ErrorRecord,
  delayMs: number | null = null,
  abort: AbortRecord = null,
): Settlement {
  if (run.attempt >= run.maxAttempts) return settle(run, { kind: 'bury', error, abort });
  return settle(run, {
    kind: 'fail',
    error,
    abort,
    delayMs: delayMs ?? computeBackoff(contract.retry, run.attempt, random()),
  });
}

/** The work is done, so a result that cannot be stored must not make it run again: it is left out, and that is logged. */
function storableResult({ context, held: { contract } }: AttemptInput, result: unknown): Json {
  if (result === null || result === undefined) return null;
  try {
    return checkResult(contract, result);
  } catch (error) {
    context.log.warn(
      { error: toErrorRecord(error).message },
      'the result of this run does not fit its contract and is left out',
    );
    return null;
  }
}

type SettlementBody = Settlement extends infer S ? (S extends Settlement ? Omit<S, 'id' | 'fence'> : never) : never;

function settle(run: ClaimedRun, body: SettlementBody): Settlement {
  return { id: run.id, fence: run.fence, ...body } as Settlement;
}
