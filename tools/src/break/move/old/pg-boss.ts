import type { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { DAY_MS, portions, type OldPlace, type Standing } from './old-place.js';

/** pg-boss in a database; `pool` is one of it. */
export const pgBoss = (url: string, pool: Pool): OldPlace => ({
  name: 'pg-boss',
  url,
  async seed(jobs) {
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue('send-mail', { retryLimit: 4, retryDelay: DAY_MS / 1_000 });
    for (const some of portions(jobs, 5_000)) {
      const startAfter = new Date(Date.now() + DAY_MS);
      await boss.insert(
        'send-mail',
        some.map((data) => (data.state === 'later' ? { data, startAfter } : { data })),
      );
    }
    await boss.stop({ graceful: false });
    await pool.query(`
      UPDATE pgboss.job SET started_on = now(), output = '{"name":"Error","message":"no"}',
        state = (data ->> 'state')::pgboss.job_state,
        retry_count = CASE data ->> 'state' WHEN 'retry' THEN 1 ELSE 4 END,
        start_after = CASE data ->> 'state' WHEN 'retry' THEN now() + interval '1 day' ELSE start_after END,
        completed_on = CASE data ->> 'state' WHEN 'failed' THEN now() END
      WHERE data ->> 'state' IN ('retry', 'failed')`);
  },
  async read() {
    const { rows } = await pool.query<Standing>(`
      SELECT (data ->> 'n')::integer AS n,
        CASE state WHEN 'active' THEN 'running' WHEN 'failed' THEN 'failed' ELSE 'waiting' END AS is,
        extract(epoch FROM CASE state WHEN 'failed' THEN completed_on ELSE start_after END)::float8 * 1000 AS "atMs"
      FROM pgboss.job WHERE state <> 'completed'`);
    return rows;
  },
});
