import { sql, type Sql } from './sql.js';

/** A moment as ISO 8601 text in UTC, whatever the time zone of the session. */
export const isoText = (moment: Sql): Sql =>
  sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
