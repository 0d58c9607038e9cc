import { pause } from '../clock.js';
import { spreadPoll } from '../claim/spread-poll.js';
import type { Engine } from '../worker/engine.js';
import { Absences, GRACE_MS } from './absences.js';

/**
 * The interval of the checks while a worker is missing: half the grace, so that the third check may confirm the first.
 */
const CONFIRM_MS = GRACE_MS / 2;
const MAX_RESCUE = 500;

type Needs = Pick<Engine, 'clock' | 'random' | 'report' | 'store' | 'emit' | 'name'>;

/**
 * Rescues runs whose lease has expired, and those of a worker whose session has ended and stayed away for a grace.
 * Worst case for the latter, with a check every 2 s ± 20 %: 2.4 s until its lock is found missing, and twice 1.05 s
 * until it has vanished.
 *
 * A missing lock only makes the rescue come sooner: the run's row, under its own lock, decides who has the run.
 */
export async function rescueUntil(signal: AbortSignal, engine: Needs, intervalMs: number): Promise<void> {
  const { clock, random, report } = engine;
  const absences = new Absences(clock);
  while (!signal.aborted) {
    try {
      await rescue(engine, absences);
      report.succeeded('rescue');
    } catch (error) {
      absences.forget();
      report.failed('rescue', error);
    }
    // workers that started together do not check together; and the second check never comes too early to count
    const waitMs = absences.isEmpty
      ? spreadPoll(intervalMs, random())
      : Math.min(intervalMs, CONFIRM_MS) * (1 + 0.05 * random());
    await pause(clock, waitMs, signal);
  }
}

async function rescue(engine: Needs, absences: Absences): Promise<void> {
  const { store, emit, clock, name: worker } = engine;
  const askedMs = clock.monotonicMs();
  const { hasExpired, missing } = await store.lookForLost();
  // this worker itself lives, whatever has become of its session
  const dead = absences.observe(
    missing.filter((name) => name !== worker),
    askedMs,
  );
  if (dead.length > 0) {
    await rescueRuns(engine, dead);
    for (const name of await store.forgetWorkers(dead)) emit({ name: 'worker.vanished', worker, vanished: name });
  }
  if (hasExpired) await rescueRuns(engine);
}

async function rescueRuns(
  { store, emit, name: worker }: Pick<Needs, 'store' | 'emit' | 'name'>,
  deadWorkers?: readonly string[],
): Promise<void> {
  let rescued;
  do {
    rescued = await store.rescue(MAX_RESCUE, deadWorkers);
    for (const run of rescued) emit({ name: 'run.rescued', worker, rescued: run });
  } while (rescued.length === MAX_RESCUE);
}
