import { setMaxListeners } from 'node:events';
import type { Catalog } from '@duework/contracts';
import { waitAtMost } from '../clock.js';
import type { BrakeName } from '../claim/claim-brakes.js';
import { writeFigures } from '../figures/write-figures.js';
import { checkIsolated } from '../run/check-handlers.js';
import { drain, chargeFault } from '../stop/drain.js';
import { handleMessages } from './handle-messages.js';
import { loseLease } from '../leases/hold-lease.js';
import { pollUntil } from '../claim/poll-loop.js';
import { slotsOf } from '../maintenance/slots-of.js';
import { maintainUntil, type MaintenanceOptions } from '../maintenance/maintain.js';
import type { Chore } from '../maintenance/do-chores.js';
import { tickUntil } from '../maintenance/tick-until.js';
import type { Ticker } from '../ports/schedules.js';
import type { Engine } from './engine.js';
import { makeEngine } from './make-engine.js';
import type { ChangedContract } from '../ports/upkeep.js';
import type { WorkerOptions } from './worker-options.js';

/** One running worker; `createWorker` makes it. */
export interface Worker {
  readonly name: string;
  /**
   * Loads the modules of isolated handlers, prepares the store and begins to claim. Throws `isolated_module_invalid`, or
   * the database's error when the store cannot be prepared.
   */
  start(): Promise<void>;
  /**
   * Stops claiming, lets handlers finish for `deadlineMs`, releases the rest. Resolves when everything is written. A
   * second call releases running ones at once.
   */
  stop(options: { deadlineMs: number }): Promise<{ released: number }>;
  /**
   * Reports an uncaught error that ends the process; then call `stop`. Call it in the error's async context: its
   * attempt is charged. If none is known, all that `stop` releases are suspects.
   */
  fail(error: unknown): void;
  /** Says that none of the jobs that it holds are in its database any more: they are aborted, and nothing is written of them. */
  loseAll(): void;
  activity(): WorkerActivity;
}

/** A worker's current activity. */
export interface WorkerActivity {
  /** How many of the `concurrency` slots are taken. */
  readonly running: number;
  readonly concurrency: number;
  /** Taken slots whose handlers ignored their signal, and run on although their attempts were given up. */
  readonly stuckSlots: number;
  /** Claimed but not begun. */
  readonly buffered: number;
  /** Why the worker does not claim; null: it does. */
  readonly shutBy: BrakeName | null;
  /** How late the event loop was lately, in milliseconds (99th percentile). */
  readonly loopDelayMs: number;
}

const MAINTENANCE: MaintenanceOptions = {
  rescueIntervalMs: 2_500,
  seldomAfterMs: 0,
  pruneIntervalMs: 3_600_000,
  keepDays: 30,
  keepDeadDays: 90,
  alertIntervalMs: 60_000,
  figuresIntervalMs: 60_000,
  alerts: { limits: {}, ways: [] },
};

/** More than a worker without chores of its caller ever waits in: 11, when it claims, ticks and does every chore at once. */
const MOST_LOOPS = 20;
/** How long a stopping worker waits for the answer to its last claim. */
const MAX_CLAIM_WAIT_MS = 5_000;
const MAX_UNREGISTER_WAIT_MS = 500;

/**
 * Makes one worker: it claims, runs, renews leases, settles and does its share of the chores. Its store owns the
 * connections.
 */
