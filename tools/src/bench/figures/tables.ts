import type { DocsTable, TableRow } from './render-table.js';

const row = (title: string, measure: string, key: string): TableRow => ({ title, measure, key });

const DRAIN = row('Drain 100,000 no-op jobs, one worker, jobs/s', 'drain', 'jobsPerSecond');
const SERVER_CPU = row('… processor time in the server, µs per job', 'drain', 'serverMicros');
const WORKER_CPU = row('… in the worker, µs per job', 'drain', 'workerMicros');
const CALLS = row('Enqueue one after the other, jobs/s', 'enqueue', 'serial');
const CALLERS = row('Enqueue, 20 callers at once, jobs/s', 'enqueue', 'callers');
const BULK = row('Enqueue 100,000 in batches of 1,000, jobs/s', 'enqueue', 'bulk');
const PICKUP_100 = [
  row('Pickup at 100/s, enqueued to started: p50, ms', 'pickup-100', 'p50'),
  row('… p99, ms', 'pickup-100', 'p99'),
];
const PICKUP_1000 = row('Pickup at 1,000/s: p50, ms', 'pickup-1000', 'p50');
const PICKUP_1000_P99 = row('… p99, ms', 'pickup-1000', 'p99');
const SPIKE = [
  row('100,000 due in the same second: until all are done, s', 'spike', 'doneSeconds'),
  row('… the first one starts late by, ms', 'spike', 'lateMs'),
];

/** The tables that the documentation shows, by the names in its markers. */
export const tables: Readonly<Record<string, DocsTable>> = {
  /** README.md: a few of all. */
  overview: {
    source: 'all',
    rows: [
      DRAIN,
      CALLERS,
      BULK,
      PICKUP_1000,
      ...SPIKE,
      row('Enqueue and drain, after a transaction was open elsewhere for 60 s, jobs/s', 'pinned', 'after'),
    ],
  },
  /** docs/performance.md: everything that is measured unless asked otherwise. */
  all: {
    source: 'all',
    rows: [
      DRAIN,
      SERVER_CPU,
      WORKER_CPU,
      row('… write-ahead log, bytes per job', 'drain', 'walBytes'),
      row('The same, two workers, jobs/s', 'drain-2', 'jobsPerSecond'),
      row('20,000 jobs of 5 ms, 100 at once (20,000/s would be perfect), jobs/s', 'wait', 'jobsPerSecond'),
      CALLS,
      CALLERS,
      BULK,
      ...PICKUP_100,
      PICKUP_1000,
      PICKUP_1000_P99,
      row('… max, ms', 'pickup-1000', 'max'),
      row('Idle worker, from its second half minute on: statements a second', 'idle', 'queriesPerSecond'),
      row('… processor time, ms/s', 'idle', 'cpuMsPerSecond'),
      ...SPIKE,
      row('Drain beside 1 million finished, against without', 'beside-finished', 'share'),
      row('Drain beside 1 million future ones, against without', 'beside-future', 'share'),
      row('Enqueue and drain at once, jobs/s', 'pinned', 'before'),
      row('… after another session held a transaction open for 60 s, jobs/s', 'pinned', 'after'),
      row('… that against before', 'pinned', 'share'),
      row('Memory of a worker that drains a million, MB', 'memory', 'maxMb'),
    ],
  },
  /** docs/performance.md: both of the engine's clients in one run. */
  clients: {
    source: 'clients',
    rows: [DRAIN, SERVER_CPU, WORKER_CPU, CALLS, CALLERS, BULK, ...PICKUP_100, PICKUP_1000, PICKUP_1000_P99],
  },
};
