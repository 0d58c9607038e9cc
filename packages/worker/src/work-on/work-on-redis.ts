import type { Catalog } from '@duework/contracts';
import { DueworkError, systemClock as clock } from '@duework/queue-core';
import { assembleWorker } from '../assemble-worker.js';
import type { RuntimeOptions } from '../create-runtime.js';
import { isOwn } from '../describe-start-error.js';
import { createProbe } from '../http/create-probe.js';
import { judgeReadiness } from '../http/judge-readiness.js';
import type { Probes, WorkerState } from '../http/open-probes.js';
import { measureQueue } from '../metrics/measure-queue.js';
import type { RedisParts } from './load-redis.js';
import type { WorkPlace } from './work-place.js';

const UP = { name: 'duework_redis_up', help: '1 when Redis answered in time' };

/** A worker on the dedicated queue in a Redis. Nothing ticks there, and its leases are renewed by this thread. */
export function workOnRedis<TCatalog extends Catalog, TAdded extends object>(
  { url, prefix, bullmq }: RedisParts,
  options: RuntimeOptions<TCatalog, TAdded>,
): WorkPlace {
  const { given, log, metrics } = options;
  const redis = bullmq.connectRedis(url, ({ message }) =>
    log.warn({ purpose: 'dedicated', problem: message }, 'connection.lost'),
  );
  const place = { connection: redis.connection, ...(prefix === undefined ? {} : { prefix }) };
  const queue = bullmq.openBullmqQueue(place);
  const { worker, countDead } = assembleWorker(options, {
    store: bullmq.createBullmqStore(place),
    describeError: (error) => ({ code: 'redis_away', problem: (error as Error).message }),
  });
  const types = new Set<string>(given.catalog.map(({ type }) => type));
  return {
    worker,
    countDead,
    check: () => redis.check(),
    prepare: async () => {},
    tick: async () => ({ nextTickInMs: null }),
    async hasWork() {
      const { running, buffered } = worker.activity();
      if (running + buffered > 0) return true;
      return (await queue.queueDepth()).some(({ type, due }) => types.has(type) && due > 0);
    },
    openProbes(state: () => WorkerState): Probes {
      const pingRedis = createProbe(() => redis.connection.ping(), { freshMs: 2_000, limitMs: 1_000, clock });
      const anew = { freshMs: 0, limitMs: 1_000, clock };
      return {
        registry: metrics?.registry ?? null,
        refreshGauges:
          metrics === null
            ? async () => {}
            : measureQueue({
                ...metrics,
                contracts: given.catalog,
                up: UP,
                pingDatabase: pingRedis,
                readDepth: createProbe(() => queue.queueDepth(), anew),
                // no worker is known here, and nothing keeps rows that nobody needs
                readUnserved: async () => ({ isUp: false }),
                readHorizonAge: async () => ({ isUp: false }),
              }),
        async readReadiness() {
          const isUp = state() === 'running' && (await pingRedis()).isUp;
          const readiness = judgeReadiness(state(), isUp, worker.activity());
          return readiness.status === 'database_away' ? { status: 'redis_away' } : readiness;
        },
      };
    },
    describeStartError(error) {
      if (isOwn(error)) return error;
      return new DueworkError('redis_away', { problem: (error as Error).message }, { cause: error });
    },
    close: async () => redis.close(),
  };
}
