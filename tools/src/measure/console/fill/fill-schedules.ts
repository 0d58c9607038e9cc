import type { PgClient } from '@duework/database';
import { runText } from '../../../kit/run-text.js';
import { DAYS, PAYLOAD, QUEUE, SCHEDULES, TYPE } from './shape.js';

/** Of 200 schedules 10 come every five minutes, 50 every hour and 140 every day. */
const EVERY = `CASE WHEN n % 20 = 0 THEN interval '5 minutes' WHEN n % 4 = 1 THEN interval '1 hour' ELSE interval '1 day' END`;
const CRON = `CASE WHEN n % 20 = 0 THEN '*/5 * * * *' WHEN n % 4 = 1 THEN '0 * * * *' ELSE '0 0 * * *' END`;
/** Where the ids of their runs begin within a day. */
const FIRST = 70_000_000_000;

/** Writes schedules, and a ledger of 90 days of which each line has a run that has succeeded. */
export async function fillSchedules(db: PgClient): Promise<void> {
  await runText(
    db,
    `INSERT INTO duework.schedules (key, job_type, job_version, payload, cron, time_zone, missed, missed_tolerance_ms, missed_limit, missed_max_age_ms,
      overlap, overlap_limit, splay_ms, splay_offset_ms, source, next_slot_at, tick_at)
    SELECT 'schedule:' || lpad(n::text, 4, '0'), ${TYPE}, 1, ${PAYLOAD}, ${CRON}, 'UTC', 'latest', 60000, 10, 86400000, 'skip', 1, 0, 0, 'api',
      now() + interval '1 hour', now() + interval '1 hour'
    FROM generate_series(1, ${SCHEDULES}) AS n`,
  );
  await runText(
    db,
    `INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, run_id, due_at, decided_at, late_ms)
    SELECT s.id, at, s.key, s.job_type, 'fired', duework.first_id_of((at AT TIME ZONE 'UTC')::date) + ${FIRST} + s.id * 1000 + extract(epoch FROM at)::bigint % 86400 / 300, at, at, 200
    FROM (SELECT id, key, job_type, substr(key, 10)::integer AS n FROM duework.schedules) AS s
    CROSS JOIN LATERAL generate_series(date_trunc('day', now()) - interval '${DAYS} days', now(), ${EVERY}) AS at`,
  );
  await runText(
    db,
    `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker, claimed_at,
      created_at, finished_at, is_newest)
    SELECT l.run_id, ${QUEUE}, l.job_type, 1, 'succeeded', 5, l.slot_at, ${PAYLOAD}, 'slot:' || l.run_id, 1, 10, 1, 'worker-1', l.slot_at, l.slot_at, l.slot_at, false
    FROM (SELECT *, substr(schedule_key, 10)::integer AS n FROM duework.schedule_slots) AS l`,
  );
}
