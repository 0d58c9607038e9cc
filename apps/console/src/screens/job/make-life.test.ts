import { expect, test } from '@jest/globals';
import type { Schemas } from '../../api/api-types.js';
import { makeLife } from './make-life.js';
import { numberRounds } from './number-rounds.js';

type Job = Schemas['JobDetail'];
const second = (n: number): string => new Date(n * 1_000).toISOString();
const attempt = (n: number, from: number, to: number): Schemas['JobAttempt'] =>
  ({ attempt: n, outcome: 'failed', claimedAt: second(from), finishedAt: second(to) }) as Schemas['JobAttempt'];

/** The stretches of a life in short: `waiting 3`, `attempt 1 failed 2`; `now` in seconds. */
function life(job: Partial<Job>, now: number, isSuspended = false): string[] {
  const whole = {
    createdAt: second(0),
    runAt: second(0),
    claimedAt: null,
    finishedAt: null,
    attemptHistory: [],
    ...job,
  };
  return makeLife(whole as unknown as Job, now * 1_000, isSuspended).map((stretch) =>
    [
      stretch.kind,
      ...(stretch.kind === 'attempt' ? [stretch.attempt, stretch.outcome] : []),
      (stretch.to - stretch.from) / 1_000,
    ].join(' '),
  );
}

test('a job that waits waits until now, and until it is due', () => {
  expect(life({ status: 'queued', runAt: second(30) }, 10)).toEqual(['waiting 10', 'later 20']);
});

test('a job whose handler waits does so from when it began to, whenever it is looked at again', () => {
  const job: Partial<Job> = { status: 'queued', snoozedAt: second(4), runAt: second(9_999) };
  expect(life(job, 10, true)).toEqual(['waiting 4', 'suspended 6']);
});

test('a job whose attempt that succeeded is on record, because its logs are kept, has worked once', () => {
  const job: Partial<Job> = {
    status: 'succeeded',
    attempts: 1,
    claimedAt: second(2),
    finishedAt: second(5),
    attemptHistory: [{ ...attempt(1, 2, 5), outcome: 'succeeded' }],
  };
  expect(life(job, 100)).toEqual(['waiting 2', 'attempt 1 succeeded 3']);
});

test('a job that succeeded at its second attempt waited, failed, waited for the retry and worked', () => {
  const job: Partial<Job> = {
    status: 'succeeded',
    attempts: 2,
    attemptHistory: [attempt(1, 3, 5)],
    claimedAt: second(15),
    finishedAt: second(16),
  };
  expect(life(job, 100)).toEqual(['waiting 3', 'attempt 1 failed 2', 'backoff 10', 'attempt 2 succeeded 1']);
});

test('a job that runs works until now', () => {
  expect(life({ status: 'running', attempts: 1, claimedAt: second(2) }, 9)).toEqual([
    'waiting 2',
    'attempt 1 running 7',
  ]);
});

test('a dead job ends with its last attempt, a cancelled one with a wait', () => {
  const attemptHistory = [attempt(1, 1, 2)];
  expect(life({ status: 'dead', attemptHistory, finishedAt: second(2.01) }, 50)).toEqual([
    'waiting 1',
    'attempt 1 failed 1',
  ]);
  expect(life({ status: 'cancelled', attemptHistory, finishedAt: second(9) }, 50)).toEqual([
    'waiting 1',
    'attempt 1 failed 1',
    'backoff 7',
  ]);
});

test('a job that was retried by hand was over before, and counts its attempts again', () => {
  const attemptHistory = [attempt(1, 1, 2), attempt(2, 4, 5), attempt(1, 60, 61)];
  const job: Partial<Job> = { status: 'running', attempts: 2, attemptHistory, claimedAt: second(70) };
  expect(life(job, 75)).toEqual([
    'waiting 1',
    'attempt 1 failed 1',
    'backoff 2',
    'attempt 2 failed 1',
    'over 55',
    'attempt 1 failed 1',
    'backoff 9',
    'attempt 2 running 5',
  ]);
  expect(numberRounds({ attempts: 2, attemptHistory })).toEqual({ past: [1, 1, 2], now: 2 });
});

test('an attempt that was interrupted keeps its number, and begins no round', () => {
  const attemptHistory = [{ ...attempt(1, 1, 2), outcome: 'interrupted' as const }, attempt(1, 4, 5)];
  expect(numberRounds({ attempts: 2, attemptHistory })).toEqual({ past: [1, 1], now: 1 });
  // brought back, and running again
  expect(numberRounds({ attempts: 1, attemptHistory })).toEqual({ past: [1, 1], now: 2 });
});
