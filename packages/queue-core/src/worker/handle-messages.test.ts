import { expect, test } from '@jest/globals';
import type { ClaimedRun } from '../ports/runs.js';
import { echo } from '@duework/testing/fixtures';
import { Alarm } from '../wake/alarm.js';
import type { Engine } from './engine.js';
import { handleMessages } from './handle-messages.js';
import { OwnedRun } from '../claim/owned-run.js';
import { OwnedRuns } from '../claim/owned-runs.js';
import { SharedLeases } from '../leases/lease.js';

test('a renewal is passed back to the heartbeat, so that a replaced lease thread knows of it; one of another claim is not', () => {
  const [owned, leases] = [new OwnedRuns(1, 1), new SharedLeases()];
  const run = new OwnedRun({ id: '7', fence: 2 } as ClaimedRun, echo, 10);
  owned.add(run);
  leases.hold(run.lease);
  const handle = handleMessages({ owned, leases } as unknown as Engine);
  handle({ kind: 'extended', id: '7', fence: 1, grantedMs: 99 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 10 }]);
  handle({ kind: 'extended', id: '7', fence: 2, grantedMs: 50 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
  // an older one that comes late
  handle({ kind: 'extended', id: '7', fence: 2, grantedMs: 40 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
});

test('a wake-up that chose a worker without a free slot, or one that may not claim, is passed on', () => {
  const [owned, alarm] = [new OwnedRuns(1, 1), new Alarm()];
  const brakes = { shutBy: null as string | null };
  const handle = handleMessages({ owned, alarm, brakes } as unknown as Engine);
  let passed = 0;
  const chosen = { kind: 'chosen', isLater: false, passOn: () => passed++ } as const;
  handle(chosen);
  expect([passed, alarm.take().look]).toEqual([0, 'once']);
  brakes.shutBy = 'brake';
  handle(chosen);
  expect([passed, alarm.take().look]).toEqual([1, null]);
  brakes.shutBy = null;
  owned.add(new OwnedRun({ id: '7', fence: 2 } as ClaimedRun, echo, 10));
  owned.startNext();
  handle(chosen);
  expect([passed, alarm.take().look]).toEqual([2, null]);
});
