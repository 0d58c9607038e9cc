import { createFakeClock } from '@duework/testing';
import { expect, test } from '@jest/globals';
import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import { OwnedRun } from '../claim/owned-run.js';
import { SessionBrake } from '../claim/claim-brakes.js';
import { AbortReason } from '../settle/attempt-end.js';
import { isOver, isSure, untilSure } from './hold-lease.js';
import type { Heartbeat } from './heartbeat.js';

const contract = defineJob({ type: 'echo', payload: z.object({}), lease: '30s' });

/** A worker with one run, which it has just claimed; `renewals` counts how often it has asked. */
function claimOne() {
  const clock = createFakeClock();
  const session = new SessionBrake();
  const seen = { renewals: 0, isDone: false };
  const leases = { renew: () => void seen.renewals++ } as Heartbeat;
  const engine = { clock, session, leases, heartbeatMs: 1_000 };
  const owned = new OwnedRun({ id: '1', fence: 1 } as OwnedRun['run'], contract, clock.monotonicMs());
  const now = (): boolean => isSure(engine, owned, clock.monotonicMs());
  const begin = async (): Promise<void> => {
    void untilSure(engine, owned).then(() => (seen.isDone = true));
    await clock.advance(1);
  };
  const tell = async (change: () => void): Promise<void> => {
    change();
    owned.onLeaseNews?.();
    await clock.advance(0);
  };
  return { clock, session, owned, engine, seen, now, begin, tell };
}

test('a run that was claimed within the last second starts without asking', () => {
  const { now } = claimOne();
  expect(now()).toBe(true);
});

test('after a stop of the process a lease is renewed before its run starts, however long it is', async () => {
  const { clock, owned, seen, now, begin, tell } = claimOne();
  await clock.advance(1_000);
  expect(now()).toBe(false);
  await begin();
  expect(seen).toEqual({ renewals: 1, isDone: false });
  await tell(() => (owned.lease.grantedMs = clock.monotonicMs()));
  expect(seen).toEqual({ renewals: 1, isDone: true });
});

test('while the session is away nothing starts, and then only what was renewed in the new one', async () => {
  const { clock, session, owned, seen, now, begin, tell } = claimOne();
  session.goAway();
  expect(now()).toBe(false);
  await begin();
  await clock.advance(500);
  session.comeBack(clock.monotonicMs());
  expect(now()).toBe(false);
  await tell(() => {});
  expect(seen.isDone).toBe(false);
  await tell(() => (owned.lease.grantedMs = clock.monotonicMs()));
  expect(seen.isDone).toBe(true);
});

test('where the database does not answer it is asked again at each heartbeat, until the lease is over', async () => {
  const { clock, owned, engine, seen, begin } = claimOne();
  await clock.advance(1_000);
  await begin();
  for (let second = 0; second < 40 && !seen.isDone; second++) await clock.advance(1_000);
  expect(seen.isDone).toBe(true);
  expect(isOver(engine, owned, clock.monotonicMs())).toBe(true);
  expect(seen.renewals).toBeGreaterThan(20);
});

test('a run that is aborted meanwhile waits no longer: a worker that stops keeps no slot for it', async () => {
  const { clock, owned, seen, begin } = claimOne();
  await clock.advance(1_000);
  await begin();
  owned.abort.abort(new AbortReason('shutting_down', 'The worker stopped.'));
  await clock.advance(0);
  expect(seen).toEqual({ renewals: 1, isDone: true });
});

test('a lease that another worker has is not waited for', async () => {
  const { clock, owned, seen, begin, tell } = claimOne();
  await clock.advance(1_000);
  await begin();
  await tell(() => owned.abort.abort(new AbortReason('lease_lost', 'The lease of this run was lost.')));
  expect(seen).toEqual({ renewals: 1, isDone: true });
});
