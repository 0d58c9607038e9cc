import { queryRows, sql, toArray, type Queryable } from '@duework/sql';

/** Those of the objects that no job of this database needs. */
export async function findUnneeded(db: Queryable, keys: readonly string[]): Promise<readonly string[]> {
  const [row] = await queryRows<{ keys: string[] | null }>(
    db,
    sql`
    SELECT array_agg(k.key) AS keys FROM unnest(${toArray(keys)}::text::text[]) AS k (key)
    WHERE NOT EXISTS (SELECT FROM duework.job_objects AS o WHERE o.object_key = k.key)
  `,
  );
  return row!.keys ?? [];
}
