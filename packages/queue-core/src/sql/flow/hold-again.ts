import { passGates } from '../fragments.js';
import { sql, type Sql } from '@duework/sql';

/**
 * Where the waiting run `j` waits when its time becomes `runAt`: at its first gate, if that is later; what it was let in
 * to, it passes on. One that has begun keeps its order, where the order waits for it.
 */
export const heldUntil = (runAt: Sql): Sql => sql`CASE
          WHEN j.gates IS NULL OR ${runAt} <= now() THEN j.held_by
          WHEN j.attempts = 0 AND j.snoozed_at IS NULL AND j.releases IS NULL THEN j.gates[1]
          ELSE coalesce(j.held_by, duework.gate_to_retry(j.gates))
        END`;

/** These gates as a run of `queue` has them: tenants take turns within their queue. */
export const gatesIn = (gates: Sql, queue: Sql): Sql => sql`CASE WHEN ${gates} IS NOT NULL THEN ARRAY(
          SELECT ${gateIn(sql`g.gate`, queue)} FROM unnest(${gates}) WITH ORDINALITY AS g (gate, place) ORDER BY g.place
        ) END`;

/** One gate, as `gatesIn` has it. */
export const gateIn = (gate: Sql, queue: Sql): Sql =>
  sql`regexp_replace(${gate}, '^tenant/[^/]*', 'tenant/' || ${queue})`;

/**
 * A CTE `lined`, to be named in the SELECT: those of these rows (id, gates) that are held stand in line. Where none has
 * gates nothing is called, because the first call of a session reads a good part of the catalog.
 */
export const lineUp = (rows: Sql): Sql => sql`lined AS MATERIALIZED (
      SELECT coalesce((
        SELECT duework.line_up(array_agg(x.id))::text FROM ${rows} AS x WHERE x.gates IS NOT NULL HAVING count(*) > 0
      ), '') AS told
    )`;

/** That `lineUp` has been done, as a condition. */
export const areInLine: Sql = sql`(SELECT told FROM lined) IS NOT NULL`;

/**
 * CTEs `lined` and `passed`: the runs of `changed` (id, gates) that are held stand in line as they are now, and then the gates
 * of `left` (a table expression with `gates`), which their runs no longer hold, are passed on. Both are to be named in the SELECT.
 */
export const lineUpAnew = (changed: Sql, left: Sql): Sql => sql`${lineUp(changed)},
    leaving AS MATERIALIZED (SELECT x.gates FROM ${left} AS x WHERE ${areInLine}),
    ${passGates(null, sql`leaving`)}`;
