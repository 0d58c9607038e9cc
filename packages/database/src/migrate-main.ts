/**
 * Migrates the database of DATABASE_URL: `node dist/migrate-main.js [--dry-run]`. It needs nothing but this package, so
 * a deployed folder can run it.
 */
import { inspect } from 'node:util';
import { readEnv } from './env.js';
import { migrateDatabase } from './migrate/migrate-database.js';
import { parseDatabaseUrl } from './parse-database-url.js';

const env = readEnv();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const unknown = process.argv.slice(2).filter((argument) => argument !== '--dry-run');
  if (unknown.length > 0) throw new Error(`Unknown option ${unknown[0] ?? ''}. There is one: --dry-run`);
  const { label } = parseDatabaseUrl(env.databaseUrl);
  const { appliedMigrationNames, alreadyAppliedCount, pendingMigrationNames } = await migrateDatabase({
    url: env.databaseUrl,
    dryRun: process.argv.includes('--dry-run'),
    onProgress: say,
  });
  const done = appliedMigrationNames.length;
  if (pendingMigrationNames.length > 0) say(`${label} lacks ${pendingMigrationNames.join(', ')}; nothing was changed.`);
  else
    say(
      done === 0
        ? `${label} is up to date (${alreadyAppliedCount} migrations).`
        : `${label}: applied ${done}, up to date.`,
    );
} catch (error) {
  process.stderr.write(`${env.isDebug ? inspect(error) : error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
