import { pause, spreadPoll } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import type { Retention, TakenChores } from '../ports/upkeep.js';
import { countUntil } from '../figures/count-until.js';
import { doChoresUntil, type Chore, type ChoreTimes } from './do-chores.js';
import { giveGates } from './give-gates.js';
import { tellAlerts, type AlertPlan } from './tell-alerts.js';

export interface MaintenanceOptions extends Retention, ChoreTimes {
  readonly pruneIntervalMs: number;
  readonly alertIntervalMs: number;
  readonly alerts: AlertPlan;
  /** How often a worker writes its figures. */
  readonly figuresIntervalMs: number;
}

/** A worker whose contracts were not written for three minutes counts as gone. */
const ANNOUNCE_INTERVAL_MS = 60_000;
/** How often runs are looked for that have waited for too long. */
const RAISE_INTERVAL_MS = 1_000;
/** How often keys are looked for that nobody looks at: a deleted row makes one, or a program of other rules. */
const KEYS_INTERVAL_MS = 60_000;
/** How often a worker asks whether another program has changed rules. */
const GATES_INTERVAL_MS = 60_000;

/** How late a run is cancelled that nobody has claimed in time; it does not start meanwhile. */
const EXPIRE_INTERVAL_MS = 5_000;
const MAX_EXPIRE = 500;

/** How late a batch is added up whose worker could not, or of which an operator has cancelled the last job. */
const BATCHES_INTERVAL_MS = 5_000;

/** Does what this worker does for itself, and its share of what one worker at a time does for all. */
export async function maintainUntil(
  signal: AbortSignal,
  engine: Engine,
  options: MaintenanceOptions,
  others: readonly Chore[] = [],
  hear?: (told: TakenChores) => void,
): Promise<void> {
  await Promise.all([
    every(ANNOUNCE_INTERVAL_MS, 'contracts', signal, engine, () => announceContracts(engine)),
    countUntil(signal, engine, options.figuresIntervalMs),
    gatesUntil(signal, engine),
    doChoresUntil(signal, engine, options, [...choresOf(engine, options), ...others], hear),
  ]);
}

function choresOf(engine: Engine, options: MaintenanceOptions): readonly Chore[] {
  const { store, emit, name } = engine;
  const { keepDays, keepDeadDays, keepAuditDays, diskGb, alerts } = options;
  return [
    { name: 'expire', intervalMs: EXPIRE_INTERVAL_MS, act: (signal) => expire(engine, signal) },
    { name: 'batches', intervalMs: BATCHES_INTERVAL_MS, act: () => store.addUpBatches(null) },
    { name: 'keys', intervalMs: KEYS_INTERVAL_MS, act: () => store.findForgottenKeys() },
    {
      name: 'prune',
      by: JSON.stringify([keepDays, keepDeadDays, keepAuditDays, diskGb]),
      intervalMs: options.pruneIntervalMs,
      act: (signal) => prune(engine, options, signal),
    },
    {
      name: 'alerts',
      // a worker without a way leaves it to the others to tell of an alert
      by: JSON.stringify([alerts.limits, alerts.ways.map((way) => way.name)]),
      intervalMs: options.alertIntervalMs,
      act: () => tellAlerts(store, alerts, emit, name),
    },
    ...(store.sampleDepth === undefined
      ? []
      : [{ name: 'depth', intervalMs: options.figuresIntervalMs, act: () => store.sampleDepth!() }]),
    ...(hasMaxWait(engine)
      ? [{ name: 'waiting', intervalMs: RAISE_INTERVAL_MS, act: () => store.raiseWaiting() }]
      : []),
  ];
}

const hasMaxWait = ({ contractOf }: Pick<Engine, 'contractOf'>): boolean =>
  [...contractOf.values()].some(({ maxWaitMs }) => maxWaitMs !== null);

/**
 * At the start runs get the gates that a deploy has changed; what a program of other rules leaves afterwards is looked for
 * each minute. A start whose rules have not changed asks for nothing of it.
 */
async function gatesUntil(signal: AbortSignal, engine: Engine): Promise<void> {
  while (!signal.aborted) {
    await giveGates(engine, signal);
    await pause(engine.clock, spreadPoll(GATES_INTERVAL_MS, engine.random()), signal);
  }
}

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

export function announceContracts({
  store,
  name: worker,
  queues,
  contractOf: contracts,
  place,
  owned,
  loop,
  brakes,
}: Engine): Promise<void> {
  const load = {
    slots: owned.concurrency,
    declaredSlots: owned.declared,
    running: owned.busySlots,
    buffered: owned.bufferedCount,
    loopDelayMs: loop.delayMs(),
    shutBy: brakes.shutBy,
  };
  return store.announceContracts({ worker, queues, contracts, place, load });
}

async function expire({ store, emit, name: worker }: Engine, signal: AbortSignal): Promise<void> {
  for (let isAll = false; !isAll && !signal.aborted;) {
    const found = await store.expire(MAX_EXPIRE);
    for (const expired of found.expired) emit({ name: 'run.expired', worker, expired });
    isAll = found.isAll;
  }
}

async function prune(
  { store, emit, name: worker }: Engine,
  { keepDays, keepDeadDays, keepAuditDays, diskGb }: Retention,
  signal: AbortSignal,
): Promise<void> {
  const { made, dropped } = await store.prune({ keepDays, keepDeadDays, keepAuditDays, diskGb }, signal);
  if (made + dropped > 0) emit({ name: 'history.pruned', worker, made, dropped });
}
