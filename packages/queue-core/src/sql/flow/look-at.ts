import { sql, type Sql } from '@duework/sql';

/**
 * A CTE `looked`: any worker looks at the keys of this SELECT at once. It locks nothing, and is made even where
 * nothing names it.
 */
export const lookAt = (keys: Sql): Sql => sql`looked AS (
      INSERT INTO duework.flow_looks (at, key) SELECT now(), k.key FROM (${keys}) AS k (key)
      RETURNING duework.notify('duework_wake', '')::text AS told
    )`;

/** The keys of orders among the gates of these rows: those alone are kept by runs that are dead. */
export const ordersOf = (
  rows: Sql,
): Sql => sql`SELECT DISTINCT g.gate FROM ${rows} AS x CROSS JOIN LATERAL unnest(x.gates) AS g (gate)
        WHERE g.gate LIKE 'order/%'`;
