/** `npm run dump:schema` writes prisma/schema.sql from a freshly migrated database; `npm run check:schema` compares. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateShop } from '@duework/shop/migrate';
import { root } from '../../bootstrap/paths.mjs';
import { createProgram } from '../kit/create-program.js';
import { runProgram } from '../kit/run-program.js';
import { withFreshDatabase } from '../kit/with-fresh-database.js';
import { describeDifference } from './describe-difference.js';
import { dumpDatabase } from './dump-database.js';

const NAME = 'prisma/schema.sql';

const program = createProgram('dump:schema', `Writes ${NAME} from a freshly migrated database.`).option(
  '--check',
  'write nothing, and fail when it differs',
);

await runProgram(program, async () => {
  const file = join(root, NAME);
  const expected = await withFreshDatabase(async (url) => {
    await migrateShop({ url });
    return dumpDatabase(url);
  });
  if (program.opts<{ check?: boolean }>().check !== true) {
    writeFileSync(file, expected);
    process.stdout.write(`${NAME} written.\n`);
    return 0;
  }
  const actual = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (actual === expected) {
    process.stdout.write(`${NAME} is what the migrations make.\n`);
    return 0;
  }
  process.stderr.write(
    `${describeDifference(file, actual, expected)}\n${NAME} is not what the migrations make. Run: npm run dump:schema\n`,
  );
  return 1;
});
