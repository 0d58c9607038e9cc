import { makeWorkerUtils } from 'graphile-worker';
import type { Pool } from 'pg';
import { DAY_MS, portions, type OldPlace, type Standing } from './old-place.js';

/** graphile-worker in a database; `pool` is one of it. */
export const graphileWorker = (url: string, pool: Pool): OldPlace => ({
  name: 'graphile-worker',
  url,
  async seed(jobs) {
    const utils = await makeWorkerUtils({ pgPool: pool });
    await utils.migrate();
    for (const some of portions(jobs, 5_000)) {
      const runAt = new Date(Date.now() + DAY_MS);
      await utils.addJobs(
        some.map((payload) => ({
          identifier: 'send-mail',
          payload,
          maxAttempts: 5,
          ...(payload.state === 'due' || payload.state === 'failed' ? {} : { runAt }),
        })),
      );
    }
    await utils.release();
    await pool.query(`
      UPDATE graphile_worker._private_jobs SET last_error = 'no', updated_at = now(),
        attempts = CASE payload ->> 'state' WHEN 'retry' THEN 1 ELSE 5 END
      WHERE payload ->> 'state' IN ('retry', 'failed')`);
  },
  async read() {
    const { rows } = await pool.query<Standing>(`
      SELECT (payload ->> 'n')::integer AS n, CASE WHEN locked_at IS NOT NULL THEN 'running'
        WHEN attempts >= max_attempts THEN 'failed' ELSE 'waiting' END AS is,
        extract(epoch FROM CASE WHEN attempts >= max_attempts THEN updated_at ELSE run_at END)::float8 * 1000 AS "atMs"
      FROM graphile_worker._private_jobs`);
    return rows;
  },
});
