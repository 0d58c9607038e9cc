/**
 * Writes what `duework doctor` compares a live database with, src/doctor/generated/expected-schema.ts, out of the
 * migrations and of prisma/schema.sql, the dump of what they make: the build needs no database for it. A test holds it
 * against a database that was migrated.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readThings } from './read-things.mjs';

const prisma = fileURLToPath(new URL('../../../prisma', import.meta.url));
const target = fileURLToPath(new URL('../src/doctor/generated', import.meta.url));

// git may write the ends of lines as it likes
const read = (...path) => readFileSync(join(prisma, ...path), 'utf8').replaceAll('\r\n', '\n');

const migrations = readdirSync(join(prisma, 'migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
  .map((name) => ({
    name,
    checksum: createHash('sha256')
      .update(read('migrations', name, 'migration.sql'))
      .digest('hex'),
  }));

mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, 'expected-schema.ts'),
  `// Generated from prisma/schema.sql by scripts/expect-schema.mjs.
import type { SchemaThing } from '../sql/describe-schema.js';
import type { AppliedMigration } from '../sql/read-ledger.js';

export const expectedSchema: {
  readonly migrations: readonly AppliedMigration[];
  readonly things: readonly SchemaThing[];
} = ${JSON.stringify({ migrations, things: readThings(read('schema.sql')) }, null, 2)};
`,
);
