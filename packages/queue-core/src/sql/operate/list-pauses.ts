import type { Pause } from '../../ports/operator.js';
import { activePauses } from '../claim/active-pauses.js';
import { toPause, pauseAsJson } from './pause-row.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** The pauses that hold, by kind and name. */
export async function listPauses(db: Queryable): Promise<Pause[]> {
  const rows = await queryRows<{ pause: string }>(
    db,
    sql`
    SELECT ${pauseAsJson}::text AS pause FROM ${activePauses} AS p ORDER BY kind, name
  `,
  );
  return rows.map(({ pause }) => toPause(pause));
}
