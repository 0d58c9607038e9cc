import type { PgClient } from '@duework/database';
import { runText } from '../../../kit/run-text.js';
import { AUDIT_ENTRIES, DAYS, TYPES, WORKERS } from './shape.js';

/** A schema as a contract of twenty fields has it. */
const SCHEMA = `jsonb_build_object('type', 'object', 'properties',
  (SELECT jsonb_object_agg('field_' || f, jsonb_build_object('type', 'string', 'maxLength', 200, 'description', 'The field ' || f || ' of it')) FROM generate_series(1, 20) AS f))`;

/** Writes workers, of which none runs the last five types, contracts of three versions each, and who did what. */
export async function fillRest(db: PgClient): Promise<void> {
  await runText(
    db,
    `INSERT INTO duework.worker_contracts (worker, queues, contracts, host, pid, code_version, slots, running, buffered, loop_delay_ms)
    SELECT 'worker-' || w, ARRAY(SELECT 'queue_' || q FROM generate_series(0, 7) AS q),
      (SELECT jsonb_object_agg('type_' || t, '[1, 3]'::jsonb) FROM generate_series(0, ${TYPES - 6}) AS t), 'node-' || w, 100 + w, 'v1.2.' || w % 3, 20, 20, 0, 3.5
    FROM generate_series(0, ${WORKERS - 1}) AS w`,
  );
  await runText(
    db,
    `INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts, host, pid, code_version)
    SELECT 'past-' || w, now() - w * interval '8 hours', now() - w * interval '7 hours', ARRAY(SELECT 'queue_' || q FROM generate_series(0, 7) AS q),
      (SELECT jsonb_object_agg('type_' || t, '[1, 3]'::jsonb) FROM generate_series(0, ${TYPES - 1}) AS t), 'node-1', w, 'v1.1.0'
    FROM generate_series(1, 60) AS w`,
  );
  await runText(
    db,
    `INSERT INTO duework.job_contracts (type, version, payload_schema, checksum)
    SELECT 'type_' || t, v, ${SCHEMA}, encode(sha256((t || ' ' || v)::bytea), 'hex') FROM generate_series(0, ${TYPES - 1}) AS t CROSS JOIN generate_series(1, 3) AS v`,
  );
  await runText(
    db,
    `INSERT INTO duework.job_definitions (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema, oldest_version)
    SELECT 'type_' || t, 3, 'queue_' || t % 8, 5, 10, 60000, 30000, '{"kind": "exponential", "baseMs": 10000, "factor": 2, "capMs": 21600000}', ${SCHEMA}, 1
    FROM generate_series(0, ${TYPES - 1}) AS t`,
  );
  await runText(
    db,
    `INSERT INTO duework.audit_entries (at, by, via, from_address, verb, kind, target, before, after, reason)
    SELECT now() - (${AUDIT_ENTRIES} - n) * interval '${DAYS} days' / ${AUDIT_ENTRIES}, 'key:person-' || n % 20, 'api', '10.0.0.' || n % 250,
      (ARRAY['retry', 'cancel', 'acknowledge', 'pause'])[1 + n % 4], CASE WHEN n % 4 = 3 THEN 'queue' ELSE 'job' END,
      CASE WHEN n % 4 = 3 THEN 'queue_' || n % 8 ELSE n::text END, '{"status": "dead"}', '{"status": "queued"}', 'the provider is back'
    FROM generate_series(1, ${AUDIT_ENTRIES}) AS n`,
  );
  await runText(
    db,
    `INSERT INTO duework.bulk_actions (verb, filter, job_type, options, status, by, via, total, total_is_at_least, done, stage, last_id, per_second, finished_at)
    SELECT 'retry', 'status:dead type:type_' || n, 'type_' || n, '{}', 'finished', 'key:person-1', 'api', 100, false, 100, 'dead', 1, 5000, now()
    FROM generate_series(1, 49) AS n`,
  );
}
