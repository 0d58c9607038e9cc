import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from './migration.js';

/** What scripts/inline-migrations.mjs has packed. */
export const unpackMigrations = (packed: string): readonly Migration[] =>
  JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8')) as Migration[];
