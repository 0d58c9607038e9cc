import { pause, spreadPoll } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import type { WhoseRuns } from '../ports/upkeep.js';
import { Absences, GRACE_MS } from './absences.js';
import { ExpiredLeases } from './expired-leases.js';

/**
 * The interval of the checks while a worker is missing: half the grace, so that the third check may confirm the first.
 */
const CONFIRM_MS = GRACE_MS / 2;
const MAX_RESCUE = 500;

type Needs = Pick<Engine, 'clock' | 'random' | 'report' | 'store' | 'emit' | 'name'>;

/**
 * Rescues runs whose lease has expired, and those of a worker whose session has ended, each when that has stayed so for
 * a grace. Worst case with a check every 2 s ± 20 %: 2.4 s until it is found, and 2.1 s until it is sure.
 *
 * A missing lock only makes the rescue come sooner: the run's row, under its own lock, decides who has the run.
 */
export async function rescueUntil(signal: AbortSignal, engine: Needs, intervalMs: number): Promise<void> {
  const { clock, random, report } = engine;
  const seen = { absences: new Absences(clock), expired: new ExpiredLeases(clock) };
  const { absences, expired } = seen;
  while (!signal.aborted) {
    try {
      await rescue(engine, seen);
      report.succeeded('rescue');
    } catch (error) {
      absences.forget();
      report.failed('rescue', error);
    }
    // workers that started together do not check together; and the second check never comes too early to count
    const waitMs =
      absences.isEmpty && expired.isEmpty
        ? spreadPoll(intervalMs, random())
        : Math.min(intervalMs, absences.isEmpty ? GRACE_MS : CONFIRM_MS) * (1 + 0.05 * random());
    await pause(clock, waitMs, signal);
  }
}

interface Seen {
  readonly absences: Absences;
  readonly expired: ExpiredLeases;
}

async function rescue(engine: Needs, { absences, expired }: Seen): Promise<void> {
  const { store, emit, clock, name: worker } = engine;
  const askedMs = clock.monotonicMs();
  const look = await store.lookForLost();
  const expiredBeforeMs = expired.observe(look, askedMs, absences.graceMs);
  // this worker itself lives, whatever has become of its session
  const dead = absences.observe(
    look.missing.filter((name) => name !== worker),
    askedMs,
  );
  if (dead.length > 0) {
    await rescueRuns(engine, { workers: dead });
    for (const name of await store.forgetWorkers(dead)) emit({ name: 'worker.vanished', worker, vanished: name });
  }
  if (expiredBeforeMs !== null) await rescueRuns(engine, { expiredBeforeMs });
}

async function rescueRuns(
  { store, emit, name: worker }: Pick<Needs, 'store' | 'emit' | 'name'>,
  whose: WhoseRuns,
): Promise<void> {
  let rescued;
  do {
    rescued = await store.rescue(MAX_RESCUE, whose);
    for (const run of rescued) emit({ name: 'run.rescued', worker, rescued: run });
  } while (rescued.length === MAX_RESCUE);
}
