import { makeOnce } from '../effects/once.js';
import type { Once } from '../effects/effect-context.js';
import type { JobContext } from './handler.js';
import type { Json } from '../queue/job.js';
import { requireCapability } from '../require-capability.js';
import type { Queryable } from '@duework/sql';
import { checkResult, encodeProgress } from '../settle/check-result.js';
import { logsOf } from '../settle/logs-of.js';
import type { Engine } from '../worker/engine.js';
import type { OwnedRun } from '../claim/owned-run.js';
import { AbortReason } from '../settle/attempt-end.js';
import { StepMisuseError } from '../step-misuse-error.js';
import { KeptLog, type AttemptAbort } from './attempt.js';
import { isSure, untilSure } from '../leases/hold-lease.js';
import { requireOffload } from '../objects/current-offload.js';
import type { ObjectRef } from '../objects/object-store.js';
import type { ObjectSource } from '../objects/put-object.js';
import { nameId } from '../queue/shard-id.js';

const PROGRESS_INTERVAL_MS = 1_000;

/** What a handler gets; its payload is parsed and set by the attempt. */
export type ContextParts = Omit<JobContext, 'payload'> & { payload: unknown };

type Needs = Pick<
  Engine,
  | 'store'
  | 'clock'
  | 'logOf'
  | 'keepsLogs'
  | 'crashHook'
  | 'report'
  | 'emit'
  | 'name'
  | 'leases'
  | 'session'
  | 'heartbeatMs'
>;

/** Builds the context of one attempt. Everything in it that writes names the run's fence. */
export function makeContext(engine: Needs, owned: OwnedRun): ContextParts {
  const { run, abort } = owned;
  const { shard } = engine.store;
  let once: Once | null = null;
  let progress: JobContext['progress'] | null = null;
  const context = {
    run: shard === undefined ? run : { ...run, id: nameId(shard, run.id) },
    meta: run.meta,
    attempt: run.attempt,
    fence: run.fence,
    payload: undefined,
    log:
      engine.keepsLogs || owned.contract.keepLogs
        ? (owned.log = new KeptLog(engine.logOf(run), engine.clock))
        : engine.logOf(run),
    once: ((name, effect, options) => (once ??= makeOnceOf(engine, owned))(name, effect, options)) as Once,
    progress: (value: Json) => (progress ??= makeProgress(engine, owned))(value),
    putObject: (source: ObjectSource) => putForRun(engine, owned, source),
    completeIn: (tx: Queryable, result: Json = null) => completeIn(engine, owned, tx, result),
    step: NO_STEP,
    patched: refuseStep,
    sleep: refuseStep,
    waitFor: refuseStep,
    waitForApproval: refuseStep,
    waitForJob: refuseStep,
    child: refuseStep,
    [ABORT]: abort,
  };
  return Object.defineProperty(context, 'signal', SIGNAL) as unknown as ContextParts;
}

/**
 * The signal is made when a handler reads it, by one getter that all contexts share: a getter written into each context
 * would cost more than the rest of the context.
 */
const ABORT = Symbol('abort');
const SIGNAL: PropertyDescriptor & ThisType<{ [ABORT]: AttemptAbort }> = {
  get() {
    return this[ABORT].signal;
  },
  enumerable: true,
};

/** For handlers without types: whose contract is not durable has no steps. */
const refuseStep = async (): Promise<never> => {
  throw new StepMisuseError('not_durable', 'Its contract is not durable: give it durable: true, so that it has steps.');
};
const NO_STEP = Object.assign(() => refuseStep(), { in: refuseStep });

function makeOnceOf(engine: Needs, owned: OwnedRun): Once {
  const { store, clock, crashHook } = engine;
  const { run, contract, abort, lease } = owned;
  const isLeaseOver = async (confirmedMs: number): Promise<boolean> => {
    const lastMs = Math.max(lease.grantedMs, confirmedMs);
    if (!isSure(engine, owned, clock.monotonicMs(), lastMs)) await untilSure(engine, owned);
    return clock.monotonicMs() - lease.grantedMs >= lease.leaseMs;
  };
  return makeOnce({
    store,
    clock,
    run,
    shard: store.shard,
    policy: contract.effects,
    signal: abort.signal,
    isLeaseOver,
    crashHook,
  });
}

/** Noted for its run before it is put, so that it never belongs to nobody. */
async function putForRun({ store }: Needs, { run, abort }: OwnedRun, source: ObjectSource): Promise<ObjectRef> {
  requireCapability(store.capabilities, 'objects', 'putObject');
  requireOffload();
  const { newKey, putAt } = await import('../objects/put-object.js');
  const key = newKey();
  if (!(await store.keepObject(run.id, run.fence, key)))
    throw new AbortReason('lease_lost', 'The lease of this run was lost before the object could be put.');
  return putAt(key, source, abort.signal);
}

async function completeIn(engine: Needs, owned: OwnedRun, tx: Queryable, result: Json): Promise<void> {
  const { run, contract } = owned;
  requireCapability(engine.store.capabilities, 'transactional', 'completeIn');
  const checked = checkResult(contract, result);
  owned.enter('completing');
  const isOurs = await engine.store
    .completeIn(tx, { id: run.id, fence: run.fence, result: checked, gates: run.gates, logs: logsOf(owned) })
    .catch((error: unknown) => {
      goOnAfterFailure(engine, owned);
      throw error;
    });
  if (!isOurs) throw new AbortReason('lease_lost', 'The lease of this run was lost before it could be completed.');
}

/** A failed statement has failed its transaction, so the handler may go on, unless its lease was lost meanwhile. */
function goOnAfterFailure({ emit, name: worker }: Pick<Needs, 'emit' | 'name'>, owned: OwnedRun): void {
  if (owned.enter('running') || !owned.enter('lost')) return;
  emit({ name: 'lease.lost', during: 'settle', run: owned.run, worker });
  owned.abort.abort(
    new AbortReason(
      'lease_lost',
      'The lease of this run was lost while it was to be completed; another worker may have it.',
    ),
  );
}

/** The latest value wins; one write at a time, and at most one a second beside the last one, for which the settlement waits. */
function makeProgress(engine: Needs, owned: OwnedRun): (value: Json) => void {
  const { run, contract, abort } = owned;
  let latest: string | null = null;
  let isResting = false;
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    const json = latest;
    if (json === null) return writing;
    latest = null;
    const written = writing
      .then(() => engine.store.saveProgress(run.id, run.fence, json))
      .then(
        () => {},
        (error: unknown) => engine.report.failed('progress', error),
      );
    void written.then(() => {
      if (latest === null && writing === written) owned.writeProgress = null;
    });
    return (writing = written);
  };
  const rest = (): void => {
    isResting = latest !== null && abort.reason === null;
    if (!isResting) return;
    engine.clock.after(PROGRESS_INTERVAL_MS, rest);
    void write();
  };
  return (value) => {
    try {
      latest = encodeProgress(contract, value);
    } catch (error) {
      return engine
        .logOf(run)
        .warn(
          { error: (error as Error).message },
          'this progress does not fit its contract, or cannot be stored as JSON, and is left out',
        );
    }
    owned.writeProgress = write;
    if (!isResting) rest();
  };
}
