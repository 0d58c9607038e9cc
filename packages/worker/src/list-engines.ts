import { defineCatalog, type Catalog } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { DueworkError, type CollectHandler } from '@duework/queue-core';
import { checkContracts } from '@duework/queue-core/ports';
import { carryForwards, forwardJob, originOf, type ForwardTargets } from '@duework/shards';
import type { PlaceOptions, RuntimeOptions } from './create-runtime.js';
import type { EngineName } from './engine-name.js';
import { completeLog } from './logs/worker-log.js';
import { DEDICATED } from './open-targets.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import type { RedisParts } from './work-on/load-redis.js';
import { workOnDatabase } from './work-on/work-on-database.js';
import { workOnRedis } from './work-on/work-on-redis.js';
import type { WorkPlace } from './work-on/work-place.js';

/** An engine of a worker, before it begins. */
export interface EnginePlan extends EngineName {
  /** Made anew for each try to start, because what has not started has registered its metrics already. */
  readonly makeOptions: () => RuntimeOptions<Catalog, object>;
  readonly workOn: (options: PlaceOptions<Catalog, object>) => WorkPlace;
}

type WorkerParts<TCatalog extends Catalog, TAdded extends object> = Omit<RuntimeOptions<TCatalog, TAdded>, 'shard'>;
type Given = RunWorkerOptions<Catalog>;

/** The engines of a worker: of its shards or of its table, and of the dedicated queue. */
export function listEngines<TCatalog extends Catalog, TAdded extends object>(
  parts: WorkerParts<TCatalog, TAdded>,
  redis: RedisParts | null,
  targets: ForwardTargets,
): readonly EnginePlan[] {
  const all = parts as unknown as WorkerParts<Catalog, object>;
  const { shards, shard, databaseUrl } = all.settings;
  const names = shards === undefined ? [] : Object.keys(shards);
  const ofShards = (shard === undefined ? names : [shard]).map((name) =>
    planShard(all, name, name === names[0], carryForwards(name, targets)),
  );
  const ofTable = shards === undefined && databaseUrl !== undefined ? [planTable(all, databaseUrl, targets)] : [];
  const isAlone = ofShards.length + ofTable.length === 0;
  return [...ofShards, ...ofTable, ...(redis === null ? [] : [planDedicated(all, redis, isAlone)])];
}

/** The schedules that code declares live in the first shard. */
function planShard(
  parts: WorkerParts<Catalog, object>,
  name: string,
  isFirst: boolean,
  carry: CollectHandler<typeof forwardJob>,
): EnginePlan {
  const { schedules, ...given } = parts.given;
  const kept = isFirst && schedules !== undefined ? { ...given, schedules } : given;
  const settings = { ...parts.settings, databaseUrl: parts.settings.shards![name]! };
  const engine = { label: 'shard', name } as const;
  return {
    ...engine,
    makeOptions: () => ({ ...ownParts({ ...parts, settings }, engine, carrying(kept, carry)), shard: name }),
    workOn: workOnDatabase,
  };
}

function planTable(parts: WorkerParts<Catalog, object>, url: string, targets: ForwardTargets): EnginePlan {
  const engine = { label: 'engine', name: 'table' } as const;
  const carry = carryFromTable(url, targets);
  return {
    ...engine,
    makeOptions: () => ({ ...ownParts(parts, engine, carrying(parts.given, carry)), shard: null }),
    workOn: workOnDatabase,
  };
}

/** The types that the dedicated queue cannot keep are left to the table; where there is none, the worker does not start. */
function planDedicated(parts: WorkerParts<Catalog, object>, redis: RedisParts, isAlone: boolean): EnginePlan {
  const { schedules: _schedules, schedulesVersion: _version, prisma: _prisma, ...given } = parts.given;
  const { BULLMQ_CAPABILITIES: capabilities } = redis.bullmq;
  const catalog = given.catalog.filter((contract) => {
    try {
      checkContracts(capabilities, [contract]);
      return true;
    } catch (error) {
      if (isAlone || !DueworkError.is(error, 'not_supported')) throw error;
      return false;
    }
  });
  const queues = new Set(catalog.flatMap((contract) => contract.queues));
  const settings = { ...parts.settings, queues: parts.settings.queues.filter((queue) => queues.has(queue)) };
  const engine = { label: 'engine', name: DEDICATED } as const;
  const kept = new Set(catalog.map(({ type }) => type));
  const handlers = Object.fromEntries(Object.entries(given.handlers).filter(([type]) => kept.has(type)));
  const own = { ...given, catalog: defineCatalog(catalog), handlers } as Given;
  return {
    ...engine,
    makeOptions: () => ({ ...ownParts({ ...parts, settings }, engine, own), shard: null }),
    workOn: (options) => workOnRedis(redis, options),
  };
}

/** What every engine has of its own: its name, its lines in the log, its metrics; its probes are the worker's. */
function ownParts(
  parts: WorkerParts<Catalog, object>,
  { label, name }: EngineName,
  { onStarted: _, ...given }: Given,
): WorkerParts<Catalog, object> {
  const { settings, metrics } = parts;
  return {
    ...parts,
    given,
    settings: {
      ...settings,
      workerName: `${settings.workerName}/${name}`,
      // one that is away is waited for beside the others
      databaseWaitMs: 0,
      queues: given.catalog.includes(forwardJob) ? [...settings.queues, forwardJob.queue] : settings.queues,
    },
    log: completeLog(parts.log, { [label]: name }),
    metrics: metrics === null ? null : { ...metrics, registry: new metrics.prom.Registry() },
    isPortless: true,
  };
}

/** The same with the job that carries forwards, unless its program has a handler of its own for that. */
function carrying(given: Given, carry: CollectHandler<typeof forwardJob>): Given {
  if (given.catalog.some(({ type }) => type === forwardJob.type)) return given;
  return {
    ...given,
    catalog: defineCatalog([...given.catalog, forwardJob]),
    handlers: { ...given.handlers, [forwardJob.type]: carry },
  } as unknown as Given;
}

/** A table has no name until it is asked for one. */
function carryFromTable(url: string, targets: ForwardTargets): CollectHandler<typeof forwardJob> {
  let carry: Promise<CollectHandler<typeof forwardJob>> | undefined;
  const name = async (): Promise<CollectHandler<typeof forwardJob>> => {
    const client: PgClient = connectPg({ url, poolSize: 1, applicationName: 'duework-worker-forwards' });
    try {
      return carryForwards(await originOf(client), targets);
    } finally {
      await client.$disconnect();
    }
  };
  return async (jobs, context) => {
    carry ??= name().catch((error: unknown) => {
      carry = undefined;
      throw error;
    });
    return (await carry)(jobs, context);
  };
}
