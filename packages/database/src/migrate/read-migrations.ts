import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from './migration.js';

/** The migrations of a folder, `<name>/migration.sql` each, in the order in which they are applied. */
export const readMigrations = (dir: string): readonly Migration[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      // git may write the ends of lines as it likes
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8').replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const back = join(dir, name, 'down.sql');
      return {
        name,
        sql,
        checksum,
        ...(existsSync(back) ? { down: readFileSync(back, 'utf8').replaceAll('\r\n', '\n') } : {}),
      };
    });
