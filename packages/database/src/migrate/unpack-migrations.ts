import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from './migration.js';

/** What scripts/inline-migrations.mjs has packed; the checksums, which do not compress, are computed. */
export function unpackMigrations(packed: string): readonly Migration[] {
  const released = JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')) as Pick<
    Migration,
    'name' | 'sql'
  >[];
  return released.map(({ name, sql }) => ({ name, sql, checksum: createHash('sha256').update(sql).digest('hex') }));
}
