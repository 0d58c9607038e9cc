import { queryRows, sql, type Queryable } from '@duework/sql';

/** Writes the progress of a running run; false: this claim no longer owns it. */
export async function saveProgress(db: Queryable, id: string, fence: number, progressJson: string): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    UPDATE duework.job_runs SET progress = ${progressJson}::text::jsonb
    WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND status = 'running'
    RETURNING id::text AS id
  `,
  );
  return rows.length === 1;
}
