import {
  DEFAULT_MAX_JOBS,
  DEFAULT_MEMORY_MB,
  type Handler,
  type IsolatedHandler,
  type JobContext,
  type Middleware,
} from './handler.js';
import { AbortReason, readOutcome } from '../settle/attempt-end.js';
import { OutcomeError } from '../settle/attempt-errors.js';
import type { Outcome } from '../settle/outcome.js';
import { warnOfResult } from '../settle/check-result.js';
import type { Settlement } from '../ports/runs.js';
import { requireCapability } from '../require-capability.js';
import { callApart } from './attempt.js';
import { decideSettlement, factsOf, type Ending } from '../settle/decide-settlement.js';
import type { Engine } from '../worker/engine.js';
import { AttemptSteps, type StepNeeds } from '../steps/attempt-steps.js';
import { AttemptWaits } from '../steps/attempt-waits.js';
import type { OwnedRun } from '../claim/owned-run.js';
import type { ContextParts } from './make-context.js';
import { keepResult } from '../settle/keep-result.js';
import { loadPayload } from '../objects/load-payload.js';
import { parsePayload } from './parse-payload.js';

/**
 * Runs one attempt. It never touches the database and never throws.
 *
 *   read the payload, if it is in an object → decrypt and parse it → call the handler under its time limit → wait for its ending → have the settlement decided
 *
 * An abort asks the handler to end, and cannot force it: a handler that ignores its signal is given up after a grace and
 * its attempt is settled without it, while `ended` resolves when it really ends. Only an isolated handler can be killed.
 *
 * `answer` is called once, and never before `runAttempt` has returned.
 */
export interface AttemptInput {
  readonly engine: Pick<
    Engine,
    | 'store'
    | 'clock'
    | 'random'
    | 'backoffOf'
    | 'logOf'
    | 'middleware'
    | 'graceMs'
    | 'limits'
    | 'loop'
    | 'toldResults'
    | 'owned'
  > &
    StepNeeds;
  /** Its attempt is aborted from outside (cancelled, lease lost, shutting down), and by its own time limit. */
  readonly owned: OwnedRun;
  readonly handler: Handler | IsolatedHandler;
  readonly context: ContextParts;
  readonly startedMs: number;
}

export interface AttemptResult {
  /** null: the lease was lost, so there is nothing left to write. */
  readonly settlement: Settlement | null;
  readonly ranMs: number;
  /** Resolves when a handler that ignored its signal has really ended; null: the handler has ended. */
  readonly ended: Promise<unknown> | null;
}

type Answer = (result: AttemptResult) => void;

/**
 * An isolated handler is killed after its grace; its attempt overruns only when that has not ended it within this time.
 */
const KILL_MS = 2_000;

export function runAttempt(input: AttemptInput, answer: Answer): void {
  const { owned } = input;
  const { reason } = owned.abort;
  // aborted while the run waited in the buffer
  if (reason !== null) return endWithoutHandler(input, { kind: 'threw', error: reason }, answer);
  const loading = loadPayload(owned.run, () => owned.abort.signal);
  if (loading === null) return runLoaded(input, answer);
  const failed = (error: unknown): void => endWithoutHandler(input, { kind: 'threw', error }, answer);
  void loading.then(
    () => (owned.abort.reason === null ? runLoaded(input, answer) : failed(owned.abort.reason)),
    failed,
  );
}

function runLoaded(input: AttemptInput, answer: Answer): void {
  const { context, owned } = input;
  const payload = parsePayload(owned);
  if ('kind' in payload) return endWithoutHandler(input, payload, answer);
  context.payload = payload.data;
  callHandler(input, context as JobContext, answer);
}

/** Answers later, as with a handler: otherwise each run would start the next one inside its own call. */
function endWithoutHandler(input: AttemptInput, ending: Ending, answer: Answer): void {
  const settlement = decide(input, ending);
  queueMicrotask(() => answer({ settlement, ranMs: 0, ended: null }));
}

