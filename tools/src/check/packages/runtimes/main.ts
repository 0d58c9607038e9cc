/** `npm run check -- runtimes`: the packed packages on every line of Node, on Bun and on Deno. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../bootstrap/paths.mjs';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { createProgram, namesAmong } from '../../../kit/create-program.js';
import { openClient } from '../../../kit/open-client.js';
import { runProgram } from '../../../kit/run-program.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { makeConsumer } from '../make-consumer.js';
import { withPacked } from '../../../kit/run-packed.js';
import { proveRuntime } from './prove-runtime.js';
import { type ErrorCode, type Runtime, runtimes } from './runtimes.js';

const HEAD = ['', 'tried with', 'an error in a timer ends the job as', 'one in a promise that nobody awaits'];
const CODES: Readonly<Record<ErrorCode, string>> = {
  uncaught_error: '`uncaught_error`',
  process_failed: '`process_failed`',
};

/** The table of the documentation, as oxfmt writes it. */
function describeRuntimes(runtimes: readonly Runtime[]): string {
  const rows = runtimes.map(({ name, version, thrown }) => [
    titleOf(name),
    version,
    CODES[thrown.timer],
    CODES[thrown.promise],
  ]);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const pad = (row: readonly string[]): string => line(row.map((cell, at) => cell.padEnd(widths[at]!)));
  return [pad(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(pad)].join('\n');
}

function titleOf(name: string): string {
  const [word, line] = name.split('-');
  const title = word!.charAt(0).toUpperCase() + word!.slice(1);
  return line === undefined ? title : `${title} ${line}`;
}

const PAGE = 'docs/look-up/packages.md';

const SUMMARY = `Installs the packed packages into an empty folder, with ${runtimes.map(({ name }) => name).join(', ')} out of npm (260 MB
where npm has none of them), and uses them on each: the command, an enqueue in transactions of pg and of Prisma, a worker
with leases, isolated handlers, its stop and its faults. Compares the table of ${PAGE}, too. Exit code 1:
one of them does something else.`;

const program = createProgram('check runtimes', SUMMARY)
  .option('--only <names>', 'these runtimes', namesAmong(runtimes.map(({ name }) => name)))
  .option('--keep', 'leaves the folder, and says where it is');

await runProgram(program, async () => {
  const { only, keep } = program.opts<{ only?: string[]; keep?: true }>();
  const chosen = runtimes.filter(({ name }) => only?.includes(name) ?? true);
  checkPage();
  return withPacked({ isQuick: true, isKept: keep === true }, async (lab) => {
    const project = await makeConsumer(lab, 'runtimes', {
      files: 'runtimes',
      type: 'module',
      needs: ['@prisma/adapter-pg', '@prisma/client', 'pg', 'zod'],
      also: Object.fromEntries(chosen.map(({ name, source }) => [name, source])),
    });
    // a client that is generated, without the command that generates it
    cpSync(join(root, 'packages/database/dist/generated'), join(project, 'generated'), { recursive: true });
    const failed = await withFreshDatabase((url) => tryAll(chosen, project, url), { isMigrated: false });
    return failed === 0 ? 0 : 1;
  });
});

/** Two at a time, each with a database of its own; returns how many have failed. */
async function tryAll(chosen: readonly Runtime[], project: string, serverUrl: string): Promise<number> {
  const left = [...chosen];
  let failed = 0;
  const tryNext = async (): Promise<void> => {
    for (let runtime = left.shift(); runtime !== undefined; runtime = left.shift())
      failed += await tryRuntime(runtime, project, serverUrl);
  };
  await Promise.all([tryNext(), tryNext()]);
  return failed;
}

/** Prints what came of it in a line; returns how many have failed. */
async function tryRuntime(runtime: Runtime, project: string, serverUrl: string): Promise<0 | 1> {
  const begunMs = performance.now();
  const print = (how: string): void => {
    const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
    process.stdout.write(`${runtime.name.padEnd(8)} ${runtime.version.padEnd(8)} ${seconds.padStart(5)} s  ${how}\n`);
  };
  try {
    await proveRuntime(runtime, project, await createDatabase(serverUrl, runtime.name));
    print('enqueues, works, keeps leases, kills, stops');
    return 0;
  } catch (error) {
    print('FAILED');
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = await openClient(serverUrl);
  await client.query(`CREATE DATABASE "${name}"`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

function checkPage(): void {
  const table = describeRuntimes(runtimes);
  if (readFileSync(join(root, PAGE), 'utf8').includes(table)) return;
  throw new PlainError(`${PAGE} has another table of runtimes than this:\n\n${table}`);
}
