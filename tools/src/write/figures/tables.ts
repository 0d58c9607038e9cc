import type { DocsTable, TableRow } from './render-table.js';

const row = (title: string, measure: string, key: string): TableRow => ({ title, measure, key });

const SPIKE = [
  row('100,000 due in the same second: until all are done, s', 'spike', 'doneSeconds'),
  row('… the first one starts late by, ms', 'spike', 'lateMs'),
];
const SERVER_TIME = row('… processor time in the server, µs per job', 'drain', 'serverMicros');
const WORKER_TIME = row('… in the worker, µs per job', 'drain', 'workerMicros');

const AFTER_COMMIT = 'BullMQ adds the job after the commit: a crash between the two loses it.';
const inTransaction = (title: string, key: string): TableRow => ({
  ...row(title, 'transaction', key),
  footnoted: 'bullmq',
});

const table = (head: string, rows: readonly TableRow[], footnote?: string): DocsTable => ({
  head,
  rows,
  ...(footnote !== undefined && { footnote }),
});

/** The tables that the documentation shows, by the names in its markers. */
export const tables: Readonly<Record<string, DocsTable>> = {
  /** The few figures for README.md. */
  overview: table(
    '',
    [
      inTransaction('A row and its job in a Prisma transaction, one caller, transactions/s', 'plain1'),
      inTransaction('… 20 callers, transactions/s', 'plain20'),
      row('Drain in the steady state, 1 worker process, jobs/s', 'workers-1', 'jobsPerSecond'),
      row('… 8 worker processes, jobs/s', 'workers-8', 'jobsPerSecond'),
      row('Pickup at 1,000/s: p50, ms', 'pickup-1000', 'p50'),
      row('100,000 due in the same second: the first one starts late by, ms', 'spike', 'lateMs'),
    ],
    AFTER_COMMIT,
  ),
  /** What a user's API does. */
  transaction: table(
    'In a Prisma transaction',
    [
      inTransaction('One row and its job, one caller, transactions/s', 'plain1'),
      inTransaction('… p50, ms', 'plain1P50'),
      inTransaction('… 20 callers, transactions/s', 'plain20'),
      inTransaction('… p50, ms', 'plain20P50'),
      inTransaction('The same, the job with a key, one caller, transactions/s', 'keyed1'),
      inTransaction('… p50, ms', 'keyed1P50'),
      inTransaction('… 20 callers, transactions/s', 'keyed20'),
      inTransaction('… p50, ms', 'keyed20P50'),
      row('The row without a job, one caller, transactions/s', 'transaction', 'none1'),
      row('… 20 callers, transactions/s', 'transaction', 'none20'),
      row('Enqueue without a transaction, one after the other, plain client, jobs/s', 'enqueue', 'plain'),
    ],
    AFTER_COMMIT,
  ),
  workers: table(
    'Draining, in the steady state',
    [1, 2, 4, 8, 16].flatMap((count) => {
      const measure = `workers-${count}`;
      return [
        row(`${count} worker process${count === 1 ? '' : 'es'}, jobs/s`, measure, 'jobsPerSecond'),
        // what a job costs is told for the fewest and for the most
        ...(count > 1 && count < 16
          ? []
          : [
              row('… processor time in the server, µs per job', measure, 'serverMicros'),
              row('… in the workers, µs per job', measure, 'workerMicros'),
            ]),
      ];
    }),
  ),
  drain: table('Draining', [
    row('100,000 no-op jobs, one worker, jobs/s', 'drain', 'jobsPerSecond'),
    SERVER_TIME,
    WORKER_TIME,
    row('… write-ahead log, bytes per job', 'drain', 'walBytes'),
    row('20,000 jobs of 5 ms, 100 at once (20,000/s would be perfect), jobs/s', 'wait', 'jobsPerSecond'),
    ...SPIKE,
  ]),
  enqueue: table('Enqueueing', [
    row('One after the other, jobs/s', 'enqueue', 'serial'),
    row('20 callers at once, jobs/s', 'enqueue', 'callers'),
    row('100,000 in batches of 1,000, jobs/s', 'enqueue', 'bulk'),
  ]),
  pickup: table('Pickup, enqueued to started', [
    row('At 100/s: p50, ms', 'pickup-100', 'p50'),
    row('… p99, ms', 'pickup-100', 'p99'),
    row('At 1,000/s: p50, ms', 'pickup-1000', 'p50'),
    row('… p99, ms', 'pickup-1000', 'p99'),
    row('… max, ms', 'pickup-1000', 'max'),
  ]),
  idle: table('Idle, and memory', [
    row('Idle worker, from its second half minute on: statements a second', 'idle', 'queriesPerSecond'),
    row('… processor time, ms/s', 'idle', 'cpuMsPerSecond'),
    row('Memory of a worker that drains a million, MB', 'memory', 'maxMb'),
  ]),
  beside: table('Beside something else', [
    row('Drain beside 1 million finished, against without', 'beside-finished', 'share'),
    row('Drain beside 1 million future ones, against without', 'beside-future', 'share'),
    row('Enqueue and drain at once, jobs/s', 'pinned', 'before'),
    row('… after another session held a transaction open for 60 s, jobs/s', 'pinned', 'after'),
    row('… that against before', 'pinned', 'share'),
  ]),
  flow: table(
    'In line',
    [
      row('100,000 no-op jobs, one at a time for each of 10,000 keys, jobs/s', 'flow-limited', 'jobsPerSecond'),
      row('… that against no limit', 'flow-limited', 'share'),
      { ...row('2,000 no-op jobs of one key, in order, jobs/s', 'flow-ordered', 'jobsPerSecond'), footnoted: 'bullmq' },
      row('… started before one that was enqueued earlier', 'flow-ordered', 'overtaken'),
      { ...row('A rate of 1,000/s over 20 s, 4 workers: off by, %', 'flow-paced', 'off'), footnoted: 'bullmq' },
      row('Enqueued to started of a small tenant, p99, ms', 'flow-shared', 'alone'),
      row('… beside one with 200,000 waiting, ms', 'flow-shared', 'beside'),
    ],
    "BullMQ's open source has a rate and a concurrency of the whole queue, and neither for each key.",
  ),
  /** Both of the engine's clients in one run. */
  clients: table('In one run', [
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
  ]),
  /** What no rival has, or none alike. */
  own: table('Looking, and over HTTP', [
    row('Find a finished job by its id beside 365 daily partitions: p50, ms', 'year', 'find'),
    row('… times as long as beside eight', 'year', 'findTimes'),
    row('Enqueue a duplicate of a finished job beside 365: p50, ms', 'year', 'duplicate'),
    row('… times as long as beside eight', 'year', 'duplicateTimes'),
    row('Retry a dead job beside 365: p50, ms', 'year', 'retry'),
    row('… times as long as beside eight', 'year', 'retryTimes'),
    row('`POST /v1/jobs`, with a key, 20 connections, requests/s', 'http', 'enqueue'),
    row('… p50, ms', 'http', 'enqueueP50'),
    row('`GET /v1/jobs/{id}`, 20 connections, requests/s', 'http', 'find'),
    row('… p50, ms', 'http', 'findP50'),
    row('`GET /livez`, which asks no database, 20 connections, requests/s', 'http', 'livez'),
  ]),
};
