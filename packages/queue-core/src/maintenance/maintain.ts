import { pause, spreadPoll } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import type { Retention } from '../ports/upkeep.js';
import { countUntil } from '../figures/count-until.js';
import { giveGates } from './give-gates.js';
import { rescueUntil } from './rescue-until.js';
import { tellAlerts, type AlertPlan } from './tell-alerts.js';

/** Chores for any worker: each statement is safe to run anywhere, at any time, twice. */
export interface MaintenanceOptions extends Retention {
  /** How long after its start a worker first does seldom chores, or its interval, if that is shorter. */
  readonly seldomAfterMs: number;
  /** How often a worker checks whether there is anything to rescue. */
  readonly rescueIntervalMs: number;
  readonly pruneIntervalMs: number;
  readonly alertIntervalMs: number;
  readonly alerts: AlertPlan;
  /** How often a worker writes its figures. */
  readonly figuresIntervalMs: number;
}

/** Another chore for any worker, safe to do anywhere, at any time, twice. */
export interface Chore {
  readonly name: string;
  /** How long after its end it is done again, ±20 %. */
  readonly intervalMs: number;
  /** Ends soon after `signal` aborts: the worker stops. */
  readonly act: (signal: AbortSignal) => Promise<unknown>;
}

/** A worker whose contracts were not written for three minutes counts as gone. */
const REGISTER_INTERVAL_MS = 60_000;
/** How often runs are looked for that have waited for too long. */
const RAISE_INTERVAL_MS = 1_000;
/** How often keys are looked for that nobody looks at: a deleted row makes one, or a program of other rules. */
const LINES_INTERVAL_MS = 60_000;

/** How late a run is cancelled that nobody has claimed in time; it does not start meanwhile. */
const EXPIRE_INTERVAL_MS = 5_000;
const MAX_EXPIRE = 500;

/** How late a batch is added up whose worker could not, or of which an operator has cancelled the last job. */
const BATCHES_INTERVAL_MS = 5_000;

type Needs = Pick<
  Engine,
  | 'clock'
  | 'random'
  | 'report'
  | 'store'
  | 'emit'
  | 'name'
  | 'queues'
  | 'contractOf'
  | 'place'
  | 'held'
  | 'loop'
  | 'gate'
  | 'figures'
  | 'alarm'
>;

export async function maintainUntil(
  signal: AbortSignal,
  engine: Needs,
  options: MaintenanceOptions,
  chores: readonly Chore[] = [],
): Promise<void> {
  const later = (intervalMs: number, chore: string, act: () => Promise<void>): Promise<void> =>
    everyLater(options.seldomAfterMs, intervalMs, chore, signal, engine, act);
  await Promise.all([
    rescueUntil(signal, engine, options.rescueIntervalMs),
    every(REGISTER_INTERVAL_MS, 'contracts', signal, engine, () => registerContracts(engine)),
    countUntil(signal, engine, options.figuresIntervalMs),
    later(EXPIRE_INTERVAL_MS, 'expire', () => expire(engine, signal)),
    later(BATCHES_INTERVAL_MS, 'batches', async () => void (await engine.store.addUpBatches(null))),
    later(options.pruneIntervalMs, 'prune', () => prune(engine, options, signal)),
    later(options.alertIntervalMs, 'alerts', () => tellAlerts(engine.store, options.alerts, engine.emit, engine.name)),
    ...(hasMaxWait(engine)
      ? [every(RAISE_INTERVAL_MS, 'waiting', signal, engine, async () => void (await engine.store.raiseWaiting()))]
      : []),
    linesUntil(signal, engine),
    ...chores.map(({ name, intervalMs, act }) => later(intervalMs, name, async () => void (await act(signal)))),
  ]);
}

const hasMaxWait = ({ contractOf }: Pick<Engine, 'contractOf'>): boolean =>
  [...contractOf.values()].some(({ maxWaitMs }) => maxWaitMs !== null);

/**
 * At the start runs get the gates that a deploy has changed; what a program of other rules leaves afterwards is looked for
 * each minute. A start whose rules have not changed asks for nothing of it.
 */
async function linesUntil(signal: AbortSignal, engine: Needs): Promise<void> {
  await giveGates(engine, signal);
  let isStart = hasRules(engine);
  if (!isStart) await pause(engine.clock, spreadPoll(LINES_INTERVAL_MS, engine.random()), signal);
  await every(LINES_INTERVAL_MS, 'lines', signal, engine, async () => {
    await engine.store.findForgottenKeys();
    if (!isStart) await giveGates(engine, signal);
    isStart = false;
  });
}

const hasRules = ({ contractOf }: Pick<Engine, 'contractOf'>): boolean =>
  [...contractOf.values()].some(({ flow }) => flow !== null);

/** Does a chore now and after each interval ±20 %, so that workers that started together do not act together. */
export async function every(
  intervalMs: number,
  chore: string,
  signal: AbortSignal,
  engine: Pick<Engine, 'clock' | 'random' | 'report'>,
  act: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await act();
      engine.report.succeeded(chore);
    } catch (error) {
      engine.report.failed(chore, error);
    }
    await pause(engine.clock, spreadPoll(intervalMs, engine.random()), signal);
  }
}

/** The same, and not before the start is over, ±20 %. */
export async function everyLater(
  afterMs: number,
  ...[intervalMs, chore, signal, engine, act]: Parameters<typeof every>
) {
  if (afterMs > 0) await pause(engine.clock, spreadPoll(Math.min(afterMs, intervalMs), engine.random()), signal);
  await every(intervalMs, chore, signal, engine, act);
}

function registerContracts({
  store,
  name: worker,
  queues,
  contractOf: contracts,
  place,
  held,
  loop,
  gate,
}: Needs): Promise<void> {
  const load = {
    slots: held.concurrency,
    running: held.busySlots,
    buffered: held.bufferedCount,
    loopDelayMs: loop.delayMs(),
    shutBy: gate.shutBy,
  };
  return store.registerContracts({ worker, queues, contracts, place, load });
}

async function expire({ store, emit, name: worker }: Needs, signal: AbortSignal): Promise<void> {
  for (let isAll = false; !isAll && !signal.aborted;) {
    const found = await store.expire(MAX_EXPIRE);
    for (const expired of found.expired) emit({ name: 'run.expired', worker, expired });
    isAll = found.isAll;
  }
}

async function prune(
  { store, emit, name: worker }: Needs,
  { keepDays, keepDeadDays, keepAuditDays }: Retention,
  signal: AbortSignal,
): Promise<void> {
  const { made, dropped } = await store.prune({ keepDays, keepDeadDays, keepAuditDays }, signal);
  if (made + dropped > 0) emit({ name: 'history.pruned', worker, made, dropped });
}
