/** `npm run measure -- console`: how long each call of each screen of the console takes beside a million jobs. */
import { connectPg } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import { createTemplateDatabase } from '@duework/database/testing';
import { createKey, SCOPES } from '@duework/operate';
import { watchForeignCpu } from '../bench/gauges/watch-foreign-cpu.js';
import { cleanUpAtExit } from '../../kit/clean-up.js';
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { prepareFolder, type Filled } from '../../kit/prepare-folder.js';
import { runProgram } from '../../kit/run-program.js';
import { startPostgres } from '../../kit/servers/start-postgres.js';
import { startApi } from '../../kit/start-api.js';
import { timed } from '../../kit/timed.js';
import { fillDatabase, seeWorkers } from './fill/fill-database.js';
import { findKnown } from './find-known.js';
import { listCalls } from './list-calls.js';
import { measureCall, type Measured } from './measure-calls.js';
import { printMeasured } from './print-measured.js';

const LIMIT_MS = 150;

const program = createProgram(
  'measure console',
  `Fills a PostgreSQL of its own with a million jobs (200,000 that wait, 20,000 dead ones of 30 errors), 200 schedules with a
ledger, 90 days of figures of 50 types and 100,000 entries of the audit; starts the API as it is deployed, and asks it what each
screen of the console asks. Exit code 1: the 95th percentile of one call is over ${LIMIT_MS} ms.`,
)
  .option('--calls <n>', 'so many of each', wholeNumber(5, 10_000), 100)
  .option('--only <text>', 'only those with it in their screen or name')
  .option(
    '--keep <folder>',
    'fills this folder, unless it is filled already, and leaves it; what was of its last hour grows old',
  );

/** As a small server has them. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', synchronous_commit: 'off' };

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

async function fill(server: string): Promise<Filled> {
  const database = (await createTemplateDatabase(server)).name;
  const pg = connectPg({ url: urlOf(server, database), poolSize: 2 });
  const { ms } = await timed(() => fillDatabase(pg));
  process.stdout.write(`Filled in ${(ms / 1_000).toFixed(0)} s.\n`);
  await pg.$disconnect();
  return { percent: 100, database };
}

async function prepareKey(url: string): Promise<string> {
  const pg = connectPg({ url, poolSize: 1 });
  await seeWorkers(pg);
  const { text } = await createKey(pg, { name: `measure-${Date.now()}`, scopes: SCOPES });
  await pg.$disconnect();
  return text;
}

await runProgram(program, async () => {
  const { calls, only = '', keep } = program.opts<{ calls: number; only?: string; keep?: string }>();
  cleanUpAtExit();
  const folder = prepareFolder('measure-console', keep);
  const server = await startPostgres({ dir: folder.dir, settings: SETTINGS });
  try {
    const filled = folder.filled ?? (await fill(server.url));
    folder.keep(filled);
    const url = urlOf(server.url, filled.database);
    // a kept folder may be older than the migrations
    await migrateDatabase({ url, onProgress: () => {} });
    const authorization = `Bearer ${await prepareKey(url)}`;
    const api = await startApi(url, { LOG_LEVEL: 'info' });
    const ask = async (path: string, body?: object): Promise<string> => {
      const response = await fetch(api.url + path, {
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // to say that a count would take too long is an answer, too
      if (!response.ok && !text.includes('"filter_too_broad"'))
        throw new Error(`${path} answered ${response.status}: ${text}`);
      return text;
    };
    const readForeignShare = watchForeignCpu([process.pid, server.readPid()!]);
    const measured: Measured[] = [];
    for (const call of listCalls(await findKnown(ask)))
      if (`${call.screen} ${call.name}`.includes(only))
        measured.push(await measureCall(call, { ask, calls, serverPid: server.readPid()!, apiPid: api.pid }));
    const foreign = readForeignShare();
    await api.stop();
    return printMeasured(measured, LIMIT_MS, foreign) ? 0 : 1;
  } finally {
    server.stop();
    await folder.end();
  }
});
