import { setTimeout as pause } from 'node:timers/promises';
import { services } from '../../scripts/start/settings.mjs';
import { loadAdapter } from '../systems/find-system.mjs';
import { startProcess } from './start-process.mjs';

/** Every system's, as those of Duework's own worker. */
const WORKER_OPTIONS = services.find(({ name }) => name === 'worker').nodeOptions;
const LOOK_MS = 2;
/** A system that gets nothing done for so long will not. */
const PATIENCE_MS = 20_000;

/**
 * Opens `count` worker processes of one system. They are connected and claim nothing until `start`.
 *
 * @param {{ system: object, url: string, count?: number, job: string, size?: number, concurrency?: number, isRssKept?: boolean, onDone?: (total: number) => void, name: string }} options
 */
export async function openWorkers({
  system,
  url,
  count = 1,
  job,
  size = 0,
  concurrency,
  isRssKept = false,
  onDone = () => {},
  name,
}) {
  const done = Array.from({ length: count }, () => 0);
  const total = () => done.reduce((sum, each) => sum + each, 0);
  let changed = () => {};
  let changedMs = performance.now();
  const workers = done.map((_, index) => {
    const worker = startProcess('worker.mjs', name, WORKER_OPTIONS);
    worker.on('done', (told) => {
      done[index] = told.done;
      changedMs = performance.now();
      changed();
      onDone(total());
    });
    return worker;
  });
  const anyFailed = Promise.race(workers.map((worker) => worker.failed));
  anyFailed.catch(() => {});
  await Promise.all(
    workers.map((worker) => worker.ask('open', { system: system.name, url, job, size, concurrency, isRssKept })),
  );

  return {
    pids: workers.map(({ pid }) => pid),
    total,
    failed: anyFailed,
    /** Releases them, and returns the moment. */
    start() {
      changedMs = performance.now();
      for (const worker of workers) worker.send('start');
      return changedMs;
    },
    /** Resolves when that many jobs were handled and every one of them is settled, with the moment; calls `beforeLook` before it looks whether they are. */
    async drained(jobs, { beforeLook = () => {} } = {}) {
      const inspector = await (await loadAdapter(system.name)).openInspector(url);
      const check = () => {
        if (performance.now() - changedMs < PATIENCE_MS) return;
        throw new Error(`${name}: stuck for ${PATIENCE_MS / 1_000} s, ${total()} of ${jobs} jobs handled.`);
      };
      try {
        while (total() < jobs) {
          await Promise.race([new Promise((resolve) => (changed = resolve)), pause(PATIENCE_MS / 4), anyFailed]);
          check();
        }
        for (;;) {
          beforeLook();
          const atMs = performance.now();
          if (await inspector.isDrained()) return atMs;
          check();
          await Promise.race([pause(LOOK_MS), anyFailed]);
        }
      } finally {
        await inspector.close();
      }
    },
    read: () => Promise.all(workers.map((worker) => worker.ask('read'))),
    /** Stops them as a deploy would, so that nothing is left running in the database; kills them if that takes long. */
    async stop() {
      await Promise.allSettled(workers.map((worker) => worker.ask('stop', {}, 15_000)));
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}
