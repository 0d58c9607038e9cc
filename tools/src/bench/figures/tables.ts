import type { DocsTable, TableRow } from './render-table.js';

const row = (title: string, measure: string, key: string): TableRow => ({ title, measure, key });

const SPIKE = [
  row('100,000 due in the same second: until all are done, s', 'spike', 'doneSeconds'),
  row('… the first one starts late by, ms', 'spike', 'lateMs'),
];
const SERVER_TIME = row('… processor time in the server, µs per job', 'drain', 'serverMicros');
const WORKER_TIME = row('… in the worker, µs per job', 'drain', 'workerMicros');

/** The few figures for README.md. */
const overview: DocsTable = {
  source: 'all',
  head: '',
  rows: [
    row('Drain 100,000 no-op jobs, one worker, jobs/s', 'drain', 'jobsPerSecond'),
    row('Enqueue, 20 callers at once, jobs/s', 'enqueue', 'callers'),
    row('Enqueue 100,000 in batches of 1,000, jobs/s', 'enqueue', 'bulk'),
    row('Pickup at 1,000/s: p50, ms', 'pickup-1000', 'p50'),
    ...SPIKE,
    row('Enqueue and drain, after a transaction was open elsewhere for 60 s, jobs/s', 'pinned', 'after'),
  ],
};

const drain: DocsTable = {
  source: 'all',
  head: 'Draining',
  rows: [
    row('100,000 no-op jobs, one worker, jobs/s', 'drain', 'jobsPerSecond'),
    SERVER_TIME,
    WORKER_TIME,
    row('… write-ahead log, bytes per job', 'drain', 'walBytes'),
    row('The same, two workers, jobs/s', 'drain-2', 'jobsPerSecond'),
    row('20,000 jobs of 5 ms, 100 at once (20,000/s would be perfect), jobs/s', 'wait', 'jobsPerSecond'),
    ...SPIKE,
  ],
};

const enqueue: DocsTable = {
  source: 'all',
  head: 'Enqueueing',
  rows: [
    row('One after the other, jobs/s', 'enqueue', 'serial'),
    row('20 callers at once, jobs/s', 'enqueue', 'callers'),
    row('100,000 in batches of 1,000, jobs/s', 'enqueue', 'bulk'),
  ],
};

const pickup: DocsTable = {
  source: 'all',
  head: 'Pickup, enqueued to started',
  rows: [
    row('At 100/s: p50, ms', 'pickup-100', 'p50'),
    row('… p99, ms', 'pickup-100', 'p99'),
    row('At 1,000/s: p50, ms', 'pickup-1000', 'p50'),
    row('… p99, ms', 'pickup-1000', 'p99'),
    row('… max, ms', 'pickup-1000', 'max'),
  ],
};

const idle: DocsTable = {
  source: 'all',
  head: 'Idle, and memory',
  rows: [
    row('Idle worker, from its second half minute on: statements a second', 'idle', 'queriesPerSecond'),
    row('… processor time, ms/s', 'idle', 'cpuMsPerSecond'),
    row('Memory of a worker that drains a million, MB', 'memory', 'maxMb'),
  ],
};

const beside: DocsTable = {
  source: 'all',
  head: 'Beside something else',
  rows: [
    row('Drain beside 1 million finished, against without', 'beside-finished', 'share'),
    row('Drain beside 1 million future ones, against without', 'beside-future', 'share'),
    row('Enqueue and drain at once, jobs/s', 'pinned', 'before'),
    row('… after another session held a transaction open for 60 s, jobs/s', 'pinned', 'after'),
    row('… that against before', 'pinned', 'share'),
  ],
};

/** Both of the engine's clients in one run. */
const clients: DocsTable = {
  source: 'clients',
  head: 'In one run',
  rows: [
    row('Drain 100,000 no-op jobs, one worker, jobs/s', 'drain', 'jobsPerSecond'),
    SERVER_TIME,
    WORKER_TIME,
    row('Enqueue one after the other, jobs/s', 'enqueue', 'serial'),
    row('Enqueue, 20 callers at once, jobs/s', 'enqueue', 'callers'),
    row('Enqueue 100,000 in batches of 1,000, jobs/s', 'enqueue', 'bulk'),
    row('Pickup at 100/s: p50, ms', 'pickup-100', 'p50'),
    row('… p99, ms', 'pickup-100', 'p99'),
    row('Pickup at 1,000/s: p50, ms', 'pickup-1000', 'p50'),
    row('… p99, ms', 'pickup-1000', 'p99'),
  ],
};

/** The tables that the documentation shows, by the names in its markers. */
export const tables: Readonly<Record<string, DocsTable>> = { overview, drain, enqueue, pickup, idle, beside, clients };
