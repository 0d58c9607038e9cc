import { queryRows, sql, type Queryable } from '@duework/sql';

/** Cancels the statement that begins with a mark, where it runs. */
export async function cancelRead(db: Queryable, mark: string): Promise<void> {
  await queryRows(
    db,
    sql`
    SELECT pg_cancel_backend(a.pid) FROM pg_stat_activity AS a
    WHERE a.state = 'active' AND a.pid <> pg_backend_pid() AND starts_with(a.query, ${mark}::text)
  `,
  );
}
