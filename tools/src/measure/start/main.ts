/** `npm run measure -- start`: what a worker and the command line take before they do anything, beside others. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { root } from '../../../bootstrap/paths.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { packPackages } from '../../kit/pack-packages.js';
import type { Packed } from '../../kit/packed.js';
import { runCommand } from '../../kit/run-command.js';
import { runProgram } from '../../kit/run-program.js';
import { startPostgres } from '../../kit/servers/start-postgres.js';
import { quantile } from '../../kit/quantile.js';
import { queryOnce } from '../bench/systems/query-once.js';
import { SYSTEMS, type SystemName, timeWorker, type WorkerStart } from './time-worker.js';

const program = createProgram(
  'measure start',
  `Starts a worker of Duework, as it is packed here, of graphile-worker and of pg-boss, in turns, each with one job that waits:
how long until that begins, the processor time of the worker and of the server until then, and its memory after 8 s. Then
the command line, beside a bare node. Prints medians.`,
).option('--rounds <n>', 'starts of each', wholeNumber(1, 100), 5);

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'a bare node': ['-e', ''],
  'duework --help': ['--help'],
  'duework jobs': ['jobs'],
  'duework doctor': ['doctor'],
};
const FIGURES: Readonly<Record<keyof WorkerStart, string>> = {
  ms: 'until its first job, ms',
  processorMs: 'processor time until then, ms',
  serverMs: 'of the server, ms',
  memoryMb: 'memory after 8 s, MB',
};

/** A folder with the programs of tools/consumers/start, and all that they import. */
async function makeApp(dir: string, packed: readonly Packed[]): Promise<string> {
  const app = join(dir, 'app');
  cpSync(join(root, 'tools/consumers/start'), app, { recursive: true });
  writeFileSync(join(app, 'package.json'), '{ "private": true }\n');
  const own = packed
    .filter(({ name }) => ['duework', '@duework/contracts'].includes(name))
    .map(({ tarball }) => tarball);
  const others = ['graphile-worker', 'pg-boss'] as const;
  const names = [...own, ...others.map((name) => `${name}@${versionOf(name)}`), 'pg@8', 'zod@4'];
  const npm = npmCommand();
  await runCommand(npm.command, [...npm.args, 'install', '--no-audit', '--no-fund', '--loglevel=error', ...names], {
    cwd: app,
  });
  return app;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);
/** As the workspace has it. */
function versionOf(name: string): string {
  const path = join(root, 'tools/node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version;
}

async function measureWorkers(dir: string, urlOf: (system: SystemName) => string, serverPid: number, rounds: number) {
  const starts: Record<SystemName, WorkerStart[]> = { duework: [], 'graphile-worker': [], 'pg-boss': [] };
  // the first start of each makes what later ones find
  for (let round = 0; round <= rounds; round++)
    for (const system of SYSTEMS) {
      const start = await timeWorker(system, { dir, url: urlOf(system), serverPid });
      if (round > 0) starts[system].push(start);
    }
  const table = new Table({ head: ['a worker', ...SYSTEMS], style: { head: [], border: [] } });
  for (const [key, words] of Object.entries(FIGURES) as [keyof WorkerStart, string][])
    table.push([words, ...SYSTEMS.map((system) => median(starts[system].map((start) => start[key])).toFixed(0))]);
  return table.toString();
}

async function measureCommands(dir: string, url: string, rounds: number) {
  const command = join(dir, 'node_modules/duework/dist/command.js');
  const table = new Table({ head: ['the command line', 'seconds'], style: { head: [], border: [] } });
  for (const [words, args] of Object.entries(COMMANDS)) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const given = words === 'a bare node' ? args : [command, ...args];
      // the doctor ends with 1 where it finds something
      const begunMs = performance.now();
      await runCommand(process.execPath, given, { cwd: dir, env: { DATABASE_URL: url } }).catch(() => {});
      taken.push((performance.now() - begunMs) / 1_000);
    }
    table.push([words, median(taken).toFixed(2)]);
  }
  return table.toString();
}

await runProgram(program, async () => {
  const { rounds } = program.opts<{ rounds: number }>();
  cleanUpAtExit();
  const dir = mkdtempSync(join(tmpdir(), 'duework-start-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const server = await startPostgres({ dir, settings: {}, afterwards: remove });
  const urlOf = (system: SystemName): string => Object.assign(new URL(server.url), { pathname: `/${system}` }).href;
  try {
    const app = await makeApp(dir, await packPackages(dir, await ensurePnpm()));
    for (const system of SYSTEMS) await queryOnce(server.url, `CREATE DATABASE "${system}"`);
    const workers = await measureWorkers(app, urlOf, server.readPid()!, rounds);
    const commands = await measureCommands(app, urlOf('duework'), rounds);
    const [load] = loadavg();
    process.stdout.write(
      `${workers}\n${commands}\nNode ${process.versions.node}, ${availableParallelism()} cores, load ${load!.toFixed(1)}.\n`,
    );
  } finally {
    server.stop();
  }
});