/** Calls the handler and waits for its ending, or for `overran` when it still runs a grace after its abort. */
function callHandler(input: AttemptInput, context: JobContext, answer: Answer): void {
  const { engine, owned, handler, startedMs } = input;
  const { clock, graceMs, limits } = engine;
  const { contract, abort } = owned;
  let isOver = false;
  let stopTimer = (): void => {};
  const end = (ending: Ending, ended: Promise<unknown> | null): void => {
    if (isOver) return;
    isOver = true;
    abort.listen(null);
    limits.forget(owned);
    stopTimer();
    answer({ settlement: decide(input, ending), ranMs: clock.monotonicMs() - startedMs, ended });
  };
  limits.begin(owned, () => {
    if (abort.reason !== null) return;
    stopTimer = clock.after(Math.max(0, startedMs + contract.timeoutMs - clock.monotonicMs()), () => {
      abort.abort(new AbortReason('timeout', `The attempt ran for longer than ${contract.timeoutMs} ms.`));
    });
  });
  const outcome = callSafely(input, context);
  abort.listen(() => {
    stopTimer();
    const patienceMs = typeof handler === 'function' ? graceMs : graceMs + KILL_MS;
    stopTimer = clock.after(patienceMs, () => end({ kind: 'overran' }, settled(outcome)));
  });
  outcome.then(
    (given) => {
      const decided = readOutcome(given);
      const keeping = keepResult(engine, owned, decided);
      if (keeping === null) end({ kind: 'returned', outcome: decided }, null);
      else void keeping.then((kept) => end({ kind: 'returned', outcome: kept }, null));
    },
    (error: unknown) => end({ kind: 'threw', error }, null),
  );
}

/** Resolves when the handler has ended, in whatever way. */
function settled(outcome: Promise<unknown>): Promise<unknown> {
  return outcome.catch(() => {});
}

/** Always returns a promise, so that a handler that throws before its first await does not throw into the poll loop. */
function callSafely(input: AttemptInput, context: JobContext): Promise<Outcome<unknown> | void> {
  const { middleware } = input.engine;
  try {
    return Promise.resolve(
      callApart([input.owned], () =>
        middleware === null ? callOne(input, context) : callThrough(middleware, input, context),
      ),
    );
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Code without types may forget to return what `next` returned, or to wait for it: then that is the outcome all the same. */
async function callThrough(
  middleware: Middleware,
  input: AttemptInput,
  context: JobContext,
): Promise<Outcome<unknown>> {
  let called: Promise<Outcome<unknown>> | undefined;
  const next = (added: object): Promise<Outcome<unknown>> =>
    (called = (async () => readOutcome(await callOne(input, { ...context, ...added })))());
  const given = (await middleware(context, next)) as Outcome<unknown> | undefined;
  if (given !== undefined) return given;
  if (called !== undefined) return called;
  throw new OutcomeError('The middleware neither called the handler nor returned an outcome. Return await next().');
}

function callOne({ engine, owned, handler }: AttemptInput, context: JobContext): ReturnType<Handler> {
  const { loop, clock, graceMs } = engine;
  if (typeof handler === 'function')
    return owned.contract.durable ? callDurable(engine, owned, handler, context) : loop.call(owned, handler, context);
  // an isolated handler cannot block this event loop
  const { memoryMb = DEFAULT_MEMORY_MB, maxJobsPerProcess: maxJobs = DEFAULT_MAX_JOBS } = owned.contract.isolate ?? {};
  return handler.run({ context, host: engine.owned, memoryMb, maxJobs, graceMs, clock });
}

/** The handler with its steps; the attempt ends when both have ended. */
function callDurable(
  engine: AttemptInput['engine'],
  owned: OwnedRun,
  handler: Handler,
  context: JobContext,
): ReturnType<Handler> {
  requireCapability(engine.store.capabilities, 'steps', 'durable');
  const steps = new AttemptSteps(engine, owned);
  // in place, because the signal is made only when it is read
  const { sleep, waitFor, waitForApproval, waitForJob, child } = new AttemptWaits(engine, owned, steps);
  const durable = Object.assign(context, {
    step: steps.step,
    patched: steps.patched,
    sleep,
    waitFor,
    waitForApproval,
    waitForJob,
    child,
  });
  return steps.outcomeOf((async () => engine.loop.call(owned, handler, durable))());
}

function decide({ context, owned, engine }: AttemptInput, ending: Ending): Settlement | null {
  const { settlement, droppedResult } = decideSettlement(factsOf(engine, owned), ending);
  if (droppedResult !== null) warnOfResult(engine, owned.contract, context.log, droppedResult);
  return settlement;
}
