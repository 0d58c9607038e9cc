/**
 * Writes the migrations, and the SQL of the roles, into a module, src/migrate/generated/migrations.ts, so that they are there wherever the code is:
 * in a bundle, and in a folder that was deployed without the source tree. Compressed, because each package that migrates
 * has them twice, for ESM and for CommonJS. What a worker compares at its start is apart, in ledger.ts: to unpack all takes 7 ms.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
    const read = (file) => readFileSync(join(source, name, file), 'utf8').replaceAll('\r\n', '\n');
    return {
      name,
      sql: read('migration.sql'),
      down: existsSync(join(source, name, 'down.sql')) ? read('down.sql') : '',
    };
  });

const rolesDir = fileURLToPath(new URL('../src/roles/sql', import.meta.url));
const read = (name) => readFileSync(join(rolesDir, `${name}.sql`), 'utf8').replaceAll('\r\n', '\n');
const roles = ['create-roles', 'wanted-rights', 'grant-rights'].map(read);

// no SQL has a NUL
const packed = brotliCompressSync(
  [...roles, ...migrations.flatMap(({ name, sql, down }) => [name, sql, down])].join('\0'),
).toString('base64');

const shipped = migrations.map(({ name, sql }) => ({ name, checksum: createHash('sha256').update(sql).digest('hex') }));

// the dump of a release has the migrations that it had, see docs/internals/releasing.md
const dumps = fileURLToPath(new URL('../releases', import.meta.url));
const releases = (existsSync(dumps) ? readdirSync(dumps) : [])
  .filter((name) => name.endsWith('.sql'))
  .map((name) => {
    const recorded = readFileSync(join(dumps, name), 'utf8').matchAll(
      /INSERT INTO duework\.migrations \(name, checksum\) VALUES \('([^']+)'/g,
    );
    return { version: name.replace(/\.sql$/, ''), last: [...recorded].at(-1)[1] };
  })
  .sort((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }));

mkdirSync(target, { recursive: true });
writeFileSync(
  join(target, 'ledger.ts'),
  `// Generated from prisma/migrations by scripts/inline-migrations.mjs.
import type { Migration } from '../migration.js';

/** What the ledger of a database has when every migration is applied. */
export const shipped: readonly Pick<Migration, 'name' | 'checksum'>[] = ${JSON.stringify(shipped)};
/** The newest migration of each release, the oldest first; none before the first one. */
export const releases: readonly { readonly version: string; readonly last: string }[] = ${JSON.stringify(releases)};
`,
);
writeFileSync(
  join(target, 'migrations.ts'),
  `// Generated from prisma/migrations and src/roles/sql by scripts/inline-migrations.mjs.
import type { Migration } from '../migration.js';
import { unpackMigrations, unpackRoles } from '../unpack-migrations.js';

const packed = '${packed}';
export const migrations: readonly Migration[] = /* @__PURE__ */ unpackMigrations(packed);
/** Statements of src/roles/sql. */
export const rolesSql = (): ReturnType<typeof unpackRoles> => unpackRoles(packed);
`,
);
