import { setTimeout as pause } from 'node:timers/promises';
import { drain } from './drain.js';
import { type Fault } from './faults/fault.js';
import { faults as allFaults } from './faults/index.js';
import { measureLoad } from './measure-load.js';
import { collectEvidence } from './observer/collect-evidence.js';
import type { Evidence } from './observer/evidence.js';
import { watchGauges } from './observer/watch-gauges.js';
import { openLab, type OpenedLab } from './open-lab.js';
import { planFaults } from './plan-faults.js';
import { nowMs } from './processes/open-history.js';
import type { Options } from './read-options.js';
import type { DirectSession } from './servers/open-direct.js';
import { takeTurns } from './take-turns.js';

/** Everybody has begun to work. */
const WARM_MS = 4_000;
const LOOK_MS = 100;
const SESSION_TRIES = 50;

/** A fault that cannot be done here, and why. */
export interface MissingFault {
  readonly fault: Pick<Fault, 'name' | 'title'>;
  readonly why: string;
}

export interface TortureRun extends Evidence {
  readonly options: Options;
  readonly missing: readonly MissingFault[];
  /** Where the history is, until `stop`. */
  readonly dir: string;
  stop(): void;
}

/**
 * Runs the product, does the planned faults to it, lets it drain, and returns everything that is known about it, to be judged
 * by the checks. `say` is told what happens, a line at a time.
 */
export async function runTorture(options: Options, say: (line: string) => void): Promise<TortureRun> {
  const lab = await openLab(options);
  const { postgres, direct, workers, people, db, dir, write } = lab;
  const gauges = watchGauges({ url: postgres.url, workers, everyMs: options.gaugeMs });
  const missing = findMissing(lab);
  const isWanted = ({ name }: Fault): boolean =>
    options.faults.includes(name) && !missing.some(({ fault }) => fault.name === name);
  const wanted = allFaults.filter(isWanted);
  // of the quick form each once, and of the others more than there is time for
  const plan = planFaults({ ...options, faults: wanted, count: options.isQuick ? wanted.length : options.turns });
  const pooled = workers.isPooled ? ', one of them through PgBouncer' : '';
  say(
    `seed ${options.seed}; ${options.workers} workers (${options.clients.join(' and ')}${pooled}), ${options.perSecond} jobs/s; ${plan.length} turns planned`,
  );

  await pause(WARM_MS);
  const begunMs = nowMs();
  write('faults.begun', {});
  await takeTurns({ plan, lab, options, begunMs, say });
  write('faults.ended', {});
  const tookMs = nowMs() - begunMs;

  const drained = await drain({ people, db, direct, dir, write, say });
  gauges.stop();
  const evidence = await collectEvidence({
    dir,
    direct,
    offsetMs: lab.offsetMs,
    sampleEvery: options.sampleEvery,
  });
  const load = options.isLoadMeasured ? await measureLoad({ postgres, direct }) : null;
  const ended = await workers.stop();
  lab.pgbouncer?.stop();
  const sessions = await findSessionsLeft(direct);
  await db.$disconnect();
  await direct.end();
  for (const { proxy } of people.cables) proxy.stop();
  return {
    options,
    clients: options.clients,
    isPooled: workers.isPooled,
    missing,
    dir,
    tookMs,
    begunMs,
    drained,
    load,
    ended,
    sessions,
    gauges: gauges.samples,
    warnings: lab.warnings,
    ...evidence,
    stop: postgres.stop,
  };
}

function findMissing(lab: OpenedLab): MissingFault[] {
  const missing: MissingFault[] = [];
  for (const fault of allFaults) {
    const why = fault.missing?.(lab) ?? null;
    if (why !== null) missing.push({ fault, why });
  }
  return missing;
}

/** Sessions whose processes have ended; the server is given the moment that it needs to find out. */
async function findSessionsLeft(direct: DirectSession): Promise<{ name: string; count: number }[]> {
  for (let tries = 0; ; tries++) {
    const left = await direct.query<{ name: string; count: number }>(`
      SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND (application_name LIKE 'torture-w%' OR application_name IN ('duework leases', 'duework wake-ups')) GROUP BY 1`);
    if (left.length === 0 || tries === SESSION_TRIES) return left;
    await pause(LOOK_MS);
  }
}
