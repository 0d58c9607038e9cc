/**
 * Writes the migrations into a module, src/migrate/generated/migrations.ts, so that they are there wherever the code is:
 * in a bundle, and in a folder that was deployed without the source tree. Compressed, because each package that migrates
 * has them twice, for ESM and for CommonJS.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const target = fileURLToPath(new URL('../src/migrate/generated', import.meta.url));

const migrations = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
  .map((name) => {
    // git may write the ends of lines as it likes
    const sql = readFileSync(join(source, name, 'migration.sql'), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql };
  });

const packed = brotliCompressSync(JSON.stringify(migrations)).toString('base64');

mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, 'migrations.ts'),
  `// Generated from prisma/migrations by scripts/inline-migrations.mjs.
import type { Migration } from '../migration.js';
import { unpackMigrations } from '../unpack-migrations.js';

export const migrations: readonly Migration[] = /* @__PURE__ */ unpackMigrations('${packed}');
`,
);
