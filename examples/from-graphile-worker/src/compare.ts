/**
 * Runs both applications with the same jobs, and shows what they have come to, side by side. Exit code 1: they differ.
 */
import { isDeepStrictEqual } from 'node:util';
import { runNew } from './new.js';
import { runOld } from './old.js';

const { DATABASE_URL } = process.env;
if (!DATABASE_URL) throw new Error('Set DATABASE_URL: see README.md.');
const before = Object.entries(await runOld(DATABASE_URL));
const after: Record<string, unknown> = { ...(await runNew(DATABASE_URL)) };

let isSame = true;
for (const [name, old] of before) {
  const same = isDeepStrictEqual(old, after[name]);
  isSame &&= same;
  console.log(
    `${same ? '=' : '≠'} ${name.padEnd(14)} ${JSON.stringify(old).padEnd(40)} ${JSON.stringify(after[name])}`,
  );
}
process.exitCode = isSame ? 0 : 1;
