/**
 * Applies one migration, in a transaction, so that one that fails leaves nothing behind.
 *
 * A statement that waits for a strong lock makes everybody wait who comes after it, claims included. So it waits for
 * a quarter of a second at the most; then the transaction lets everything go and tries again later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { describeFailure, describeLocked } from './describe-failure.js';
import { type Migration, runsOutsideTransaction } from './migration.js';
import { recordedSql } from './record-migration.js';
import { splitStatements } from './split-statements.js';

export interface ApplyOptions {
  readonly schema: string;
  readonly onProgress: (message: string) => void;
  /** How long a migration goes on trying to get its locks. */
  readonly lockWaitMs: number;
}

/** Claims stop for no longer than this while a migration waits. */
export const LOCK_TIMEOUT_MS = 250;
/** Work that has gathered meanwhile is done by then. */
export const PAUSE_MS = 1_000;

/** @throws DatabaseError `database_migration_failed`; any error of the connection, and of a missing right */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  { schema, onProgress, lockWaitMs }: ApplyOptions,
): Promise<void> {
  const giveUpAt = performance.now() + lockWaitMs;
  for (;;) {
    try {
      return await (runsOutsideTransaction(migration) ? runApart : runTogether)(client, migration, schema);
    } catch (error) {
      if (!isAboutLocks(error)) throw describeFailure(error, migration);
      const holders = await findLockHolders(client, schema);
      if (performance.now() > giveUpAt) throw describeLocked(error, migration, holders);
      onProgress(`${migration.name} waits for a lock that others hold${holders}; it tries again in a second …`);
      await delay(PAUSE_MS);
    }
  }
}

/** It did not get a lock in time, or PostgreSQL ended it to resolve a deadlock. */
export const isAboutLocks = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown }).code));

async function runTogether(client: pg.Client, migration: Migration, schema: string): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = 0`);
    await client.query(recordedSql(migration, schema));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Building an index CONCURRENTLY stops nobody, and waits for as long as it takes. */
async function runApart(client: pg.Client, migration: Migration, schema: string): Promise<void> {
  await client.query('SET lock_timeout = 0; SET statement_timeout = 0');
  for (const statement of splitStatements(recordedSql(migration, schema))) await client.query(statement);
}

/** ` (pid 123, psql, since 12:00:00)`, the oldest first, or nothing where they have gone. */
async function findLockHolders(client: pg.Client, schema: string): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT format('pid %s%s, since %s', a.pid, coalesce(', ' || nullif(a.application_name, ''), ''),
       coalesce(to_char(a.xact_start, 'HH24:MI:SS'), 'unknown')) AS holder
     FROM pg_stat_activity a
     WHERE a.pid <> pg_backend_pid() AND a.pid IN (
       SELECT l.pid FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE l.granted AND c.relnamespace = to_regnamespace($1)
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
     ORDER BY a.xact_start LIMIT 3`,
    [schema],
  );
  return rows.length === 0 ? '' : ` (${rows.map(({ holder }) => holder).join('; ')})`;
}
