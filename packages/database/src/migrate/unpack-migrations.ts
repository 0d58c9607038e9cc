import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from './migration.js';

/** What scripts/inline-migrations.mjs has packed: three statements of the roles, then a name and its SQL by turns. */
const unpack = (packed: string): readonly string[] =>
  brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8').split('\0');

/** The checksums, which do not compress, are computed. */
export function unpackMigrations(packed: string): readonly Migration[] {
  const [, , , ...texts] = unpack(packed);
  return texts.flatMap((name, at) => {
    const sql = texts[at + 1]!;
    return at % 2 === 1 ? [] : [{ name, sql, checksum: createHash('sha256').update(sql).digest('hex') }];
  });
}

export function unpackRoles(packed: string): {
  readonly create: string;
  readonly wanted: string;
  readonly grant: string;
} {
  const [create, wanted, grant] = unpack(packed) as [string, string, string];
  return { create, wanted, grant: grant.replace('{wanted-rights}', () => wanted) };
}
