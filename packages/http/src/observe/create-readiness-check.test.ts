import { expect, test } from '@jest/globals';
import type { PrismaClient } from '@duework/database';
import { createReadinessCheck } from './create-readiness-check.js';

test('probes that arrive while one is unanswered share it, so that they cannot use up the pool', async () => {
  let asked = 0;
  const hanging = { $queryRaw: () => ((asked += 1), new Promise(() => {})) } as unknown as PrismaClient;
  const check = createReadinessCheck(hanging, 'postgres://localhost/x');
  const outcomes = await Promise.allSettled([check(), check(), check()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toBe(1);
});
