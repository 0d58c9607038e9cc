/**
 * `npm run write -- access`: the table of docs/look-up/access.md, by asking an API for every route with every scope; `npm run check -- access`
 * compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAccess, tryAccess } from '@duework/http/testing/access';
import { Pool } from 'pg';
import { root } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { formatText } from '../format-text.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';

const NAME = 'docs/look-up/access.md';
const TABLE = /(?<=<!-- access -->\n)[^]*(?=<!-- \/access -->)/;

const program = createProgram(
  'write access',
  `Asks an API on a PostgreSQL of its own for every route of its document, with each scope and for types of job, and writes what came of it into ${NAME}. Exit code 1: with --check, the file says something else, or a route is not said how to be asked.`,
).option('--check', 'compares instead of writing');

await runProgram(program, () =>
  withFreshDatabase(async (connectionString) => {
    const db = new Pool({ connectionString, max: 4 });
    const table = renderAccess(await tryAccess(db)).replaceAll('$', '$$$$');
    await db.end();
    const file = join(root, NAME);
    const before = readFileSync(file, 'utf8');
    const text = await formatText(file, before.replace(TABLE, `\n${table}\n`));
    if (program.opts<{ check?: true }>().check !== true) {
      writeFileSync(file, text);
      process.stdout.write(`${NAME} is written.\n`);
      return 0;
    }
    if (before === text) return 0;
    process.stderr.write(`${NAME} is not what the API answers: npm run write -- access\n`);
    return 1;
  }),
);
