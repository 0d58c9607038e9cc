import { expect, test } from '@jest/globals';
import type { LeaseToExtend } from '../ports/runs.js';
import { createFakeClock } from '@duework/testing';
import { LeaseHeartbeat } from './heartbeat.js';

test('a lease is renewed when a third of it is over, and never beyond the end of its attempt', async () => {
  const clock = createFakeClock();
  const asked: LeaseToExtend[] = [];
  const stopping = new AbortController();
  const extend = async (batch: readonly LeaseToExtend[]) => {
    asked.push(...batch);
    return batch.map(({ id, renew }) => ({
      id,
      isExtended: renew === 'now',
      isCancelRequested: false,
      cancelRequestedBy: null,
      cancelReason: null,
    }));
  };
  const heartbeat = new LeaseHeartbeat({ extend, clock, intervalMs: 1_000, notify: () => {} });
  const startMs = clock.monotonicMs();
  heartbeat.hold({ id: '1', fence: 1, leaseMs: 6_000, grantedMs: startMs, keepUntilMs: startMs + 5_500 });
  void heartbeat.runUntil(stopping.signal);
  await clock.advance(8_500);
  stopping.abort();
  // due at 2 and 4 s; then there is no time left to ask for
  const expected = ['when_short', 'now', 'when_short', 'now', 'when_short', 'never', 'never', 'never'];
  expect(asked.map(({ renew }) => renew)).toEqual(expected);
});

test('a lease that nobody renews is given up before it ends, even when the next check would be a little late', async () => {
  const clock = createFakeClock();
  const lost: string[] = [];
  const heartbeat = new LeaseHeartbeat({
    extend: () => new Promise(() => {}),
    clock,
    intervalMs: 1_000,
    notify: (message) => {
      if (message.kind === 'lost') lost.push(message.id);
    },
  });
  heartbeat.hold({ id: '1', fence: 1, leaseMs: 4_000, grantedMs: clock.monotonicMs(), keepUntilMs: Infinity });
  await clock.advance(2_700);
  heartbeat.ask();
  expect(lost).toEqual([]);
  // the next check at 3.99 s would be in time, if its timer were never late
  await clock.advance(290);
  heartbeat.ask();
  expect(lost).toEqual(['1']);
});

test('once it has stopped it reports no failure of the heartbeat on its way, and sends none behind it', async () => {
  const clock = createFakeClock();
  const told: string[] = [];
  let cut = (_: Error): void => {};
  let sent = 0;
  const heartbeat = new LeaseHeartbeat({
    extend: () => {
      sent++;
      return new Promise((_, reject) => (cut = reject));
    },
    clock,
    intervalMs: 1_000,
    notify: ({ kind }) => told.push(kind),
  });
  heartbeat.askAgain();
  heartbeat.askAgain();
  heartbeat.stop();
  cut(new Error('the connection was closed'));
  await clock.advance(2_000);
  heartbeat.ask();
  heartbeat.renew();
  expect([told, sent]).toEqual([[], 1]);
});
