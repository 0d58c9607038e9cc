import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseError } from '../database-error.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { findErrorCause } from '../find-error-cause.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { readMissingRights } from '../roles/read-missing-rights.js';
import { isAboutLocks, LOCK_TIMEOUT_MS, PAUSE_MS } from './apply-migration.js';
import { explainDenied } from './explain-denied.js';
import { openMigrationClient } from './open-migration-client.js';
import { withMigrationLock } from './with-migration-lock.js';

export interface RepairOptions {
  readonly url: string | undefined;
  /** Run in one transaction. */
  readonly statements: readonly string[];
  /** Run after that, each on its own. */
  readonly apart: readonly string[];
  readonly onProgress?: (message: string) => void;
}

const TRIES = 60;

/**
 * Runs the statements of a repair under the migrators' lock, and gives the roles of `duework roles` the rights that they lack
 * then. What waits for a lock for a quarter of a second lets all go and tries again, for a minute.
 *
 * @throws DatabaseError `database_repair_failed`, which names the statement; any error of the connection
 */
export async function repairSchema({ url, statements, apart, onProgress = () => {} }: RepairOptions): Promise<void> {
  try {
    const client = await openMigrationClient(parseDatabaseUrl(url));
    try {
      await withMigrationLock(
        client,
        async () => {
          await runTogether(client, statements);
          await client.query('SET lock_timeout = 0; SET statement_timeout = 0');
          for (const statement of apart) {
            onProgress(`${firstLine(statement)} …`);
            await run(client, statement, 'What came before it is done.');
          }
        },
        onProgress,
      );
    } catch (error) {
      throw await explainDenied(client, error, 'duework');
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
}

/** The statements that give the rights that are missing: printed with those of a repair. Throws DatabaseError. */
export async function readRightsToRepair({ url }: { readonly url: string | undefined }): Promise<readonly string[]> {
  try {
    const client = await openMigrationClient(parseDatabaseUrl(url));
    try {
      return await readMissingRights(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
}

async function runTogether(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = 0`);
      // a function may name what a later statement makes
      await client.query('SET LOCAL check_function_bodies = off');
      for (const statement of statements) await run(client, statement, 'Nothing was changed.');
      for (const right of await readMissingRights(client)) await run(client, right, 'Nothing was changed.');
      return void (await client.query('COMMIT'));
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (!isAboutLocks((error as DatabaseError).cause) || tries === TRIES) throw error;
      await delay(PAUSE_MS);
    }
}

async function run(client: pg.Client, statement: string, state: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const { code, message } = findErrorCause(error);
    if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|42501)/.test(code)) throw error;
    const { hint } = error as { hint?: string };
    throw new DatabaseError('database_repair_failed', {
      problem: `PostgreSQL refused ${JSON.stringify(firstLine(statement))}: ${message} (${code}). ${state}`,
      fix: hint ?? 'Correct the cause, then run again: npx duework migrate --repair --apply',
      cause: error,
    });
  }
}

const firstLine = (statement: string): string => {
  const [line = ''] = statement.split('\n');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};
