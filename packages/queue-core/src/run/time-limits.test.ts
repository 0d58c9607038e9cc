import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { ClaimedRun } from '../ports/runs.js';
import { OwnedRun } from '../claim/owned-run.js';
import type { ContextParts } from './make-context.js';
import { runAttempt, type AttemptResult } from './run-attempt.js';
import { AbortReason } from '../settle/attempt-end.js';
import { TimeLimits } from './attempt.js';

const limited = defineJob({ type: 'limited', payload: z.object({}), timeout: '1s' });

/** A clock that a handler can move while it computes, and what waits for the turn of the event loop to end. */
function arrange() {
  const timers: { ms: number; callback: () => void }[] = [];
  const turnEnds: (() => void)[] = [];
  let nowMs = 0;
  const clock: Clock = {
    monotonicMs: () => nowMs,
    after: (ms, callback) => {
      const timer = { ms, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    soon: (callback) => void turnEnds.push(callback),
  };
  const engine = {
    clock,
    random: () => 0,
    backoffOf: new Map(),
    middleware: null,
    graceMs: 2_000,
    limits: new TimeLimits(clock),
    loop: { call: (_: unknown, handler: (context: unknown) => unknown, context: unknown) => handler(context) },
  };
  const run = { id: '1', fence: 1, type: 'limited', version: 1, payload: {}, attempt: 1, maxAttempts: 3 } as ClaimedRun;
  const attempt = (handler: () => Promise<void> | void): { owned: OwnedRun; results: AttemptResult[] } => {
    const owned = new OwnedRun(run, limited, 0);
    const results: AttemptResult[] = [];
    runAttempt(
      { engine: engine as never, owned, handler, context: { run } as ContextParts, startedMs: nowMs },
      (result) => results.push(result),
    );
    return { owned, results };
  };
  return {
    timers,
    turnEnds,
    attempt,
    compute: (ms: number) => void (nowMs += ms),
    endTurn: () => turnEnds.splice(0).forEach((end) => end()),
  };
}

test('an attempt that ends within its turn of the event loop has no timer; a longer one has a timer for the rest of its time', async () => {
  const { timers, turnEnds, attempt, compute, endTurn } = arrange();
  const quick = attempt(() => {});
  const slow = attempt(() => {
    compute(700);
    return new Promise<void>(() => {});
  });
  await Promise.resolve();
  expect(quick.results).toMatchObject([{ settlement: { kind: 'complete' } }]);
  // one for both
  expect(turnEnds).toHaveLength(1);
  endTurn();
  expect(timers.map(({ ms }) => ms)).toEqual([300]);
  timers[0]!.callback();
  expect(slow.owned.abort.reason).toMatchObject({ code: 'timeout' });
});

test('an attempt that has computed beyond its time limit is aborted as soon as its turn has ended', () => {
  const { timers, attempt, compute, endTurn } = arrange();
  attempt(() => {
    compute(5_000);
    return new Promise<void>(() => {});
  });
  endTurn();
  expect(timers.map(({ ms }) => ms)).toEqual([0]);
});

test('an attempt that is aborted before its turn has ended has its grace, and no time limit beside it', () => {
  const { timers, attempt, endTurn } = arrange();
  const { owned } = attempt(() => new Promise<void>(() => {}));
  owned.abort.abort(new AbortReason('cancelled', 'Somebody asked for it.'));
  endTurn();
  expect(timers.map(({ ms }) => ms)).toEqual([2_000]);
});

test('attempts that begin in the next turn get their timers when that turn ends', () => {
  const { timers, turnEnds, attempt, endTurn } = arrange();
  attempt(() => new Promise<void>(() => {}));
  endTurn();
  attempt(() => new Promise<void>(() => {}));
  expect(turnEnds).toHaveLength(1);
  endTurn();
  expect(timers.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
});
