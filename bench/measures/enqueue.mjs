import { openProducer } from '../processes/open-producer.mjs';

const CALLERS = 20;
/** Of batches: one system does best with one on its way, another one with four. The best figure counts. */
const AT_ONCE = [1, 2, 4];

export const enqueue = {
  name: 'enqueue',
  figures: [
    { key: 'serial', title: 'Enqueue one after the other', unit: 'jobs/s', targets: [{ times: 1.5, of: 'graphile' }] },
    { key: 'callers', title: 'Enqueue, 20 callers at once', unit: 'jobs/s', targets: [{ times: 2.5, of: 'bullmq' }] },
    {
      key: 'bulk',
      title: 'Enqueue 100,000 in batches of 1,000',
      unit: 'jobs/s',
      targets: [{ times: 2.5, of: 'best', called: 'best rival' }],
    },
  ],
  // the producer's side has no defaults to compare
  takes: ({ name }) => name !== 'graphile-defaults',
  async run({ system, place, size, name }) {
    const producer = await openProducer({ system, url: place.url, name });
    try {
      const serial = await producer.ask('call', { callers: 1, ms: size.serialMs }, 60_000);
      const callers = await producer.ask('call', { callers: CALLERS, ms: size.callersMs }, 60_000);
      const bulks = [];
      for (const atOnce of AT_ONCE) bulks.push(await producer.ask('bulk', { jobs: size.bulkJobs, atOnce }, 120_000));
      return {
        serial: serial.jobsPerSecond,
        callers: callers.jobsPerSecond,
        bulk: Math.max(...bulks.map(({ jobsPerSecond }) => jobsPerSecond)),
      };
    } finally {
      await producer.stop();
    }
  },
};
