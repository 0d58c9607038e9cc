import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { ClaimedRun } from '../ports/runs.js';
import { OwnedRun } from '../claim/owned-run.js';
import { OwnedRuns } from '../claim/owned-runs.js';

const work = defineJob({ type: 'work', payload: z.object({}) });
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('where there is always more to start, what was started and settled is kept by nobody', async () => {
  const owned = new OwnedRuns(1, 10);
  const refs: WeakRef<OwnedRun>[] = [];
  let last = 0;
  const claim = (): void => {
    const added = new OwnedRun({ id: String(++last), fence: 1 } as ClaimedRun, work, 0);
    refs.push(new WeakRef(added));
    owned.add(added);
  };
  claim();
  for (let n = 0; n < 5_000; n++) {
    claim();
    const next = owned.startNext()!;
    owned.remove(next);
    owned.freeSlot(1);
    // never empty
    expect(owned.bufferedCount).toBe(1);
  }
  // what a WeakRef has returned is kept alive until the turn is over
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(1_500);
});
