import type { Size } from '../sizes.js';
import type { Place } from '../servers/make-place.js';
import type { RowsAround, System } from '../systems/system.js';
import type { Measure } from './measure.js';
import { measureDrain } from './measure-drain.js';

/**
 * A drain beside many rows that are not drained, and one without them right before or after it: their number must not
 * matter. The two are measured close together, because the machine's speed changes from minute to minute.
 */
const beside = ({
  name,
  title,
  rows,
  takes,
}: {
  readonly name: string;
  readonly title: string;
  readonly rows: (around: Size['around']) => RowsAround;
  readonly takes: (system: System) => boolean;
}): Measure => ({
  name,
  figures: [
    { key: 'jobsPerSecond', title, unit: 'jobs/s' },
    { key: 'share', title: '  against the same queue empty', unit: '×', targets: [{ atLeast: 0.95 }] },
  ],
  takes,
  prepare: ({ adapter, system, url, size }) =>
    adapter.fill(url, rows(system.server === 'redis' ? size.aroundRedis : size.around)),
  async run({ place, openEmpty, round, size, ...turn }) {
    const drainIn = async (where: Place): Promise<number> =>
      (await measureDrain({ ...turn, place: where, jobs: size.drainJobs })).jobsPerSecond;
    const drainEmpty = async (): Promise<number> => {
      const empty = await openEmpty();
      return drainIn(empty).finally(() => empty.drop());
    };
    const first = round % 2 === 0 ? await drainEmpty() : null;
    const jobsPerSecond = await drainIn(place);
    return { jobsPerSecond, share: jobsPerSecond / (first ?? (await drainEmpty())) };
  },
});

export const besideFinished = beside({
  name: 'beside-finished',
  title: 'Drain beside 1 million finished',
  rows: ({ finished }) => ({ finished, future: 0 }),
  // the others keep no such rows, or a few
  takes: ({ name, isOwn }) => isOwn === true || name === 'pg-boss',
});

export const besideFuture = beside({
  name: 'beside-future',
  title: 'Drain beside 1 million future ones',
  rows: ({ future }) => ({ finished: 0, future }),
  takes: () => true,
});
