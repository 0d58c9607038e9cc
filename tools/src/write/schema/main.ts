/**
 * `npm run write -- schema` writes what depends on the migrations from a freshly migrated database; `npm run check -- schema`
 * compares.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateShop } from '@duework/shop/migrate';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { describeDifference } from './describe-difference.js';
import { dumpDatabase } from './dump-database.js';
import { renderExpectedSchema } from './render-expected-schema.js';

const DUMP = 'prisma/schema.sql';
const EXPECTED = 'packages/operate/src/doctor/expected-schema.ts';

const program = createProgram(
  'write schema',
  `Writes ${DUMP} and ${EXPECTED} from a freshly migrated database.`,
).option('--check', 'write nothing, and fail when one differs');

await runProgram(program, async () => {
  const files = await withFreshDatabase(async (url) => {
    // the shop's tables are in no user's database
    const expected = await renderExpectedSchema(url, join(root, EXPECTED));
    await migrateShop({ url });
    return { [DUMP]: await dumpDatabase(url), [EXPECTED]: expected };
  });
  const isCheck = program.opts<{ check?: boolean }>().check === true;
  const codes = Object.entries(files).map(([name, text]) => (isCheck ? check(name, text) : write(name, text)));
  return Math.max(...codes);
});

function write(name: string, text: string): number {
  writeFileSync(join(root, name), text);
  process.stdout.write(`${name} written.\n`);
  return 0;
}

function check(name: string, expected: string): number {
  const file = join(root, name);
  const actual = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (actual === expected) {
    process.stdout.write(`${name} is what the migrations make.\n`);
    return 0;
  }
  process.stderr.write(
    `${describeDifference(file, actual, expected)}\n${name} is not what the migrations make. Run: npm run write -- schema\n`,
  );
  return 1;
}
