import type { Migration } from './migration.js';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The statement by which a migration records itself. Its key refuses the same migration a second time. */
export const recordingStatement = ({ name, checksum }: Migration, schema: string): string =>
  `INSERT INTO ${schema}.migrations (name, checksum) VALUES (${quote(name)}, ${quote(checksum)});`;

/**
 * The SQL of a migration with the statement that records it at its end: whoever runs it, Duework's runner, another tool
 * or a person, leaves the same record. The statement is in no file, because it holds the file's checksum.
 */
export const recordedSql = (migration: Migration, schema: string): string =>
  `${migration.sql.trimEnd()}\n\n${recordingStatement(migration, schema)}\n`;

/**
 * One statement that runs the SQL of a migration where it is not recorded: again, after a tool has forgotten that it ran it
 * (`prisma migrate reset` leaves the schema), or where another tool did, it does nothing.
 */
export const runOnce = (name: string, sql: string): string => `DO $duework$
BEGIN
  IF to_regclass('duework.migrations') IS NOT NULL THEN
    IF EXISTS (SELECT FROM duework.migrations WHERE name = ${quote(name)}) THEN RETURN; END IF;
  END IF;
  EXECUTE $migration$
${sql}
$migration$;
END
$duework$;
`;

/** The names of the migrations that record themselves in this text. */
export const findRecorded = (text: string, schema: string): readonly string[] =>
  [
    ...text.matchAll(new RegExp(`INSERT INTO ${schema}\\.migrations \\(name, checksum\\) VALUES \\('([^']+)'`, 'g')),
  ].map(([, name]) => name ?? '');
