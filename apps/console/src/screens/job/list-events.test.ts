import { expect, test } from '@jest/globals';
import type { Schemas } from '../../api/api-types.js';
import { type Deed, listEvents } from './list-events.js';

const second = (n: number): string => new Date(n * 1_000).toISOString();
const attempt = (n: number, from: number) => ({
  attempt: n,
  outcome: 'failed',
  claimedAt: second(from),
  finishedAt: second(from + 1),
});
const deed = (at: number, verb: string, more: Partial<Deed> = {}): Deed =>
  ({ at: second(at), by: 'ana', kind: 'job', target: '7', verb, after: null, reason: null, ...more }) as Deed;
const JOB = {
  createdAt: second(0),
  status: 'dead',
  attempts: 1,
  finishedAt: second(31),
  attemptHistory: [attempt(1, 1), attempt(1, 30)],
  cancelRequestedAt: null,
  snoozedAt: null,
  acknowledgedAt: null,
} as unknown as Schemas['JobDetail'];
const WAITS = { isSuspended: false, hasWaited: false };
const told = (job: Schemas['JobDetail'], deeds: readonly Deed[]) =>
  listEvents(job, WAITS, deeds).map(({ words, detail }) => (detail === null ? words : `${words} (${detail})`));

test('what people did stands in the life of a job where they did it, with who and why', () => {
  expect(told(JOB, [deed(20, 'retry', { reason: 'customer complained' })])).toEqual([
    'enqueued',
    'round 1, attempt 1 failed, took 1 s',
    'retried by ana (customer complained)',
    'round 2, attempt 1 failed, took 1 s',
    'dead: given up',
  ]);
});

test('a bulk action is told as what it did, with its number', () => {
  const bulk = deed(20, 'start_bulk_action', { kind: 'bulk_action', target: '12', after: { verb: 'retry' } });
  const undo = deed(21, 'undo_bulk_action', { kind: 'bulk_action', target: '13', after: { verb: 'retry' } });
  const finish = deed(22, 'finish_bulk_action', { kind: 'bulk_action', target: '12' });
  expect(told(JOB, [bulk, undo, finish]).join()).not.toContain('finish');
  expect(told(JOB, [bulk, undo])).toEqual(
    expect.arrayContaining(['retried by ana in bulk action 12', 'undone by ana in bulk action 13']),
  );
});

test('what the audit tells is told once, and without it what the job knows', () => {
  const job = {
    ...JOB,
    acknowledgedAt: second(50),
    cancelRequestedAt: second(40),
    cancelRequestedBy: 'ana',
    cancelReason: null,
  };
  expect(told(job, [])).toEqual(expect.arrayContaining(['cancel requested by ana', 'acknowledged']));
  const both = told(job, [deed(40, 'cancel'), deed(50, 'acknowledge')]);
  expect(both.filter((words) => /cancel|acknowledge/.test(words))).toEqual(['cancelled by ana', 'acknowledged by ana']);
});
