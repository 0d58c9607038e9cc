import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const readLines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/**
 * Everything that is known, put on one clock (milliseconds of the monotonic one): what each process wrote down, the ledger of
 * effects, what the witness saw, and what stands in the tables at the end.
 *
 * @param {{ dir: string, direct: object, clock: { offsetMs: number } }} place - `offsetMs`: from that clock to the date
 */
export async function collectEvidence({ dir, direct, clock }) {
  const events = [];
  for (const file of readdirSync(dir)) {
    if (!file.startsWith('history-')) continue;
    const by = file.slice('history-'.length, -'.jsonl'.length);
    for (const event of readLines(join(dir, file))) events.push({ by, ...event });
  }
  events.sort((a, b) => a.at - b.at);
  const at = (column) => `extract(epoch FROM ${column})::float8 * 1000 - ${clock.offsetMs}`;
  return {
    events,
    effects: readLines(join(dir, 'effects.jsonl')),
    changes: await direct.query(`
      SELECT seq::float8, ${at('at')} AS at, tx, run_id::text AS run, place, old_status AS "from", new_status AS "to",
        old_fence::float8 AS "oldFence", new_fence::float8 AS "newFence", old_worker AS "oldWorker", new_worker AS "newWorker", attempts
      FROM torture.changes ORDER BY seq`),
    jobs: await direct.query(`
      SELECT id::text AS run, job_type AS type, status, (payload->>'n')::int AS n, payload->>'schedule' AS schedule, idempotency_key AS key, fence::float8, attempts, error_code AS code
      FROM duework.jobs`),
    orders: await direct.query('SELECT n FROM torture.orders'),
    payments: await direct.query('SELECT n, run_id::text AS run FROM torture.payments'),
    slots: await direct.query(`
      SELECT s.key, s.every_ms::float8 AS "everyMs", extract(epoch FROM l.slot_at)::float8 * 1000 AS "slotMs", l.outcome, l.reason, l.run_id::text AS run, extract(epoch FROM s.next_slot_at)::float8 * 1000 AS "nextMs"
      FROM duework.schedule_slots AS l JOIN duework.schedules AS s ON s.id = l.schedule_id ORDER BY 1, 3`),
    leases: await direct.query(
      `SELECT id::text AS run, locked_by AS worker FROM duework.job_runs WHERE status = 'running'`,
    ),
  };
}
