/** A worker of the tortured product, put together as apps/worker does it; it writes down everything that it believes. */
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { catalogOf } from '../jobs.mjs';
import { blockLoop } from './block-loop.mjs';
import { createHandlers } from './create-handlers.mjs';
import { openHistory } from './open-history.mjs';
import { serveLab } from './serve-lab.mjs';
import { shiftClock } from './shift-clock.mjs';

const { connectPg, connectPrisma, parseDatabaseUrl } = await import(join(root, 'packages/database/dist/index.js'));
const { createPostgresStore, createTicker, createWorker, keepLeasesInThread } = await import(
  join(root, 'packages/queue-core/dist/index.js')
);

const { url, name, version, history, effects, concurrency, sampleEvery } = JSON.parse(process.argv[2]);
const write = openHistory(history);
const catalog = catalogOf(version);
const noLog = { debug() {}, info() {}, warn() {}, error() {} };
/** The crash point at which this process is to die; null: at none. */
let deadlyPoint = null;

/** What is kept of an event: all of those about the worker, and those about runs that are looked at. */
const emit = ({ name: kind, worker: _, run, error, ...facts }) => {
  if (run === undefined)
    return write(kind, {
      ...facts,
      ...(error === undefined ? {} : { code: error?.code ?? null, problem: error?.message ?? String(error) }),
    });
  if (Number(run.id) % sampleEvery === 0)
    write(kind, { worker: name, run: run.id, fence: run.fence, type: run.type, code: error?.code });
};

const engineDb = connectPg({ url, poolSize: 4, applicationName: `torture-${name}`, onConnectionLost: () => {} });
const handlerDb = connectPrisma({ url, poolSize: 8, applicationName: `torture-${name}`, onConnectionLost: () => {} });
const worker = createWorker({
  name,
  store: createPostgresStore({ db: engineDb }),
  leases: keepLeasesInThread({ ...parseDatabaseUrl(url), catalog }),
  catalog,
  handlers: createHandlers({ db: handlerDb, version, write, ledger: openHistory(effects), sampleEvery }),
  emit,
  ticker: createTicker({ db: engineDb, catalog, worker: name, emit }),
  logOf: () => noLog,
  concurrency,
  reachPoint(point) {
    if (point !== deadlyPoint) return;
    write('died', { point });
    process.kill(process.pid, 'SIGKILL');
  },
});

const tell = serveLab({
  dieAt: ({ point }) => void (deadlyPoint = point),
  shiftClock: ({ ms }) => shiftClock(ms),
  block: ({ ms }) => blockLoop(ms),
});

process.on('SIGTERM', () => {
  void (async () => {
    await worker.stop({ deadlineMs: 5_000 });
    await Promise.all([engineDb.$disconnect(), handlerDb.$disconnect()]);
    process.exit(0);
  })();
});

try {
  await worker.start();
} catch (error) {
  // whoever started it starts it again
  write('start.failed', { problem: error.message });
  process.exit(1);
}
write('started', { pid: process.pid });
tell('started');
