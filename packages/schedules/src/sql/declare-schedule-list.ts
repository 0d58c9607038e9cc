import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/**
 * Records that a program declares a list of schedules of this version, and returns the newest version that it ever
 * declared. Until the transaction ends, nobody else can declare one of that program.
 */
export async function declareScheduleList(db: Queryable, program: string, version: number): Promise<number> {
  const [row] = await queryRows<{ version: number }>(
    db,
    sql`
    INSERT INTO duework.schedule_lists AS l (program, version) VALUES (${program}::text, ${version}::integer)
    ON CONFLICT (program) DO UPDATE SET version = greatest(l.version, excluded.version)
    RETURNING version
  `,
  );
  return row!.version;
}

/** Which worker declares which list: `hash` is of what is in it. */
export interface Declaration {
  readonly worker: string;
  readonly program: string;
  readonly version: number;
  readonly hash: string;
}

/** Keeps what a worker declares, also where it changes nothing, and forgets workers that are gone. */
export async function recordDeclaration(db: Queryable, { worker, program, version, hash }: Declaration): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.schedule_declarations AS d
      WHERE d.declared_at < now() - interval '1 hour' AND d.worker <> ${worker}::text
        AND NOT EXISTS (SELECT FROM duework.worker_contracts AS w WHERE w.worker = d.worker)
    )
    INSERT INTO duework.schedule_declarations (worker, program, version, list_hash)
    VALUES (${worker}::text, ${program}::text, ${version}::integer, ${hash}::text)
    ON CONFLICT (worker) DO UPDATE SET program = excluded.program, version = excluded.version,
      list_hash = excluded.list_hash, declared_at = now()
  `,
  );
}
