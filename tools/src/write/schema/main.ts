/**
 * `npm run write -- schema` writes what the migrations make, from a freshly migrated database; `npm run check -- schema`
 * compares.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateShop } from '@duework/shop/migrate';
import { below, root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { dumpDatabase } from './dump-database.js';

/** Enough lines to see what differs. */
const LINES_MAX = 120;

/**
 * A readable difference between a file and what it should be: `diff -u` where that is installed, else the first line
 * that differs.
 */
function describeDifference(file: string, actual: string, expected: string): string {
  const { stdout, error } = spawnSync(
    'diff',
    ['-u', '--label', below(file), '--label', 'the migrated database', file, '-'],
    { input: expected, encoding: 'utf8' },
  );
  if (error === undefined && stdout !== '') {
    const lines = stdout.trimEnd().split('\n');
    return lines.length > LINES_MAX
      ? `${lines.slice(0, LINES_MAX).join('\n')}\n… ${lines.length - LINES_MAX} more lines`
      : lines.join('\n');
  }
  const [have, want] = [actual.split('\n'), expected.split('\n')];
  const at = want.findIndex((line, index) => line !== have[index]);
  const line = at === -1 ? want.length : at;
  return `${below(file)}:${line + 1}\n- ${have[line] ?? '(end of file)'}\n+ ${want[line] ?? '(end of file)'}`;
}

const DUMP = 'prisma/schema.sql';

const program = createProgram('write schema', `Writes ${DUMP} from a freshly migrated database.`).option(
  '--check',
  'write nothing, and fail when it differs',
);

await runProgram(program, async () => {
  const dump = await withFreshDatabase(async (url) => {
    // the shop's tables are in no user's database; here a reader finds them, too
    await migrateShop({ url });
    return dumpDatabase(url);
  });
  return program.opts<{ check?: boolean }>().check === true ? check(DUMP, dump) : write(DUMP, dump);
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