export function createWorker<TCatalog extends Catalog, TAdded extends object = object>(
  options: WorkerOptions<TCatalog, TAdded>,
): Worker {
  const engine = makeEngine(options);
  const { name, emit, owned, clock, queues, leases, loop, hurrying, brakes } = engine;
  const maintenance = { ...MAINTENANCE, ...options.maintenance };
  const chores = [...(options.chores ?? []), ...(options.ticker ? [pruneLedger(options.ticker, maintenance)] : [])];
  const claiming = new AbortController();
  // each loop waits on it with a listener of its own; Node takes more than 10 for a leak, and still has to see a real one
  setMaxListeners(MOST_LOOPS + chores.length, claiming.signal);
  let loops: Promise<unknown> = Promise.resolve();
  let stopping: Promise<{ released: number }> | null = null;
  let unwatch = (): void => {};

  async function stop(deadlineMs: number): Promise<{ released: number }> {
    const startedMs = clock.monotonicMs();
    emit({
      name: 'worker.draining',
      worker: name,
      running: owned.busySlots,
      buffered: owned.bufferedCount,
      deadlineMs,
    });
    claiming.abort();
    leases.stopListening?.();
    engine.spareLook.stop();
    // awaits a claim on its way, because this worker has to release its runs; but not a database that hangs
    await waitAtMost(clock, MAX_CLAIM_WAIT_MS, loops);
    // who claims nothing any more does not count among those who can; where it cannot say so it counts for three minutes
    const withdrawn = engine.store.withdrawContracts(name).catch(() => {});
    const released = await drain(engine, deadlineMs);
    for (const handler of engine.handlerOf.values()) if (typeof handler === 'object') await handler.release(owned);
    engine.figures?.endMinute(null);
    const written = engine.figures && writeFigures(engine).catch(() => {});
    await waitAtMost(clock, MAX_UNREGISTER_WAIT_MS, Promise.all([withdrawn, written, engine.batches.idle()]));
    owned.stopWatching?.();
    unwatch();
    await leases.stop();
    loop.stop();
    emit({ name: 'worker.stopped', worker: name, released, drainMs: clock.monotonicMs() - startedMs });
    return { released };
  }

  return {
    name,
    async start() {
      await checkIsolated(engine, claiming.signal);
      const handle = handleMessages(engine);
      const changed = await prepareAndListen(engine, handle);
      loop.start();
      unwatch = engine.store.watch?.(handle) ?? unwatch;
      loops = Promise.all([
        pollUntil(claiming.signal, engine),
        maintainUntil(claiming.signal, engine, maintenance, chores, ({ slots = {} }) => {
          const wanted = slotsOf(queues, slots, owned.declared);
          if (wanted === owned.concurrency) return;
          // what fails is tried again with the next answer
          import('./resize.js').then(({ resize }) => resize(engine, wanted)).catch(() => {});
        }),
        options.ticker && tickUntil(claiming.signal, engine, options.ticker),
      ]);
      emit({
        name: 'worker.started',
        worker: name,
        types: [...engine.contractOf.keys()],
        queues,
        concurrency: owned.concurrency,
      });
      for (const contract of changed) emit({ name: 'contract.changed', worker: name, ...contract });
    },
    stop: ({ deadlineMs }) => {
      if (stopping !== null) hurrying.abort();
      return (stopping ??= stop(deadlineMs));
    },
    fail: (error) => chargeFault(engine, error),
    loseAll: () => {
      for (const each of owned.all()) {
        loseLease(engine, each);
        // one that completes although it is aborted would be taken for a job of the same number
        each.enter('ended');
      }
    },
    activity: () => ({
      running: owned.busySlots,
      buffered: owned.bufferedCount,
      concurrency: owned.concurrency,
      stuckSlots: owned.stuckSlots,
      shutBy: brakes.shutBy,
      loopDelayMs: loop.delayMs(),
    }),
  };
}

const pruneLedger = (ticker: Ticker, { keepDays, pruneIntervalMs: intervalMs }: MaintenanceOptions): Chore => ({
  name: 'prune_ledger',
  by: String(keepDays),
  intervalMs,
  act: (signal) => ticker.prune(keepDays, signal),
});

/** Both at once, each over a connection of its own. Where one fails, nothing is left of the other. */
async function prepareAndListen(
  engine: Pick<Engine, 'name' | 'store' | 'catalog' | 'leases' | 'queues' | 'contractOf'>,
  handle: ReturnType<typeof handleMessages>,
): Promise<readonly ChangedContract[]> {
  const { name, store, catalog, leases, queues } = engine;
  const [prepared, listening] = await Promise.allSettled([
    store.prepare(catalog),
    leases.start(name, handle, { queues, types: readableTypes(engine) }),
  ]);
  if (prepared.status === 'fulfilled' && listening.status === 'fulfilled') return prepared.value;
  if (listening.status === 'fulfilled') await leases.stop();
  throw prepared.status === 'rejected' ? prepared.reason : (listening as PromiseRejectedResult).reason;
}

/** The types with their versions, by which a wake-up chooses among workers: one that cannot read a run is no help to it. */
function readableTypes({ contractOf }: Pick<Engine, 'contractOf'>): string[] {
  return Array.from(contractOf.values(), ({ type, oldestVersion, version }) => `${type} ${oldestVersion}-${version}`);
}
