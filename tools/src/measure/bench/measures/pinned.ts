import { setTimeout as pause } from 'node:timers/promises';
import { openProducer } from '../processes/open-producer.js';
import { openWorkers } from '../processes/open-workers.js';
import { connect } from '../systems/query-once.js';
import type { Measure } from './measure.js';

/** The time limit after all jobs are sent. */
const LATE_MS = 60_000;

/** Another session holds a transaction with a snapshot open while jobs flow, so that no dead row can be removed. */
export const pinned: Measure = {
  name: 'pinned',
  figures: [
    { key: 'before', title: 'Enqueue and drain at once', unit: 'jobs/s' },
    { key: 'after', title: '  a transaction was open for 60 s', unit: 'jobs/s' },
    { key: 'share', title: '  that against before', unit: '×', targets: [{ atLeast: 0.95 }] },
  ],
  maxRounds: 1,
  takes: ({ server }) => server === 'postgres',
  async run({ system, place, size, name }) {
    const { warmUpMs, beforeMs, pinnedMs, lastMs, ahead } = size.pin;
    const producer = await openProducer({ system, url: place.url, name });
    const onDone = (jobs: number): void => producer.send('handled', { jobs });
    const workers = await openWorkers({ system, url: place.url, job: 'nothing', onDone, name });
    const other = await connect(place.url);
    const rateDuring = async (ms: number): Promise<number> => {
      const [beginMs, begin] = [performance.now(), workers.total()];
      await Promise.race([pause(ms), producer.failed, workers.failed]);
      return ((workers.total() - begin) * 1_000) / (performance.now() - beginMs);
    };
    try {
      workers.start();
      const flowing = producer.ask('flow', { ahead }, warmUpMs + beforeMs + pinnedMs + LATE_MS);
      await rateDuring(warmUpMs);
      const before = await rateDuring(beforeMs);
      await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await other.query('SELECT txid_current(), count(*) FROM pg_class');
      await rateDuring(pinnedMs - lastMs);
      const after = await rateDuring(lastMs);
      await other.query('ROLLBACK');
      producer.send('endFlow', {});
      await flowing;
      return { before, after, share: after / before };
    } finally {
      // the workers report their progress to the producer
      await workers.stop();
      await producer.stop();
      await other.end();
    }
  },
};
