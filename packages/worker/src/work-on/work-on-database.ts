import { createHash } from 'node:crypto';
import type { Catalog } from '@duework/contracts';
import {
  checkReplication,
  checkWorkerDatabase,
  connectPg,
  describeDatabaseError,
  parseDatabaseUrl,
} from '@duework/database';
import { createPostgresStore, DueworkError, hasWork, heartbeatInThread, type Ticker } from '@duework/queue-core';
import { currentKeyRing, currentOffload, nameId } from '@duework/queue-core/internals';
import { stepBulkActions } from '@duework/operate/step-bulk-actions';
import { createTicker } from '@duework/schedules/ticker';
import { assembleWorker } from '../assemble-worker.js';
import { checkPooler } from '../check-pooler.js';
import { checkPrisma } from '../check-prisma.js';
import type { PlaceOptions } from '../create-runtime.js';
import { describeStartError } from '../describe-start-error.js';
import { openProbes } from '../http/open-probes.js';
import { openConnections } from '../open-connections.js';
import type { WorkPlace } from './work-place.js';

/** How soon a worker moves an action on whose process has gone. */
const BULK_INTERVAL_MS = 2_500;

/** How soon an object goes that no job needs, once it is a day old. */
const OBJECTS_INTERVAL_MS = 3_600_000;

/** How soon, within its hours, bloat is found, and what could not be rebuilt is tried again. */
const INDEXES_INTERVAL_MS = 600_000;
/** Most workers have no hours for it. */
const loadCare = () => import('../indexes/care-in-hours.js');

/** Which actions a program can step: those of its types, and of sensitive payloads where it has keys. */
const abilityOf = (catalog: Catalog): string =>
  createHash('sha256')
    .update(JSON.stringify([catalog.map(({ type }) => type).sort(), currentKeyRing() !== null]))
    .digest('base64url')
    .slice(0, 16);

/** A worker on a database, with its connections, its ticker and its leases. */
export function workOnDatabase<TCatalog extends Catalog, TAdded extends object>(
  options: PlaceOptions<TCatalog, TAdded>,
): WorkPlace {
  const { given, settings, log, metrics, shard } = options;
  const { catalog } = given;
  const { workerName: name } = settings;
  const url = settings.databaseUrl!;
  const connections = openConnections({ url, prisma: given.prisma, log });
  const { engine } = connections;
  // one that was only woken has no time for it
  const hours = options.once === null ? settings.indexCare : undefined;
  /** null: it was not asked for yet. */
  let identity: string | null = null;
  const store = createPostgresStore({
    db: engine,
    isOurs: (found) => {
      const isOurs = identity === null || found === identity;
      if (!isOurs) options.onReplaced();
      return isOurs;
    },
  });
  const nameOf = (id: string): string => (store.shard === undefined ? id : nameId(store.shard, id));
  let ticker!: Ticker;
  const { worker, countDead } = assembleWorker(options, {
    store,
    nameOf,
    describeError: (error) =>
      DueworkError.is(error) ? { code: error.code, problem: error.message } : describeDatabaseError(error, url),
    hear: (event) => {
      if (event.name === 'worker.resized' && given.prisma !== undefined)
        void import('../check-pool.js').then(({ checkPool }) => checkPool(connections, url, log, event));
    },
    own: (emit) => ({
      leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
      ticker: (ticker = createTicker({ db: engine, catalog, worker: name, emit })),
      chores: [
        {
          name: 'bulk_actions',
          by: abilityOf(catalog),
          intervalMs: BULK_INTERVAL_MS,
          act: (signal) => stepBulkActions(engine, catalog, signal),
        },
        ...(currentOffload() === null
          ? []
          : [{ name: 'objects', intervalMs: OBJECTS_INTERVAL_MS, act: (signal: AbortSignal) => pruneAll(signal) }]),
        ...(hours === undefined
          ? []
          : [
              {
                name: 'indexes',
                by: JSON.stringify(hours),
                intervalMs: INDEXES_INTERVAL_MS,
                act: async (signal: AbortSignal) =>
                  (await loadCare()).careInHours({ hours, url, engine, worker: name, emit }, signal),
              },
            ]),
      ],
    }),
  });
  /** Of all shards, because what one does not know may be another's. */
  const pruneAll = async (signal: AbortSignal): Promise<void> => {
    const others = Object.entries(settings.shards ?? {}).filter(([name]) => name !== shard);
    const clients = others.map(([, of]) =>
      connectPg({ url: of, poolSize: 1, applicationName: 'duework-worker-objects' }),
    );
    try {
      const { pruneObjects } = await import('@duework/queue-core/objects');
      await pruneObjects([engine, ...clients], { signal });
    } finally {
      await Promise.all(clients.map((client) => client.$disconnect()));
    }
  };
  const contracts = new Map(catalog.map((contract) => [contract.type, contract]));
  return {
    worker,
    countDead,
    async check() {
      identity = await checkWorkerDatabase(engine, url);
      await checkPooler(engine, url);
      if (shard !== null) {
        const { checkShards } = await import('@duework/shards');
        await checkShards({ [shard]: engine });
      }
      if (settings.replicated === 'required') await checkReplication(engine, url);
      // told now, and not in the night
      if (hours !== undefined) await (await loadCare()).checkCare(url);
      if (given.prisma !== undefined) await checkPrisma(connections, parseDatabaseUrl(url), log);
    },
    async prepare() {
      const { schedules, schedulesVersion: version = 1 } = given;
      if (schedules === undefined) return;
      const { registerSchedules } = await import('@duework/schedules');
      await registerSchedules(engine, catalog, schedules, { program: settings.programName, version, worker: name });
    },
    tick: () => ticker.tick(),
    hasWork: () => hasWork(engine, { worker: name, queues: settings.queues, contracts }),
    openProbes: (state) => openProbes({ catalog, connections, metrics, activity: () => worker.activity(), state }),
    describeStartError: (error) => describeStartError(error, url),
    close: () => connections.close(),
  };
}
