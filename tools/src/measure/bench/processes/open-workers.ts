import { setTimeout as pause } from 'node:timers/promises';
import { services } from '../../../develop/start/settings.js';
import type { Inspector, Lane, System } from '../systems/system.js';
import type { JobName } from './make-handler.js';
import { Progress } from './progress.js';
import { startBenchProcess } from './start-bench-process.js';
import type { WorkerDone, WorkerRead, WorkerVerbs } from './worker.js';

/** The setting of every system, as in Duework's own worker. */
const NODE_OPTIONS = services.find(({ name }) => name === 'worker')?.nodeOptions ?? [];
const LOOK_MS = 2;
const STOP_MS = 15_000;

export interface OpenWorkersOptions {
  readonly system: System;
  readonly url: string;
  /** The name for messages. */
  readonly name: string;
  readonly job: JobName;
  /** Processes; 1 unless given. */
  readonly count?: number;
  /** The largest number of ids, for `stamp`. */
  readonly size?: number;
  readonly concurrency?: number | undefined;
  readonly isRssKept?: boolean;
  readonly lane?: Lane | undefined;
  /** Called with how many jobs all of them have handled. */
  readonly onDone?: (total: number) => void;
}

interface DrainedOptions {
  /** Called before each check of whether everything is settled. */
  readonly beforeLook?: () => void;
}

export interface Workers {
  /** How many jobs they have handled, as far as they have reported. */
  total(): number;
  /** Rejects when one of them fails or ends. */
  readonly failed: Promise<never>;
  /** Releases the workers, and returns the moment, in ms as `performance.now()`. */
  start(): number;
  /**
   * Resolves with the moment when that many jobs were handled and every one of them is settled. Rejects when nothing
   * has happened for 20 s.
   */
  drained(jobs: number, options?: DrainedOptions): Promise<number>;
  /** What each worker has recorded; there is at least one. */
  read(): Promise<[WorkerRead, ...WorkerRead[]]>;
  /**
   * Stops the workers as a deploy would, so that nothing is left running in the database; kills them if that takes
   * long.
   */
  stop(): Promise<void>;
}

/** Opens `count` worker processes of one system. They are connected and claim nothing until `start`. */
export async function openWorkers(options: OpenWorkersOptions): Promise<Workers> {
  const { system, url, name, job, count = 1, size = 0, concurrency, isRssKept = false, onDone = () => {} } = options;
  const progress = new Progress(count, name);
  const workers = Array.from({ length: count }, (_, index) => {
    const worker = startBenchProcess<WorkerVerbs>({ main: 'worker', name, nodeOptions: NODE_OPTIONS });
    worker.on('done', ({ done }: WorkerDone) => {
      progress.note(index, done);
      onDone(progress.total);
    });
    return worker;
  });
  const failed = Promise.race(workers.map((worker) => worker.failed));
  failed.catch(() => {});
  const opening = { system: system.name, url, job, size, concurrency, isRssKept, lane: options.lane };
  await Promise.all(workers.map((worker) => worker.ask('open', opening)));
  return {
    total: () => progress.total,
    failed,
    start() {
      const startMs = progress.restart();
      for (const worker of workers) worker.send('start', {});
      return startMs;
    },
    async drained(jobs, { beforeLook = () => {} } = {}) {
      const inspector = await (await system.load()).openInspector(url);
      const ended = waitUntilDrained({ inspector, progress, jobs, failed, beforeLook });
      return ended.finally(() => inspector.close());
    },
    read: async () =>
      // an array as long as there are workers
      (await Promise.all(workers.map((worker) => worker.ask('read', {})))) as [WorkerRead, ...WorkerRead[]],
    async stop() {
      await Promise.allSettled(workers.map((worker) => worker.ask('stop', {}, STOP_MS)));
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

async function waitUntilDrained({
  inspector,
  progress,
  jobs,
  failed,
  beforeLook,
}: Required<DrainedOptions> & {
  readonly inspector: Inspector;
  readonly progress: Progress;
  readonly jobs: number;
  readonly failed: Promise<never>;
}): Promise<number> {
  while (progress.total < jobs) {
    await Promise.race([progress.next(), failed]);
    progress.checkPatience(jobs);
  }
  for (;;) {
    beforeLook();
    const atMs = performance.now();
    if (await inspector.isDrained()) return atMs;
    progress.checkPatience(jobs);
    await Promise.race([pause(LOOK_MS), failed]);
  }
}
