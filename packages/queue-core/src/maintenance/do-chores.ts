import { pause, spreadPoll } from '../clock.js';
import { RESCUE, type TakenChores } from '../ports/upkeep.js';
import type { Engine } from '../worker/engine.js';
import { LostRescue } from './rescue-lost.js';

/** Something that one worker at a time does for all, safe to do anywhere, at any time, twice. */
export interface Chore {
  readonly name: string;
  /** How the result depends on who does it, in few characters: workers that agree in it take it from each other. */
  readonly by?: string;
  /** It is done once in each period of this length, by the store's clock. */
  readonly intervalMs: number;
  /** Ends soon after `signal` aborts: the worker stops. */
  readonly act: (signal: AbortSignal) => Promise<unknown>;
}

export interface ChoreTimes {
  /** How often runs of lost workers are looked for. */
  readonly rescueIntervalMs: number;
  /** How long after its start a worker does first what can wait, or its interval, if that is shorter: the start is for jobs. */
  readonly seldomAfterMs: number;
}

/** How much later than the period's beginning, as a part of it, those ask who had not the one before. */
const LATER = 0.05;

type Needs = Pick<Engine, 'clock' | 'random' | 'report' | 'store' | 'emit' | 'name'>;

/**
 * Asks in each period for what it is time for, does what it gets, and passes on what else the answer says to `hear`. Whoever
 * had the last one asks first when the next begins, and the others a little later, each at another moment: where he has
 * died they find the chore undone.
 *
 * Worst case of a rescue with a look every 2.5 s: 2.63 s until somebody has seen that a worker is missing, although the one
 * who looked has died as well, and 2.1 s until it is sure.
 */
export async function doChoresUntil(
  signal: AbortSignal,
  engine: Needs,
  { rescueIntervalMs, seldomAfterMs }: ChoreTimes,
  chores: readonly Chore[],
  hear: (told: TakenChores) => void = () => {},
): Promise<void> {
  const { store, clock, random, report } = engine;
  const lost = new LostRescue(engine);
  const running = new Map<string, Promise<void>>();
  const startMs = clock.monotonicMs();
  const later = chores.map((chore) => {
    const name = chore.by === undefined ? chore.name : `${chore.name} ${chore.by}`;
    return { ...chore, name, fromMs: startMs + spreadPoll(Math.min(seldomAfterMs, chore.intervalMs), random()) };
  });
  const periods = [rescueIntervalMs, ...chores.map(({ intervalMs }) => intervalMs)];
  const periodMs = Math.min(...periods);
  while (!signal.aborted) {
    let waitMs = spreadPoll(periodMs, random());
    const askedMs = clock.monotonicMs();
    try {
      const asked = later.filter(({ name, fromMs }) => fromMs <= askedMs && !running.has(name));
      const told = await store.takeChores([
        { name: RESCUE, everyMs: lost.againInMs === null ? rescueIntervalMs : 0 },
        ...asked.map(({ name, intervalMs: everyMs }) => ({ name, everyMs })),
      ]);
      const { taken, nowMs, lost: look } = told;
      hear(told);
      for (const chore of asked) if (taken.includes(chore.name) && !signal.aborted) begin(chore);
      if (look !== null) await lost.rescue({ ...look, nowMs }, askedMs);
      report.succeeded(RESCUE);
      const nextMs = Math.min(...periods.map((everyMs) => everyMs - (nowMs % everyMs)));
      waitMs = nextMs + 1 + (look === null ? LATER * periodMs * random() : 0);
    } catch (error) {
      lost.failed();
      report.failed(RESCUE, error);
    }
    // the second look never comes too early to count
    const { againInMs } = lost;
    await pause(
      clock,
      againInMs === null ? waitMs : Math.min(rescueIntervalMs, againInMs) * (1 + 0.05 * random()),
      signal,
    );
  }
  await Promise.all(running.values());

  function begin({ name, act }: Chore): void {
    // by the name without what it depends on
    const [chore] = name.split(' ', 1);
    const done = act(signal)
      .then(
        () => report.succeeded(chore!),
        (error: unknown) => report.failed(chore!, error),
      )
      .finally(() => running.delete(name));
    running.set(name, done);
  }
}
