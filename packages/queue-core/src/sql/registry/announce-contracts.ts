import type { WorkerContracts } from '../../ports/upkeep.js';
import { keepPastWorkers } from '../workers/keep-past-workers.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes what a worker can run, or that it still can, where it runs and how busy it is. Rows of workers that were seen for
 * the last time an hour ago go to those of the past: a worker behind a pooler that was killed is found gone by nobody.
 */
export async function announceContracts(db: Queryable, about: WorkerContracts): Promise<void> {
  const { worker, queues, contracts, place, load } = about;
  const versions = Object.fromEntries(
    Array.from(contracts.values(), ({ type, oldestVersion, version }) => [type, [oldestVersion, version]]),
  );
  const own = Array.from(contracts.values()).filter(
    ({ keepDays, keepDeadDays }) => (keepDays ?? keepDeadDays) !== null,
  );
  const keeps = Object.fromEntries(own.map(({ type, ...kept }) => [type, [kept.keepDays, kept.keepDeadDays]]));
  await queryRows(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.worker_contracts
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.worker_contracts WHERE seen_at < now() - interval '1 hour' AND worker <> ${worker}::text
        FOR UPDATE SKIP LOCKED
      ))
      RETURNING *
    ),
    kept AS (${keepPastWorkers})
    INSERT INTO duework.worker_contracts
      (worker, queues, contracts, keeps, host, pid, code_version, slots, running, buffered, loop_delay_ms, shut_by, declared_slots, needs)
    VALUES (${worker}::text, ${[...queues]}::text[], ${JSON.stringify(versions)}::text::jsonb,
      ${own.length === 0 ? null : JSON.stringify(keeps)}::text::jsonb, ${place?.host ?? null}::text,
      ${place?.pid ?? null}::integer, ${place?.codeVersion ?? null}::text, ${load?.slots ?? null}::integer,
      ${load?.running ?? null}::integer, ${load?.buffered ?? null}::integer, ${load?.loopDelayMs ?? null}::float8,
      ${load?.shutBy ?? null}::text, ${load?.declaredSlots ?? null}::integer, ${place?.needs ?? null}::text)
    ON CONFLICT (worker) DO UPDATE SET queues = excluded.queues, contracts = excluded.contracts,
      keeps = excluded.keeps, host = excluded.host,
      pid = excluded.pid, code_version = excluded.code_version, slots = excluded.slots, running = excluded.running,
      buffered = excluded.buffered, loop_delay_ms = excluded.loop_delay_ms, shut_by = excluded.shut_by,
      declared_slots = excluded.declared_slots, needs = excluded.needs, seen_at = now()
  `,
  );
}
