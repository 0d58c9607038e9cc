import { expect, test } from '@jest/globals';
import type { ClaimedRun } from '../store/store.js';
import { echo } from '../testing/internal/test-contracts.js';
import type { Engine } from './engine.js';
import { heedNotices } from './heed-notices.js';
import { HeldRun } from './held-run.js';
import { HeldRuns } from './held-runs.js';
import { SharedLeases } from './leases/shared-leases.js';

test('a renewal is told to the keeper, so that one that begins anew knows of it; one of another claim is not', () => {
  const [held, leases] = [new HeldRuns(1, 1), new SharedLeases()];
  const run = new HeldRun({ id: '7', fence: 2 } as ClaimedRun, echo, 10);
  held.add(run);
  leases.hold(run.lease);
  const heed = heedNotices({ held, leases } as unknown as Engine);
  heed({ kind: 'extended', id: '7', fence: 1, grantedMs: 99 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 10 }]);
  heed({ kind: 'extended', id: '7', fence: 2, grantedMs: 50 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
  // an older one that comes late
  heed({ kind: 'extended', id: '7', fence: 2, grantedMs: 40 });
  expect(leases.read()).toMatchObject([{ fence: 2, grantedMs: 50 }]);
});
