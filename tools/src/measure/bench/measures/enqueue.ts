import { openProducer } from '../processes/open-producer.js';
import type { Measure } from './measure.js';

const CALLERS = 20;
/** Concurrent batches: one system is fastest with one, another with four. The best figure counts. */
const AT_ONCE = [1, 2, 4];
const CALL_LIMIT_MS = 60_000;
const BULK_LIMIT_MS = 120_000;

export const enqueue: Measure = {
  name: 'enqueue',
  figures: [
    { key: 'plain', title: 'Enqueue one after the other, through a plain client', unit: 'jobs/s' },
    { key: 'serial', title: 'Enqueue one after the other', unit: 'jobs/s', targets: [{ times: 1.5, of: 'graphile' }] },
    { key: 'callers', title: 'Enqueue, 20 callers at once', unit: 'jobs/s', targets: [{ times: 2.5, of: 'bullmq' }] },
    {
      key: 'bulk',
      title: 'Enqueue 100,000 in batches of 1,000',
      unit: 'jobs/s',
      targets: [{ times: 2.5, of: 'best', called: 'best rival' }],
    },
  ],
  async run({ system, place, size, name }) {
    const producer = await openProducer({ system, url: place.url, name });
    try {
      const plain = await producer.ask('call', { callers: 1, ms: size.serialMs, isPlain: true }, CALL_LIMIT_MS);
      const serial = await producer.ask('call', { callers: 1, ms: size.serialMs }, CALL_LIMIT_MS);
      const callers = await producer.ask('call', { callers: CALLERS, ms: size.callersMs }, CALL_LIMIT_MS);
      let bulk = 0;
      for (const atOnce of AT_ONCE) {
        const { jobsPerSecond } = await producer.ask('bulk', { jobs: size.bulkJobs, atOnce }, BULK_LIMIT_MS);
        bulk = Math.max(bulk, jobsPerSecond);
      }
      return { plain: plain.jobsPerSecond, serial: serial.jobsPerSecond, callers: callers.jobsPerSecond, bulk };
    } finally {
      await producer.stop();
    }
  },
};
