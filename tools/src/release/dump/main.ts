/**
 * `npm run release -- dump 0.2.0` writes packages/database/releases/0.2.0.sql: the migrations of that release, and a few
 * rows of each kind as it writes them. From then on a test upgrades it to whatever the schema has become. Run it when a
 * version is released, from its own tree, and never again for that version.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printMigrations } from '@duework/database/migrate';
import { root } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { DUMPS } from '../dry/read-dumps.js';
import { dumpRows } from './dump-rows.js';
import { fillDatabase } from './fill-database.js';

const program = createProgram('release dump', 'Writes what a release has in the database, for the test of upgrades.')
  .argument('<version>', 'the version that is released: 0.2.0')
  .option('--force', 'write it anew, as long as that version is not released yet');

await runProgram(program, async () => {
  const version = program.args[0] ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new PlainError(`${JSON.stringify(version)} is no version such as 0.2.0.`);
  const name = `${DUMPS}/${version}.sql`;
  const file = join(root, name);
  if (existsSync(file) && program.opts<{ force?: boolean }>().force !== true)
    throw new PlainError(`${name} is there: what was released does not change. Before the release: --force`);
  await withFreshDatabase((url) =>
    fillDatabase(url, async () => {
      // stacks name the folder of whoever writes the dump
      const rows = (await dumpRows(url)).replaceAll(root, '/app');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        `-- Duework ${version} as it was released. Generated: npm run release -- dump ${version}\n\n${printMigrations()[0]?.text ?? ''}\n-- its rows\n${rows}\n`,
      );
    }),
  );
  process.stdout.write(`${name} written.\n`);
  return 0;
});
