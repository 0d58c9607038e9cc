import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from './migration.js';

/** What scripts/inline-migrations.mjs has packed. */
interface Packed {
  readonly migrations: readonly Pick<Migration, 'name' | 'sql'>[];
  readonly roles: { readonly create: string; readonly wanted: string; readonly grant: string };
}

const unpack = (packed: string): Packed =>
  JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')) as Packed;

/** The checksums, which do not compress, are computed. */
export function unpackMigrations(packed: string): readonly Migration[] {
  return unpack(packed).migrations.map(({ name, sql }) => ({
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }));
}

export const unpackRoles = (packed: string): Packed['roles'] => unpack(packed).roles;
