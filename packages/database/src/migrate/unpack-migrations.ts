import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from './migration.js';

/**
 * What scripts/inline-migrations.mjs has packed: three statements of the roles, then by turns a name, its SQL and its way
 * back, which is empty if it has none.
 */
const unpack = (packed: string): readonly string[] =>
  brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8').split('\0');

/** The checksums, which do not compress, are computed. */
export function unpackMigrations(packed: string): readonly Migration[] {
  const [, , , ...texts] = unpack(packed);
  return texts.flatMap((name, at) => {
    if (at % 3 !== 0) return [];
    const [sql, down] = [texts[at + 1]!, texts[at + 2]!];
    const checksum = createHash('sha256').update(sql).digest('hex');
    return [{ name, sql, checksum, ...(down === '' ? {} : { down }) }];
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
