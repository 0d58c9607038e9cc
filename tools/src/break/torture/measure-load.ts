import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../kit/quantile.js';
import { END_EVERY_MS, endBackend } from './faults/database-faults.js';
import type { Load } from './observer/evidence.js';
import { nowMs } from './processes/open-history.js';
import type { DirectSession } from './servers/open-direct.js';
import type { TorturedPostgres } from './servers/start-postgres.js';

const HANDLER_MS = 20;
const WINDOW_MS = 6_000;
const PAIRS = 4;
/** For so long after a restart the rate is measured, a second at a time. */
const AFTER_S = 20;
const WARM_MS = 3_000;
const JOBS = 400_000;

/**
 * Measures what faults cost a product whose slots are all busy: how many jobs end with backends terminated twice a
 * second and without, in turns, and how soon after a restart of the database as many end as before.
 *
 * @returns shares of the rate without faults; for a restart one for each second after the database was back
 */
export async function measureLoad({
  postgres,
  direct,
}: {
  readonly postgres: TorturedPostgres;
  readonly direct: DirectSession;
}): Promise<Load> {
  await direct.query('DROP SCHEMA torture CASCADE');
  await direct.query(`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'plain', 1, 5, now(), jsonb_build_object('n', -n, 'ms', ${HANDLER_MS}), 30 FROM generate_series(1, ${JOBS}) AS n`);
  await direct.query('ANALYZE duework.job_runs');
  await pause(WARM_MS);
  const terminated = await compareTerminated(direct);
  const restart = [];
  for (const mode of ['fast', 'immediate'] as const) {
    const usual = await rateOf(direct, () => pause(WINDOW_MS));
    await postgres.restart(mode, 0);
    const share = [];
    for (let second = 0; second < AFTER_S; second++)
      share.push(round((await rateOf(direct, () => pause(1_000))) / usual));
    restart.push({ mode, share });
  }
  // the rest of the jobs is not waited for
  await direct.query(`DELETE FROM duework.job_runs WHERE status = 'queued'`);
  return { terminated, restart };
}

/** The rate with backends terminated, as a share of the rate without. */
async function compareTerminated(direct: DirectSession): Promise<number> {
  const [calm, terminated]: [number[], number[]] = [[], []];
  const endBackends = async (): Promise<void> => {
    for (let ms = 0; ms < WINDOW_MS; ms += END_EVERY_MS) {
      await endBackend(direct);
      await pause(END_EVERY_MS);
    }
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    calm.push(await rateOf(direct, () => pause(WINDOW_MS)));
    terminated.push(await rateOf(direct, endBackends));
  }
  return round(quantile(terminated, 0.5) / quantile(calm, 0.5));
}

/** How many jobs end per millisecond while `act` runs. */
async function rateOf(direct: DirectSession, act: () => Promise<unknown>): Promise<number> {
  const [before, beginMs] = [await countEnded(direct), nowMs()];
  await act();
  return ((await countEnded(direct)) - before) / (nowMs() - beginMs);
}

async function countEnded(direct: DirectSession): Promise<number> {
  const [row] = await direct.query<{ count: string }>('SELECT count(*) AS count FROM duework.job_history');
  return Number(row?.count);
}

const round = (share: number): number => Math.round(share * 1_000) / 1_000;
