import type { MemoryTables } from '../memory/tables/memory-tables.js';
import type { Store } from '@duework/queue-core';
import { askForWork } from './actors/ask-for-work.js';
import { EffectLedger } from './observe/effect-ledger.js';
import { Faults } from './world/faults.js';
import { makeWorkload } from './plan/make-workload.js';
import { Observer, type Violation } from './observe/observer.js';
import { openMemory } from './world/open-memory.js';
import { CLIENT_FAULTS, type FaultKind, type Plan } from './plan/plan.js';
import { Sessions } from './world/sessions.js';
import { SimulatedProcess } from './world/simulated-process.js';
import { VirtualTime } from './world/virtual-time.js';
import { WorkerPlace } from './actors/worker-place.js';
import type { World } from './world/world.js';

export interface SimulateOptions {
  /** Makes a store with a mistake, which the workers use instead of the store. */
  readonly plant?: ((store: Store, tables: MemoryTables) => Store) | undefined;
  readonly isTraced?: boolean;
}

export interface Simulated {
  /** null: every promise was kept. */
  readonly violation: Violation | null;
  readonly faults: ReadonlyMap<string, FaultKind>;
  readonly workload: {
    readonly jobs: readonly number[];
    readonly operations: readonly number[];
    readonly workers: number;
  };
  /** What happened, one event a line; empty unless asked for. */
  readonly trace: readonly string[];
  readonly events: number;
  readonly virtualMs: number;
}

const FAULTS_END_MS = 5_000;
/** Every job ends within this after the last fault. */
const PATIENCE_MS = 90_000;
/** After this time a worker that has stopped must do nothing more. */
const SILENCE_MS = 1_500;
const MAX_EVENTS = 200_000;

/**
 * One world from its beginning to its end: workers of the real engine, a producer, an operator and deploys on one queue
 * in memory and one virtual clock, with faults until the fifth second. The same plan has the same trace, byte for byte.
 */
export async function simulate(
  plan: Plan,
  { plant = (store) => store, isTraced = false }: SimulateOptions = {},
): Promise<Simulated> {
  const time = new VirtualTime();
  const lines: string[] = [];
  const trace = isTraced
    ? (line: string): void => void lines.push(`${time.monotonicMs().toFixed(3).padStart(10)} ${line}`)
    : (): void => {};
  const faults = new Faults(plan);
  const workload = makeWorkload(plan);
  const { tables, enter, store, operators } = openMemory(time);
  const ledger = new EffectLedger((promise, facts) => observer.violate(promise, facts));
  const observer = new Observer(tables, ledger, trace);
  const sessions = new Sessions();
  const world: World = { plan, time, faults, tables, queue: operators, observer, ledger, sessions, trace };
  const client = new SimulatedProcess({
    name: 'client',
    seed: plan.seed,
    time,
    faults,
    trace,
    possible: CLIENT_FAULTS,
    onDeath: () => {},
  });
  const planted = plant(sessions.watch(store, tables), tables);
  const places = workload.workers.map((about) => new WorkerPlace(world, planted, workload, about));
  for (const place of places) place.start();
  const asked = askForWork(world, { workload, client, enter, operators, places });
  time.after(FAULTS_END_MS, () => faults.end());

  const advance = async (isOver: () => boolean, untilMs: number): Promise<boolean> => {
    while (observer.violation === null && !isOver()) {
      if (time.turns > MAX_EVENTS) observer.violate('it comes to rest', `not after ${MAX_EVENTS} events`);
      else if (!(await time.advance(untilMs))) return false;
    }
    return true;
  };
  const isRejected = (error: unknown): void => observer.violate('nothing is rejected unheard', String(error));
  process.on('unhandledRejection', isRejected);
  try {
    const isQuiet = (): boolean =>
      asked() === 0 &&
      tables.live.size === 0 &&
      observer.wholes.findUntold() === null &&
      places.every(({ process }) => process?.isStopped !== true);
    if (!(await advance(isQuiet, FAULTS_END_MS + PATIENCE_MS))) {
      const untold = observer.wholes.findUntold();
      if (tables.live.size === 0 && untold !== null) observer.violate('a batch tells of all that has come', untold);
      observer.violate(
        'every job ends',
        [...tables.live.values()].map(({ id, status }) => `job ${id} is ${status}`).join(', '),
      );
    }
    faults.end();
    for (const place of places) place.close(1_000);
    const isEmpty = (): boolean => places.every(({ process }) => process === null);
    if (!(await advance(isEmpty, time.monotonicMs() + PATIENCE_MS)))
      observer.violate(
        'a worker that is told to stop stops',
        `${places.find(({ process }) => process !== null)?.process?.name} did not`,
      );
    await advance(() => false, time.monotonicMs() + SILENCE_MS);
    if (tables.running.size > 0)
      observer.violate('a worker that has stopped holds no lease', `${tables.running.size} runs are held`);
  } finally {
    process.off('unhandledRejection', isRejected);
  }
  return {
    violation: observer.violation,
    faults: faults.taken,
    workload: {
      jobs: workload.jobs.map(({ number }) => number),
      operations: workload.operations.map(({ number }) => number),
      workers: workload.workers.length,
    },
    trace: lines,
    events: time.turns,
    virtualMs: time.monotonicMs(),
  };
}
