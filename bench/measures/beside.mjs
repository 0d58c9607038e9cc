import { drain } from './measure-drain.mjs';

/** A drain with many rows around that are not to be drained: their number must not matter. */
const beside = ({ name, title, rows, takes }) => ({
  name,
  figures: [
    { key: 'jobsPerSecond', title, unit: 'jobs/s' },
    { key: 'share', title: '  against the same queue empty', unit: '×', shareOf: { figure: 'jobsPerSecond', in: 'drain' }, targets: [{ atLeast: 0.95 }] },
  ],
  takes,
  prepare: ({ adapter, system, url, size }) => adapter.fill(url, rows(system.server === 'redis' ? size.crowdRedis : size.crowd)),
  run: ({ system, lab, place, size, name: turn }) => drain({ system, lab, place, name: turn, jobs: size.drainJobs.all }),
});

export const besideFinished = beside({
  name: 'beside-finished',
  title: 'Drain beside 1 million finished',
  rows: ({ finished }) => ({ finished, future: 0 }),
  // the others keep none, or a few
  takes: ({ name }) => name === 'duework' || name === 'pg-boss',
});
export const besideFuture = beside({
  name: 'beside-future',
  title: 'Drain beside 1 million future ones',
  rows: ({ future }) => ({ finished: 0, future }),
  takes: ({ isVariant }) => !isVariant,
});
