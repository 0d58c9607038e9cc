import type { JobContract } from '@duework/contracts';
import type { Clock } from '../clock.js';
import { encodeJson } from '../encode-payload.js';
import type { Handler, HandlerLog } from '../handler.js';
import type { Json } from '../job.js';
import type { Outcome } from '../outcome.js';
import type { ClaimedRun, ErrorRecord, Settlement } from '../store/store.js';
import { classifyError } from './classify-error.js';
import { computeBackoff } from './compute-backoff.js';
import { StopReason } from './stop-reason.js';

/**
 * Runs one attempt and decides what became of it. It never touches the database and never throws.
 *
 *   parse the payload → call the handler under its time limit → read the outcome → make the settlement
 *
 * The signal is asked, never forced: a handler that ignores it is given up after a grace and its settlement is made
 * without it, while `ended` tells when it really let go of its slot.
 */
export interface AttemptInput {
  readonly run: ClaimedRun;
  readonly contract: JobContract;
  readonly handler: Handler;
  readonly log: HandlerLog;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by the heartbeat (cancelled, lease lost), by shutdown, and by this attempt's own time limit. */
  readonly controller: AbortController;
  /** How long a handler may ignore its signal. */
  readonly graceMs: number;
}

export interface AttemptResult {
  /** null: the lease was lost, so there is nothing left to write. */
  readonly settlement: Settlement | null;
  readonly ranMs: number;
  /** Resolves when the handler has ended, which is later than this result when it ignored its signal. */
  readonly ended: Promise<void>;
  readonly isOverrun: boolean;
}

type Ending =
  | { readonly kind: 'returned'; readonly outcome: Outcome }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'overran' };

export async function runAttempt(input: AttemptInput): Promise<AttemptResult> {
  const { run, contract, clock } = input;
  const startedMs = clock.monotonicMs();
  // stopped while it waited in the buffer
  if (input.controller.signal.aborted) return withoutHandler(decide(input, { kind: 'overran' }));
  const payload = contract.payload.safeParse(run.payload);
  if (!payload.success) {
    const message = payload.error.issues.map((issue) => `/${issue.path.join('/')} ${issue.message}`).join('; ');
    const error = { code: 'invalid_payload', type: 'ZodError', message: message.slice(0, 1_000), stack: null };
    return withoutHandler(settle(run, { kind: 'bury', error }));
  }
  const stopTimer = clock.after(contract.timeoutMs, () => {
    input.controller.abort(new StopReason('timeout', `The attempt ran for longer than ${contract.timeoutMs} ms.`));
  });
  const handled = callHandler(input, payload.data);
  const ending = await endOrGiveUp(handled, input);
  stopTimer();
  return {
    settlement: decide(input, ending),
    ranMs: clock.monotonicMs() - startedMs,
    ended: handled.then(() => undefined),
    isOverrun: ending.kind === 'overran',
  };
}

function withoutHandler(settlement: Settlement | null): AttemptResult {
  return { settlement, ranMs: 0, ended: Promise.resolve(), isOverrun: false };
}

/** A handler that throws before its first await throws here, not into the poll loop. */
async function callHandler({ run, handler, log, controller }: AttemptInput, payload: unknown): Promise<Ending> {
  try {
    const context = { payload, run, attempt: run.attempt, signal: controller.signal, fence: run.fence, log };
    return { kind: 'returned', outcome: (await handler(context)) ?? { kind: 'complete', result: null } };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** The handler's ending, or `overran` when it is still running a grace after its signal. */
function endOrGiveUp(handled: Promise<Ending>, { controller, clock, graceMs }: AttemptInput): Promise<Ending> {
  return new Promise((resolve) => {
    let stopTimer = (): void => {};
    const startGrace = (): void => {
      stopTimer = clock.after(graceMs, () => resolve({ kind: 'overran' }));
    };
    controller.signal.addEventListener('abort', startGrace, { once: true });
    void handled.then((ending) => {
      controller.signal.removeEventListener('abort', startGrace);
      stopTimer();
      resolve(ending);
    });
  });
}

function decide(input: AttemptInput, ending: Ending): Settlement | null {
  const { run } = input;
  const stop = input.controller.signal.reason as unknown;
  // A handler that finished in spite of the signal has finished: what it did is done.
  if (ending.kind === 'returned') return decideOutcome(input, ending.outcome);
  if (stop instanceof StopReason) {
    switch (stop.code) {
      case 'lease_lost':
        return null;
      case 'cancelled':
        return settle(run, { kind: 'stop' });
      case 'shutting_down':
        return settle(run, { kind: 'release', reason: stop.message });
      case 'timeout':
        return failOrBury(input, { code: 'timeout', type: stop.name, message: stop.message, stack: null }, null);
    }
  }
  if (ending.kind === 'overran') return null;
  const { isPermanent, record } = classifyError(ending.error);
  return isPermanent ? settle(run, { kind: 'bury', error: record }) : failOrBury(input, record, null);
}

function decideOutcome(input: AttemptInput, outcome: Outcome): Settlement {
  const { run } = input;
  switch (outcome.kind) {
    case 'complete':
      return settle(run, { kind: 'complete', result: storableResult(input, outcome.result) });
    case 'snooze':
      return settle(run, { kind: 'snooze', delayMs: outcome.delayMs });
    case 'bury':
      return settle(run, { kind: 'bury', error: { code: outcome.code, type: 'Buried', message: outcome.reason, stack: null } });
    case 'retry':
      return failOrBury(input, { code: 'retry_requested', type: 'Retry', message: outcome.reason, stack: null }, outcome.delayMs);
  }
}

/** Retried while attempts remain, dead after the last one. */
function failOrBury({ run, contract, random }: AttemptInput, error: ErrorRecord, delayMs: number | null): Settlement {
  if (run.attempt >= run.maxAttempts) return settle(run, { kind: 'bury', error });
  return settle(run, { kind: 'fail', error, delayMs: delayMs ?? computeBackoff(contract.retry, run.attempt, random()) });
}

/** The work is done, so a result that cannot be stored must not make it run again: it is left out, and that is logged. */
function storableResult({ log }: AttemptInput, result: Json): Json {
  try {
    encodeJson(result, (reason) => new Error(reason));
    return result;
  } catch (error) {
    log.warn({ error: String(error) }, 'the result of this run cannot be stored as JSON and is left out');
    return null;
  }
}

type SettlementBody = Settlement extends infer S ? (S extends Settlement ? Omit<S, 'id' | 'fence'> : never) : never;

function settle(run: ClaimedRun, body: SettlementBody): Settlement {
  return { id: run.id, fence: run.fence, ...body } as Settlement;
}
