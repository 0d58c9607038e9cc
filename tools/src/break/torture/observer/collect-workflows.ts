import type { DirectSession } from '../servers/open-direct.js';
import type { FinalBatch, Payment, StepChange, Workflows } from './evidence.js';

/** What the witness and the tables know of workflows and batches. */
export async function collectWorkflows(direct: DirectSession, sampleEvery: number): Promise<Workflows> {
  return {
    stepChanges: await direct.query<StepChange>(`
      SELECT run_id::text AS run, name, old_status AS "from", new_status AS "to", has_changed AS "hasChanged"
      FROM torture.steps ORDER BY seq`),
    bookings: await direct.query<{ run: string }>(
      `SELECT run_id::text AS run FROM torture.bookings WHERE run_id % ${sampleEvery} = 0`,
    ),
    returned: await direct.query<Payment & { run: string }>(`
      SELECT id::text AS run, (payload ->> 'n')::int AS n, (result ->> 'amount')::int AS amount
      FROM duework.job_history WHERE job_type = 'trip' AND status = 'succeeded'`),
    sent: await direct.query<Payment>('SELECT n, amount FROM torture.signals'),
    received: await direct.query<Payment>(`
      SELECT (result ->> 'n')::int AS n, (result ->> 'amount')::int AS amount
      FROM duework.job_steps WHERE awaits = 'signal' AND jsonb_typeof(result) = 'object'`),
    kept: await direct.query<Payment>(
      `SELECT (payload ->> 'n')::int AS n, (payload ->> 'amount')::int AS amount FROM duework.job_signals`,
    ),
    begun: await direct.query<{ id: string }>('SELECT id FROM torture.batches'),
    batches: await direct.query<FinalBatch>(`
      SELECT b.id, b.settled_at IS NOT NULL AS "isSettled",
        jsonb_build_object('jobs', b.jobs, 'succeeded', b.succeeded, 'dead', b.dead, 'cancelled', b.cancelled) AS told,
        m.found, m.died, ARRAY(
          SELECT t.payload ->> 'moment' FROM duework.jobs AS t WHERE t.job_type = 'told' AND t.payload ->> 'of' = b.id ORDER BY 1
        ) AS callbacks
      FROM duework.job_batches AS b, LATERAL (
        SELECT jsonb_build_object('jobs', count(*), 'succeeded', count(*) FILTER (WHERE h.status = 'succeeded'),
          'dead', count(*) FILTER (WHERE h.status = 'dead'), 'cancelled', count(*) FILTER (WHERE h.status = 'cancelled')) AS found,
          count(*) FILTER (WHERE h.status = 'dead' OR EXISTS (
            SELECT FROM torture.changes AS c WHERE c.run_id = j.run_id AND c.place = 'final' AND c.new_status = 'dead'
          ))::int AS died
        FROM duework.job_batch_jobs AS j LEFT JOIN duework.job_history AS h ON h.id = j.run_id
        WHERE j.batch_id = b.id
      ) AS m`),
  };
}
