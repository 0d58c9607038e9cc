#!/usr/bin/env node
/** `npm create duework my-app`. Exit codes: 0 written; 1 refused, with one line. */
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarget } from './check-target.js';
import { copyTemplate } from './copy-template.js';
import { toScope } from './to-scope.js';

const HELP = `Usage: npm create duework <folder>

Writes a monorepo (Turborepo, pnpm): apps/api enqueues in the transaction of its own write, apps/worker runs the jobs,
packages/jobs is the contracts that both share, packages/db is Prisma 7. It needs neither Docker nor a PostgreSQL.
`;

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  if (values.help === true || positionals.length !== 1) {
    process.stdout.write(HELP);
    process.exitCode = values.help === true ? 0 : 1;
  } else {
    const dir = resolve(positionals[0]!);
    checkTarget(dir);
    const template = fileURLToPath(new URL('../template', import.meta.url));
    const paths = copyTemplate(template, dir, { scope: toScope(basename(dir)), release: readRelease() });
    const folder = relative(process.cwd(), dir) || '.';
    process.stdout.write(`${paths.length} files are in ${folder}. Next:

  cd ${folder}
  pnpm install
  pnpm start     PostgreSQL, the worker, the API on http://127.0.0.1:3000 and the queue's console at /console
  pnpm test
`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function readRelease(): string {
  const about = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return about.version;
}
