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
      (worker, queues, contracts, host, pid, code_version, slots, running, buffered, loop_delay_ms, shut_by, declared_slots)
    VALUES (${worker}::text, ${[...queues]}::text[], ${JSON.stringify(versions)}::text::jsonb, ${place?.host ?? null}::text,
      ${place?.pid ?? null}::integer, ${place?.codeVersion ?? null}::text, ${load?.slots ?? null}::integer,
      ${load?.running ?? null}::integer, ${load?.buffered ?? null}::integer, ${load?.loopDelayMs ?? null}::float8,
      ${load?.shutBy ?? null}::text, ${load?.declaredSlots ?? null}::integer)
    ON CONFLICT (worker) DO UPDATE SET queues = excluded.queues, contracts = excluded.contracts, host = excluded.host,
      pid = excluded.pid, code_version = excluded.code_version, slots = excluded.slots, running = excluded.running,
      buffered = excluded.buffered, loop_delay_ms = excluded.loop_delay_ms, shut_by = excluded.shut_by,
      declared_slots = excluded.declared_slots, seen_at = now()
  `,
  );
}
