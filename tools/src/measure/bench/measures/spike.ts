import { openWorkers } from '../processes/open-workers.js';
import { enqueueBacklog } from './enqueue-backlog.js';
import type { Measure } from './measure.js';

/** All jobs become due at once, while a worker sleeps. The database's clock is this machine's. */
export const spike: Measure = {
  name: 'spike',
  figures: [
    {
      key: 'doneSeconds',
      title: '100,000 due in the same second: due to all done',
      unit: 's',
      isLessBetter: true,
      targets: [{ times: 0.5, of: 'graphile' }],
    },
    {
      key: 'lateMs',
      title: '  the first one starts late by',
      unit: 'ms',
      isLessBetter: true,
      targets: [{ atMost: 50 }],
    },
  ],
  async run({ system, place, size, name }) {
    const { jobs, leadMs } = size.spike;
    const workers = await openWorkers({ system, url: place.url, job: 'first', name });
    try {
      workers.start();
      const dueMs = Date.now() + leadMs;
      await enqueueBacklog({ system, place, jobs, dueAt: new Date(dueMs) });
      if (Date.now() >= dueMs)
        throw new Error(`${name}: ${jobs} jobs could not be enqueued within ${leadMs / 1_000} s.`);
      const endMs = performance.timeOrigin + (await workers.drained(jobs));
      const [{ firstAtMs }] = await workers.read();
      return { doneSeconds: (endMs - dueMs) / 1_000, lateMs: firstAtMs === null ? null : firstAtMs - dueMs };
    } finally {
      await workers.stop();
    }
  },
};
