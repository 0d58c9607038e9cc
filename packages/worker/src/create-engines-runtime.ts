/**
 * The life of a worker of several engines: one for each shard, or for the table, and one for the dedicated queue, with
 * connections, leases, wake-ups and chores of their own, so that one whose store hangs holds up nobody. An engine whose store
 * is away is tried again until that answers; the others run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Catalog } from '@duework/contracts';
import { DatabaseError } from '@duework/database';
import { DueworkError, systemClock as clock } from '@duework/queue-core';
import { tellStarted } from './assemble-worker.js';
import {
  createRuntime,
  REPLACED_CODE,
  type PlacedRuntime,
  type Runtime,
  type RuntimeOptions,
} from './create-runtime.js';
import { openPort, type OpenedPort } from './http/open-port.js';
import type { EngineName } from './engine-name.js';
import { joinProbes } from './http/join-probes.js';
import { listEngines, type EnginePlan } from './list-engines.js';
import { openTargets } from './open-targets.js';
import type { RedisParts } from './work-on/load-redis.js';

const TRY_AGAIN_MS = 1_000;

interface Engine extends EngineName {
  readonly plan: EnginePlan;
  /** null: it has not begun, or waits until its store answers. */
  runtime: PlacedRuntime | null;
  /** What was told of it last; null: nothing is wrong. */
  problem: string | null;
}

export function createEnginesRuntime<TCatalog extends Catalog, TAdded extends object>(
  options: Omit<RuntimeOptions<TCatalog, TAdded>, 'shard'>,
  redis: RedisParts | null,
): Runtime {
  const { settings, log, once } = options;
  const targets = openTargets(settings, redis);
  const engines: Engine[] = planEngines().map((plan) => ({
    label: plan.label,
    name: plan.name,
    plan,
    runtime: null,
    problem: null,
  }));
  const told = new AbortController();
  let opened: OpenedPort | null = null;
  let exitCode = 0;
  const each = (act: (runtime: Runtime) => void): void => {
    told.abort();
    for (const { runtime } of engines) if (runtime !== null) act(runtime);
  };
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));

  let away: Error | null = null;
  /** Whether it has started; false: its store is away. */
  async function tryStart(engine: Engine): Promise<boolean> {
    const { makeOptions, workOn } = engine.plan;
    const runtime = createRuntime(makeOptions(), workOn);
    engine.runtime = runtime;
    try {
      await runtime.start();
      engine.problem = null;
      return true;
    } catch (error) {
      engine.runtime = null;
      const problem = problemOf(error);
      if (problem === null) throw error;
      away = error as Error;
      if (problem !== engine.problem)
        log.warn({ [engine.label]: engine.name, problem, againInMs: TRY_AGAIN_MS }, `${engine.label}.away`);
      engine.problem = problem;
      return false;
    }
  }

  function planEngines(): readonly EnginePlan[] {
    try {
      return listEngines(options, redis, targets.all);
    } catch (error) {
      void targets.close();
      throw error;
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

  /** Resolves when one of them runs, or it was told to stop; none may be there yet. */
  async function startOne(): Promise<void> {
    const endMs = clock.monotonicMs() + settings.databaseWaitMs;
    for (let isTold = false; ; isTold = true) {
      const started = await Promise.allSettled(engines.map(tryStart));
      const failed = started.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      if (told.signal.aborted || started.some((one) => one.status === 'fulfilled' && one.value)) return;
      if (clock.monotonicMs() >= endMs) throw engines.length === 1 ? away! : noneAnswers(settings.shards !== undefined);
      if (!isTold) log.warn({ waitMs: settings.databaseWaitMs }, 'database.awaited');
      await pause(TRY_AGAIN_MS, undefined, { signal: told.signal }).catch(() => {});
    }
  }

  async function start(): Promise<void> {
    if (once === null && settings.workerPort !== null) {
      const probes = joinProbes(() => engines, options.metrics);
      opened = await openPort(settings.workerPort, { host: settings.host, probes, log });
    }
    try {
      await startOne();
    } catch (error) {
      const begun = engines.flatMap(({ runtime }) => runtime ?? []);
      each((runtime) => runtime.stop(1));
      // the jobs that they have begun end first, as at any stop
      await Promise.all(begun.map(({ ended: over }) => over));
      await close();
      throw error;
    }
    const whole = { name: settings.workerName, port: opened?.port ?? null, stop: () => stop(0) };
    if (!told.signal.aborted) tellStarted(options.given, log, whole);
    void waitForEnd();
  }

  async function waitForEnd(): Promise<void> {
    const codes = await Promise.all(
      engines.map((engine) =>
        keep(engine)
          .then(stopWithReplaced)
          .catch((error: unknown) => {
            log.fatal({ fault: 'start', [engine.label]: engine.name, err: error }, 'process.failed');
            stop(1);
            return 1;
          }),
      ),
    );
    await close();
    end(Math.max(exitCode, ...codes));
  }

  /** A worker that is to be started again ends as a whole. */
  function stopWithReplaced(code: number): number {
    if (code === REPLACED_CODE) stop(code);
    return code;
  }

  async function close(): Promise<void> {
    opened?.close();
    await targets.close();
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
      each((runtime) => runtime.fail(fault, error));
    },
    ended,
  };
}

/** What an error says of a store that is away; null: it is another one. */
function problemOf(error: unknown): string | null {
  if (DatabaseError.is(error)) return error.code === 'database_unreachable' || error.isTemporary ? error.problem : null;
  return DueworkError.is(error, 'redis_away') ? error.facts.problem : null;
}

const noneAnswers = (areShards: boolean): DatabaseError =>
  new DatabaseError('database_unreachable', {
    problem: areShards ? 'No shard answers.' : 'Neither the database nor the dedicated queue answers.',
    fix: 'See the lines before.',
  });
