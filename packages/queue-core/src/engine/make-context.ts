import { encodeJson } from '../encode-payload.js';
import { makeOnce, type Once } from '../effects/once.js';
import type { JobContext } from '../handler.js';
import type { Json } from '../job.js';
import { requireCapability } from '../require-capability.js';
import type { Queryable } from '../sql/sql.js';
import { checkResult } from './check-result.js';
import type { Engine } from './engine.js';
import type { HeldRun } from './held-run.js';
import { AbortReason } from './abort-reason.js';
import type { AttemptAbort } from './attempt-abort.js';

const PROGRESS_INTERVAL_MS = 1_000;

/** What a handler gets, but for its payload, which the attempt parses and sets. */
export type ContextParts = Omit<JobContext, 'payload'> & { payload: unknown };

/** Builds the context of one attempt. Everything in it that writes names the run's fence. */
export function makeContext(engine: Engine, held: HeldRun): ContextParts {
  const { run, contract, abort } = held;
  let once: Once | null = null;
  let progress: JobContext['progress'] | null = null;
  const context = {
    run,
    attempt: run.attempt,
    fence: run.fence,
    payload: undefined,
    log: engine.logOf(run),
    once: ((name, effect, options) =>
      (once ??= makeOnce(engine.store, engine.clock, run, contract.effects, abort.signal, engine.crashHook))(
        name,
        effect,
        options,
      )) as Once,
    progress: (value: Json) => (progress ??= makeProgress(engine, held))(value),
    completeIn: (tx: Queryable, result: Json = null) => completeIn(engine, held, tx, result),
    [ABORT]: abort,
  };
  return Object.defineProperty(context, 'signal', SIGNAL) as unknown as ContextParts;
}

/**
 * The signal is made when a handler asks for it, by one getter that all contexts share: a getter written into each of them would
 * cost more than the rest of it.
 */
const ABORT = Symbol('abort');
const SIGNAL: PropertyDescriptor & ThisType<{ [ABORT]: AttemptAbort }> = {
  get() {
    return this[ABORT].signal;
  },
  enumerable: true,
};

async function completeIn(
  { store, emit, name: worker }: Engine,
  held: HeldRun,
  tx: Queryable,
  result: Json,
): Promise<void> {
  const { run, contract } = held;
  requireCapability(store.capabilities, 'transactional', 'completeIn');
  const checked = checkResult(contract, result);
  held.isCompletedIn = true;
  const isOurs = await store
    .completeIn(tx, { id: run.id, fence: run.fence, result: checked })
    .catch((error: unknown) => {
      // a statement that failed fails its transaction: the handler may go on, and hears again of its lease
      held.isCompletedIn = false;
      if (held.isGivenUp) {
        emit({ name: 'lease.lost', during: 'settle', run, worker });
        held.abort.abort(
          new AbortReason(
            'lease_lost',
            'The lease of this run was lost while it was to be completed; another worker may have it.',
          ),
        );
      }
      throw error;
    });
  if (!isOurs) throw new AbortReason('lease_lost', 'The lease of this run was lost before it could be completed.');
}

/** The latest value wins; one write at a time, and at most one a second. */
function makeProgress(engine: Engine, { run, abort }: HeldRun): (value: Json) => void {
  let latest: string | null = null;
  let isWaiting = false;
  const write = (): void => {
    isWaiting = false;
    if (latest === null || abort.reason !== null) return;
    const json = latest;
    latest = null;
    isWaiting = true;
    engine.clock.after(PROGRESS_INTERVAL_MS, write);
    engine.store
      .saveProgress(run.id, run.fence, json)
      .catch((error: unknown) => engine.report.failed('progress', error));
  };
  return (value) => {
    try {
      latest = encodeJson(value, (reason) => new TypeError(reason));
    } catch (error) {
      return engine
        .logOf(run)
        .warn({ error: (error as Error).message }, 'this progress cannot be stored as JSON and is left out');
    }
    if (!isWaiting) write();
  };
}
