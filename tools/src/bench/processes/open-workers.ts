import { setTimeout as pause } from 'node:timers/promises';
import type { System } from '../systems/system.js';
import type { JobName } from './make-handler.js';
import { startBenchProcess } from './start-bench-process.js';
import type { WorkerDone, WorkerRead, WorkerVerbs } from './worker.js';

/** Every system's, as those with which `npm start` starts Duework's own worker. */
const NODE_OPTIONS = ['--max-old-space-size=512', '--min-semi-space-size=8'];
const LOOK_MS = 2;
const STOP_MS = 15_000;
/** A system that gets nothing done for so long will not. */
const PATIENCE_MS = 20_000;

export interface OpenWorkersOptions {
  readonly system: System;
  readonly url: string;
  /** For messages. */
  readonly name: string;
  readonly job: JobName;
  /** Processes; 1 unless given. */
  readonly count?: number;
  /** How many ids there are at most, for `stamp`. */
  readonly size?: number;
  readonly concurrency?: number | undefined;
  readonly isRssKept?: boolean;
  /** Told how many jobs all of them have handled. */
  readonly onDone?: (total: number) => void;
}

export interface Workers {
  /** How many jobs they have handled, as far as they have told. */
  total(): number;
  /** Rejects when one of them fails or ends. */
  readonly failed: Promise<never>;
  /** Releases them, and returns the moment, in ms as `performance.now()`. */
  start(): number;
  /**
   * Resolves when that many jobs were handled and every one of them is settled, with the moment; calls `beforeLook` before
   * it looks whether they are. Rejects when nothing has happened for 20 s.
   */
  drained(jobs: number, options?: { readonly beforeLook?: () => void }): Promise<number>;
  /** What each of them has noted; there is one at least. */
  read(): Promise<[WorkerRead, ...WorkerRead[]]>;
  /** Stops them as a deploy would, so that nothing is left running in the database; kills them if that takes long. */
  stop(): Promise<void>;
}

/** Opens `count` worker processes of one system. They are connected and claim nothing until `start`. */
export async function openWorkers(options: OpenWorkersOptions): Promise<Workers> {
  const { system, url, name, job, count = 1, size = 0, concurrency, isRssKept = false, onDone = () => {} } = options;
  const done = Array.from({ length: count }, () => 0);
  const total = (): number => done.reduce((sum, each) => sum + each, 0);
  let changed = (): void => {};
  let changedMs = performance.now();
  const workers = done.map((_, index) => {
    const worker = startBenchProcess<WorkerVerbs>({ main: 'worker', name, nodeOptions: NODE_OPTIONS });
    worker.on('done', (told: WorkerDone) => {
      done[index] = told.done;
      changedMs = performance.now();
      changed();
      onDone(total());
    });
    return worker;
  });
  const failed = Promise.race(workers.map((worker) => worker.failed));
  failed.catch(() => {});
  const opening = { system: system.name, url, job, size, concurrency, isRssKept };
  await Promise.all(workers.map((worker) => worker.ask('open', opening)));

  const checkPatience = (jobs: number): void => {
    if (performance.now() - changedMs < PATIENCE_MS) return;
    throw new Error(`${name}: stuck for ${PATIENCE_MS / 1_000} s, ${total()} of ${jobs} jobs handled.`);
  };
  return {
    total,
    failed,
    start() {
      changedMs = performance.now();
      for (const worker of workers) worker.send('start', {});
      return changedMs;
    },
    async drained(jobs, { beforeLook = () => {} } = {}) {
      const inspector = await (await system.load()).openInspector(url);
      try {
        while (total() < jobs) {
          const nextChange = new Promise<void>((resolve) => (changed = resolve));
          await Promise.race([nextChange, pause(PATIENCE_MS / 4), failed]);
          checkPatience(jobs);
        }
        for (;;) {
          beforeLook();
          const atMs = performance.now();
          if (await inspector.isDrained()) return atMs;
          checkPatience(jobs);
          await Promise.race([pause(LOOK_MS), failed]);
        }
      } finally {
        await inspector.close();
      }
    },
    read: async () =>
      // as many as there are workers
      (await Promise.all(workers.map((worker) => worker.ask('read', {})))) as [WorkerRead, ...WorkerRead[]],
    async stop() {
      await Promise.allSettled(workers.map((worker) => worker.ask('stop', {}, STOP_MS)));
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}
