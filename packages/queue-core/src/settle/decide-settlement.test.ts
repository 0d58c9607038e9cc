import { defineJob, exponential, fixed } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { bury, complete, retry, snooze, type Outcome } from './outcome.js';
import type { ClaimedRun } from '../ports/runs.js';
import { AbortReason } from './attempt-end.js';
import { decideSettlement, type AttemptFacts } from './decide-settlement.js';

const contract = defineJob({ type: 'work', payload: z.object({}), retry: exponential({ base: '10s', cap: '1h' }) });
const runOf = (attempt: number): ClaimedRun => ({ id: '7', fence: 3, attempt, maxAttempts: 5 }) as ClaimedRun;
const run = runOf(1);
const facts = (more: Partial<AttemptFacts> = {}): AttemptFacts => ({
  run,
  contract,
  reason: null,
  random: () => 0.5,
  retryLeftMs: Infinity,
  ...more,
});
const returned = (outcome: Outcome, more: Partial<AttemptFacts> = {}) =>
  decideSettlement(facts(more), { kind: 'returned', outcome }).settlement;

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('a delay that a handler gives', () => {
  test('is never earlier than asked for and at most a fifth later, for a retry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 3_600_000 }), unit, (delayMs, random) => {
        const settlement = returned(retry('later', { delay: `${delayMs}ms` }), { random: () => random });
        if (settlement?.kind !== 'fail') throw new Error('not retried');
        expect(settlement.delayMs).toBeGreaterThanOrEqual(delayMs);
        expect(settlement.delayMs).toBeLessThanOrEqual(Math.ceil(delayMs * 1.2));
      }),
    );
  });

  test('is never earlier than asked for and at most a fifth later, for a snooze', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000 }), unit, (delayMs, random) => {
        const settlement = returned(snooze(`${delayMs}ms`), { random: () => random });
        if (settlement?.kind !== 'snooze') throw new Error('not snoozed');
        expect(settlement.delayMs).toBeGreaterThanOrEqual(delayMs);
        expect(settlement.delayMs).toBeLessThanOrEqual(Math.ceil(delayMs * 1.2));
      }),
    );
  });

  test('brings hundreds of runs that were given the same one back at moments of their own', () => {
    const moments = Array.from({ length: 300 }, () =>
      returned(retry('later', { delay: '60s' }), { random: Math.random }),
    );
    expect(new Set(moments.map((settlement) => (settlement as { delayMs: number }).delayMs)).size).toBeGreaterThan(200);
  });

  test('of nothing waits for at least the base of its rule: nothing is retried at once', () => {
    expect(returned(retry('later', { delay: '0ms' }), { random: () => 0 })).toMatchObject({
      kind: 'fail',
      delayMs: 10_000,
    });
    const quick = defineJob({ type: 'quick', payload: z.object({}), retry: fixed('2s') });
    expect(returned(retry('later', { delay: '0ms' }), { contract: quick, random: () => 0 })).toMatchObject({
      delayMs: 2_000,
    });
  });
});

describe('the outcome that a handler returns', () => {
  test.each([
    ['completes', complete({ n: 1 }), { kind: 'complete', result: { n: 1 } }],
    ['buries', bury('gone', 'It is gone.'), { kind: 'bury', error: { code: 'gone', message: 'It is gone.' } }],
    ['retries', retry('later', { code: 'busy' }), { kind: 'fail', delayMs: 10_000, error: { code: 'busy' } }],
  ] as const)('%s its run', (_, outcome, expected) => {
    expect(returned(outcome as Outcome)).toMatchObject({ id: '7', fence: 3, ...expected });
  });

  test('counts although the attempt was aborted, because what the handler did is done', () => {
    const reason = new AbortReason('timeout', 'too long');
    expect(returned(complete(), { reason })).toMatchObject({ kind: 'complete' });
  });

  test('is not written when the lease was lost', () => {
    const reason = new AbortReason('lease_lost', 'lost');
    const { settlement } = decideSettlement(facts({ reason }), { kind: 'threw', error: reason });
    expect(settlement).toBeNull();
  });

  test('leaves the run dead when its next retry would begin after its time, with the last error', () => {
    expect(returned(retry('later', { code: 'busy' }), { retryLeftMs: 10_000 })).toMatchObject({ kind: 'fail' });
    expect(returned(retry('later', { code: 'busy' }), { retryLeftMs: 9_999 })).toMatchObject({
      kind: 'bury',
      error: { code: 'retry_budget_exhausted', message: expect.stringMatching(/busy: later$/) },
    });
  });

  test('leaves the run dead when its last attempt failed', () => {
    expect(returned(retry('later'), { run: runOf(5) })).toMatchObject({ kind: 'bury' });
  });
});
