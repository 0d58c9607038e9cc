import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { findFreePort } from '../../kit/find-free-port.js';
import { openClient } from '../../kit/open-client.js';
import { waitUntilReady } from '../../kit/wait-until-ready.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import type { Packed } from '../../kit/packed.js';
import { runCommand } from '../../kit/run-command.js';
import { installRedis } from '../../kit/servers/install-from-debian.js';
import { startRedis } from '../../kit/servers/start-redis.js';
import { startGroup } from '../../kit/start-group.js';
import { callExample } from './call-example.js';
import { copyExample } from './copy-example.js';
import type { Example } from './examples.js';
import type pg from 'pg';
import { waitUntil } from '../../kit/wait-until.js';

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Prisma's commands look for an engine that they download, though `generate` needs none; any executable will do. */
const BUILD_ENV = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, NEXT_TELEMETRY_DISABLED: '1' };

/**
 * Does with an example what its README says, outside of the repository, and uses it: it is installed with the packed
 * packages, built, tested where it has tests, migrated, started, and called over HTTP.
 *
 * @returns what took how long
 */
export async function proveExample(example: Example, into: string, packed: readonly Packed[]): Promise<string> {
  const dir = copyExample(example.name, into, packed);
  const took: string[] = [];
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await work();
    took.push(`${what} ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  };
  const npm = npmCommand();
  const run = (args: readonly string[], env = {}): Promise<string> =>
    runCommand(npm.command, [...npm.args, ...args], { cwd: dir, env: { ...BUILD_ENV, ...env } });

  await timed('install', () => run(['install', ...QUIET]));
  await timed('build', () => run(['run', 'build']));
  if (hasScript(dir, 'test')) await timed('test', () => run(['test']));
  await withFreshDatabase(
    async (databaseUrl) => {
      const env = { DATABASE_URL: databaseUrl };
      if (example.isMove) {
        await timed('migrate', () => run(['exec', '--', 'duework', 'migrate'], env));
        await timed('compare', () => compare(dir, env, run));
        return;
      }
      const db = await openClient(databaseUrl);
      try {
        if (example.usesPrisma) await makePrismaTables(dir, db);
        else await run(['run', 'tables'], env);
        await timed('migrate', () => run(['exec', '--', 'duework', 'migrate'], env));
        await timed('calls', () => useExample(example, dir, env, (url) => callExample(example, url, db)));
      } finally {
        await db.end();
      }
    },
    { isMigrated: false },
  );
  return took.join(', ');
}

/** Runs both applications with the same jobs: it fails where they come to different ends. */
async function compare(
  dir: string,
  env: Readonly<Record<string, string>>,
  run: (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<string>,
): Promise<void> {
  installRedis();
  const redis = await startRedis({ dir, appendfsync: 'no' });
  try {
    await run(['run', 'compare'], { ...env, BULLMQ_URL: redis.url });
  } finally {
    await redis.drop();
  }
}

const hasScript = (dir: string, name: string): boolean =>
  (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts[name] !==
  undefined;

/** Runs the app and its worker for as long as `use` takes, and stops them with SIGTERM. */
async function useExample(
  { name }: Example,
  dir: string,
  env: Readonly<Record<string, string>>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const [port, workerPort] = [await findFreePort(), await findFreePort()];
  const app = startGroup('npm run --silent start', dir, { ...env, PORT: String(port) });
  const worker = startGroup('npm run --silent worker', dir, { ...env, WORKER_PORT: String(workerPort) });
  const url = `http://127.0.0.1:${port}`;
  let isOver = false;
  try {
    const failed = Promise.race([app.failed, worker.failed]);
    const isReady = Promise.all([
      waitUntilAnswered(`app of ${name}`, url, () => isOver),
      waitUntilReady(`worker of ${name}`, `http://127.0.0.1:${workerPort}/readyz`, () => isOver),
    ]);
    await Promise.race([isReady.then(() => use(url)), failed]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\n\nThe app said:\n${app.said()}\n\nThe worker said:\n${worker.said()}`, {
      cause: error,
    });
  } finally {
    isOver = true;
    await Promise.all([app.stop(), worker.stop()]);
  }
}

/** Sends the migrations of a Prisma project, in their order. `prisma migrate` would download an engine first. */
async function makePrismaTables(dir: string, db: pg.Client): Promise<void> {
  const migrations = join(dir, 'prisma/migrations');
  const names = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  for (const name of names) await db.query(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
}

/** Waits until a server answers anything at all, or `isOver` says that nobody waits any more. */
function waitUntilAnswered(name: string, url: string, isOver: () => boolean): Promise<true> {
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  return waitUntil(`The ${name} does not answer`, async () => isOver() || (await answers()), { everyMs: 100 });
}
