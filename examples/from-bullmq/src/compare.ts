/**
 * Runs both applications with the same jobs, and shows what they have come to, side by side. Exit code 1: they differ.
 */
import { isDeepStrictEqual } from 'node:util';
import { operateNew } from './new-operate.js';
import { runNew } from './new.js';
import { operateOld } from './old-operate.js';
import { runOld } from './old.js';

const { BULLMQ_URL, DATABASE_URL } = process.env;
// without an address ioredis takes the Redis of this machine, which may be somebody's
if (!BULLMQ_URL || !DATABASE_URL)
  throw new Error('Set BULLMQ_URL, to an empty Redis, and DATABASE_URL: see README.md.');
const before = Object.entries({ ...(await runOld(BULLMQ_URL)), ...(await operateOld(BULLMQ_URL)) });
const after: Record<string, unknown> = { ...(await runNew(DATABASE_URL)), ...(await operateNew(DATABASE_URL)) };

let isSame = true;
for (const [name, old] of before) {
  const same = isDeepStrictEqual(old, after[name]);
  isSame &&= same;
  console.log(
    `${same ? '=' : '≠'} ${name.padEnd(18)} ${JSON.stringify(old).padEnd(40)} ${JSON.stringify(after[name])}`,
  );
}
process.exitCode = isSame ? 0 : 1;
