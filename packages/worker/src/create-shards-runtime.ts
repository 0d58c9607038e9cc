/**
 * The life of a worker of several shards: an engine for each, with connections, leases, wake-ups and chores of its own, so
 * that one whose database hangs holds up nobody. A shard that is away is tried again until it answers; the others run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { defineCatalog, type Catalog } from '@duework/contracts';
import { connectPg, DatabaseError, type PgClient } from '@duework/database';
import { carryForwards, forwardJob, type ShardUrls } from '@duework/shards';
import { createRuntime, type DatabaseRuntime, type Runtime, type RuntimeOptions } from './create-runtime.js';
import { openPort, type OpenedPort } from './http/open-port.js';
import { joinProbes } from './http/join-probes.js';
import { completeLog } from './logs/worker-log.js';
import type { RunWorkerOptions } from './run-worker-options.js';

const TRY_AGAIN_MS = 5_000;
/** Forwards are written in batches, one for each target at a time. */
const CARRY_POOL = 2;
/** Each of them holds a slot meanwhile. */
const CARRY_MS = 5_000;

interface Engine {
  readonly shard: string;
  /** null: it has not begun, or waits until its database answers. */
  runtime: DatabaseRuntime | null;
}

export function createShardsRuntime<TCatalog extends Catalog, TAdded extends object>(
  options: Omit<RuntimeOptions<TCatalog, TAdded>, 'shard'>,
  shards: ShardUrls,
): Runtime {
  const { settings, log, once } = options;
  const engines: Engine[] = (settings.shard === undefined ? Object.keys(shards) : [settings.shard]).map((shard) => ({
    shard,
    runtime: null,
  }));
  const clients = openClients(shards);
  const told = new AbortController();
  let opened: OpenedPort | null = null;
  let exitCode = 0;
  const each = (act: (runtime: Runtime) => void): void => {
    told.abort();
    for (const { runtime } of engines) if (runtime !== null) act(runtime);
  };
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));

  /** Whether it has started; false: its database is away. */
  async function tryStart(engine: Engine): Promise<boolean> {
    const runtime = createRuntime(optionsFor(engine.shard, options, Object.keys(shards)[0] === engine.shard, clients));
    engine.runtime = runtime;
    try {
      await runtime.start();
      return true;
    } catch (error) {
      engine.runtime = null;
      if (!(error instanceof DatabaseError) || error.code !== 'database_unreachable') throw error;
      log.warn({ shard: engine.shard, problem: error.problem, againInMs: TRY_AGAIN_MS }, 'shard.away');
      return false;
    }
  }

  /** Until it is stopped; the exit code of its engine. */
  async function keep(engine: Engine): Promise<number> {
    while (engine.runtime === null) {
      await pause(TRY_AGAIN_MS, undefined, { signal: told.signal }).catch(() => {});
      if (told.signal.aborted) return 0;
      await tryStart(engine);
    }
    return engine.runtime.ended;
  }

  async function start(): Promise<void> {
    if (once === null && settings.workerPort !== null) {
      const probes = joinProbes(() => engines, options.metrics);
      opened = await openPort(settings.workerPort, { host: settings.host, probes, log });
    }
    const started = await Promise.allSettled(engines.map(tryStart));
    const failed = started.find((one) => one.status === 'rejected');
    if (failed !== undefined || !started.some((one) => one.status === 'fulfilled' && one.value)) {
      each((runtime) => runtime.stop(1));
      await close();
      throw (
        failed?.reason ??
        new DatabaseError('database_unreachable', { problem: 'No shard answers.', fix: 'See the lines before.' })
      );
    }
    options.given.onStarted?.({ name: settings.workerName, port: opened?.port ?? null, stop: () => stop(0) });
    void waitForEnd();
  }

  async function waitForEnd(): Promise<void> {
    const codes = await Promise.all(
      engines.map((engine) =>
        keep(engine).catch((error: unknown) => {
          log.fatal({ fault: 'start', shard: engine.shard, err: error }, 'process.failed');
          stop(1);
          return 1;
        }),
      ),
    );
    await close();
    end(Math.max(exitCode, ...codes));
  }

  async function close(): Promise<void> {
    opened?.close();
    await Promise.allSettled(Object.values(clients).map((client) => client.$disconnect()));
  }

  function stop(code: number): void {
    exitCode = Math.max(exitCode, code);
    each((runtime) => runtime.stop(code));
  }

  return {
    start,
    stop,
    hurry: (code) => each((runtime) => runtime.hurry(code)),
    fail: (fault, error) => {
      exitCode = 1;
      log.fatal({ fault, err: error }, 'process.failed');
      stop(1);
    },
    ended,
  };
}

function openClients(shards: ShardUrls): Readonly<Record<string, PgClient>> {
  const open = (url: string): PgClient =>
    connectPg({
      url,
      poolSize: CARRY_POOL,
      connectTimeoutMs: CARRY_MS,
      statementTimeoutMs: CARRY_MS,
      applicationName: 'duework-worker-forwards',
    });
  return Object.fromEntries(Object.entries(shards).map(([name, url]) => [name, open(url)]));
}

/** The options of the engine of one shard; the schedules that code declares live in the first one. */
function optionsFor<TCatalog extends Catalog, TAdded extends object>(
  shard: string,
  options: Omit<RuntimeOptions<TCatalog, TAdded>, 'shard'>,
  isFirst: boolean,
  clients: Readonly<Record<string, PgClient>>,
): RuntimeOptions<Catalog, TAdded> {
  const { onStarted: _, schedules, ...given } = options.given;
  const { settings, metrics } = options;
  const carrying = {
    ...given,
    ...(isFirst && schedules !== undefined ? { schedules } : {}),
    catalog: defineCatalog([...given.catalog, forwardJob]),
    handlers: { ...given.handlers, [forwardJob.type]: carryForwards(shard, clients) },
  } as unknown as RunWorkerOptions<Catalog, TAdded>;
  return {
    ...options,
    given: carrying,
    settings: {
      ...settings,
      databaseUrl: settings.shards![shard]!,
      workerName: `${settings.workerName}/${shard}`,
      queues: [...settings.queues, forwardJob.queue],
    },
    log: completeLog(options.log, { shard }),
    metrics: metrics === null ? null : { ...metrics, registry: new metrics.prom.Registry() },
    shard,
    isPortless: true,
  };
}
