import { isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/** Later than any moment at which graphile-worker would fire: it fires no due time that is not behind its last one. */
const NEVER = '9999-12-31T00:00:00Z';

/**
 * Ends what graphile-worker fires by itself under an identifier, in every worker that has it in its crontab. Answers with the
 * moment before which, and at which, it has fired; null: somebody has ended it before.
 */
export async function endCrontab(tx: Queryable, schema: Sql, identifier: string): Promise<Date | null> {
  await queryRows(
    tx,
    sql`
    INSERT INTO ${schema}._private_known_crontabs (identifier, known_since) VALUES (${identifier}::text, now())
    ON CONFLICT DO NOTHING`,
  );
  const [row] = await queryRows<{ fired: string }>(
    tx,
    sql`
    WITH was AS MATERIALIZED (
      SELECT c.identifier, coalesce(c.last_execution, c.known_since) AS fired FROM ${schema}._private_known_crontabs AS c
      WHERE c.identifier = ${identifier}::text AND c.last_execution IS DISTINCT FROM ${NEVER}::text::timestamptz FOR UPDATE
    ),
    ended AS (
      UPDATE ${schema}._private_known_crontabs AS c SET last_execution = ${NEVER}::text::timestamptz
      FROM was WHERE c.identifier = was.identifier
    )
    SELECT ${isoText(sql`was.fired`)} AS fired FROM was`,
  );
  return row === undefined ? null : new Date(row.fired);
}

/** Those that were ended so. */
export const listEndedCrontabs = (db: Queryable, schema: Sql): Promise<{ identifier: string }[]> =>
  queryRows(
    db,
    sql`
    SELECT c.identifier FROM ${schema}._private_known_crontabs AS c WHERE c.last_execution = ${NEVER}::text::timestamptz
    ORDER BY 1`,
  );

/** Lets it fire again what is due behind a moment. */
export async function resumeCrontab(tx: Queryable, schema: Sql, identifier: string, fired: Date): Promise<void> {
  await queryRows(
    tx,
    sql`
    UPDATE ${schema}._private_known_crontabs AS c SET last_execution = ${fired.toISOString()}::text::timestamptz
    WHERE c.identifier = ${identifier}::text`,
  );
}
