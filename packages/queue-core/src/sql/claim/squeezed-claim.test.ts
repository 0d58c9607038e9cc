import { expect, test } from '@jest/globals';
import type { Queryable, Statement } from '@duework/sql';
import { claimRuns } from './claim-runs.js';

test('a claim sends no comments and no superfluous blanks', async () => {
  let sent = '';
  const db: Queryable = {
    $queryRaw: async <T>({ text }: Statement) => {
      sent = text;
      return [{ runs: null, now_seconds: 0, due_in_ms: null, took_ms: 0 }] as T;
    },
  };
  await claimRuns(db, { queue: '', contracts: new Map(), worker: '', limit: 0 });
  expect(sent).toMatch(/^ WITH paused AS/);
  expect(sent).not.toMatch(/--|\s\s/);
});
