import { expect, test } from '@jest/globals';
import type { ClaimedRun } from '../ports/runs.js';
import { echo } from '@duework/testing/fixtures';
import type { Engine } from './engine.js';
import { handleMessages } from './handle-messages.js';
import { HeldRun } from './held-run.js';
import { HeldRuns } from './held-runs.js';
import { SharedLeases } from './leases/shared-leases.js';

test('a renewal is passed back to the heartbeat, so that a replaced lease thread knows of it; one of another claim is not', () => {
  const [held, leases] = [new HeldRuns(1, 1), new SharedLeases()];
  const run = new HeldRun({ id: '7', fence: 2 } as ClaimedRun, echo, 10);
  held.add(run);
  leases.hold(run.lease);
  const handle = handleMessages({ held, leases } as unknown as Engine);
  handle({ kind: 'extended', id: '7', fence: 1, grantedMs: 99 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 10 }]);
  handle({ kind: 'extended', id: '7', fence: 2, grantedMs: 50 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
  // an older one that comes late
  handle({ kind: 'extended', id: '7', fence: 2, grantedMs: 40 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
});
