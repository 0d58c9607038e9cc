import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from './processes/open-history.mjs';
import { END_EVERY_MS, endBackend } from './faults/end-backends.mjs';

const HANDLER_MS = 20;
const WINDOW_MS = 6_000;
const PAIRS = 4;
/** So long after a restart is looked, a second at a time. */
const AFTER_S = 20;
const WARM_MS = 3_000;
const JOBS = 400_000;

/**
 * What faults cost a product whose slots are all busy: how many jobs end with backends terminated twice a second against
 * without, in turns, and how soon after a restart of the database as many end as before.
 *
 * @returns {Promise<{ terminated: number, restart: { mode: string, share: number[] }[] }>} shares of the calm rate; of a restart
 * for each second after the database was back
 */
export async function measureLoad({ postgres, direct }) {
  await direct.query('DROP SCHEMA torture CASCADE');
  await direct.query(`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'plain', 1, 5, now(), jsonb_build_object('n', -n, 'ms', ${HANDLER_MS}), 30 FROM generate_series(1, ${JOBS}) AS n`);
  await direct.query('ANALYZE duework.job_runs');
  await pause(WARM_MS);
  const count = async () => Number((await direct.query('SELECT count(*) AS count FROM duework.job_history'))[0].count);
  const rateOf = async (act) => {
    const [before, beginMs] = [await count(), nowMs()];
    await act();
    return ((await count()) - before) / (nowMs() - beginMs);
  };

  const [calm, terminated] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    calm.push(await rateOf(() => pause(WINDOW_MS)));
    terminated.push(
      await rateOf(async () => {
        for (let ms = 0; ms < WINDOW_MS; ms += END_EVERY_MS) {
          await endBackend(direct);
          await pause(END_EVERY_MS);
        }
      }),
    );
  }
  const restart = [];
  for (const mode of ['fast', 'immediate']) {
    const usual = await rateOf(() => pause(WINDOW_MS));
    await postgres.restart(mode, 0);
    const share = [];
    for (let second = 0; second < AFTER_S; second++) share.push(round((await rateOf(() => pause(1_000))) / usual));
    restart.push({ mode, share });
  }
  // nobody wants to wait for the rest
  await direct.query(`DELETE FROM duework.job_runs WHERE status = 'queued'`);
  return { terminated: round(median(terminated) / median(calm)), restart };
}

const round = (share) => Math.round(share * 1_000) / 1_000;
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
