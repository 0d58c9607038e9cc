import { defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { checkSavedSchedules } from './check-saved-schedules.js';
import { saveSchedule } from './save-schedule.js';
import { due } from './due-times/due-template.js';

const database = useTestDatabase();
const v1 = z.object({ day: z.string(), mode: z.string() });
const before = defineJob({ type: 'clean', payload: v1 });
const v2 = z.object({ day: z.iso.date(), mode: z.enum(['fast', 'full']) });
const today = defineJob({
  type: 'clean',
  version: 2,
  payload: v2,
  past: { 1: { payload: v1, lift: (p) => p as never } },
});

test('each saved schedule is checked with its templates filled in, and told by type, version and reason, without a value', async () => {
  const save = (key: string, mode: string): Promise<unknown> =>
    saveSchedule(database.db, before, { key, cron: '0 2 * * *', payload: { day: due.date({ addDays: -1 }), mode } });
  await save('one', 'fast');
  await save('two', 'secret');
  await save('three', 'full');
  await save('four', 'full');
  await database.db
    .$executeRaw`UPDATE duework.schedules SET payload = '{"day": {"$due": "secret"}, "mode": "full"}' WHERE key = 'four'`;
  await database.db.$executeRaw`UPDATE duework.schedules SET job_version = 3 WHERE key = 'three'`;
  const groups = await checkSavedSchedules(database.db, [today]);
  expect(groups).toMatchObject([
    {
      stored: 'schedules',
      type: 'clean',
      version: 1,
      state: 'read',
      waiting: 3,
      wouldParse: 1,
      wouldNot: 2,
      sealed: 0,
    },
    { version: 3, state: 'newer_version', waiting: 1 },
  ]);
  expect(groups[0]!.reasons.map(({ reason }) => reason).sort()).toEqual([
    'a template cannot be filled in',
    expect.stringMatching(/^version 1, lifted from 1 to 2: \/mode Invalid/),
  ]);
  expect(JSON.stringify(groups)).not.toContain('secret');
  await expect(
    checkSavedSchedules(database.db, [today], { signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough');
});
