import { queryRows, sql, type Queryable } from '@duework/sql';
import type { AlertSilence } from '../alert.js';

/** The silences that hold. */
export function findSilences(db: Queryable): Promise<AlertSilence[]> {
  return queryRows(
    db,
    sql`SELECT key, since, until, by, reason FROM duework.alert_silences WHERE until > now() ORDER BY key`,
  );
}
