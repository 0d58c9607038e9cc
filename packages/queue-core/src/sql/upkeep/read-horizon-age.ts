import { queryRows, sql, type Queryable } from '@duework/sql';

/** For how many seconds the oldest pin has kept dead rows from being removed; 0: there is no pin. */
export async function readHorizonAge(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ age: number }>(
    db,
    sql`SELECT coalesce(max(pinned_seconds), 0)::float8 AS age FROM duework.horizon_pins`,
  );
  return row!.age;
}
