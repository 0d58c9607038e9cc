import { defineCatalog } from '@duework/contracts';
import { readOrigin } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { echo, emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { useShardsProgram } from '../testing/use-shards-program.js';

const { a, b, run } = useShardsProgram(defineCatalog([echo]));
const isAtHome = async (): Promise<boolean[]> =>
  Promise.all([a, b].map(async ({ db }) => (await readOrigin(db)).whyNotAtHome === null));
const jobs = async (): Promise<number[]> => Promise.all([a, b].map(({ db }) => db.jobRun.count()));

/** Both have a job, and have come from elsewhere. */
beforeEach(async () => {
  for (const { db } of [a, b]) {
    await emptyTables(db, 'job_runs, origin');
    await db.$executeRaw`INSERT INTO duework.origin (cluster, database) VALUES ('7000000000000000001', 5)`;
    await enqueue(db, echo, { n: 1 });
  }
});

test('a person says of each database what it is: it is shown, has moved, or is emptied', async () => {
  expect((await run(['origin'])).out).toMatch(
    /was at 7000000000000000001 5, and is at \d+ \d+: no worker starts\. 1 jobs/,
  );
  expect(JSON.parse((await run(['--shard', 'a', 'origin', '--json'])).out)).toMatchObject({
    whyNotAtHome: 'copied',
    jobs: 1,
  });
  await run(['--shard', 'a', 'origin', 'moved', '--reason', 'upgraded']);
  expect(await isAtHome()).toEqual([true, false]);
  expect((await run(['--shard', 'b', 'origin', 'empty', '--yes'])).out).toMatch(/: 1 jobs are dropped, 0 schedules/);
  expect(await isAtHome()).toEqual([true, true]);
  expect(await jobs()).toEqual([1, 0]);
});

test('nothing is dropped unless somebody says yes', async () => {
  await expect(run(['origin', 'empty'])).rejects.toMatchObject({ code: 'confirmation_needed' });
  const asked: string[] = [];
  const say = (answer: boolean) => ({ confirm: async (question: string) => (asked.push(question), answer) });
  await expect(run(['origin', 'empty'], {}, say(false))).rejects.toMatchObject({ code: 'not_confirmed' });
  expect(await jobs()).toEqual([1, 1]);
  await run(['origin', 'empty'], {}, say(true));
  expect(asked[0]).toMatch(/^Drop 1 jobs of duework_test_\w+, and pause 0 schedules\?$/);
  expect(await jobs()).toEqual([0, 0]);
});

test('what may be production is emptied only where somebody insists, because it is a copy of the disks', async () => {
  await run(['origin', 'moved']);
  await expect(run(['origin', 'empty', '--yes'])).rejects.toMatchObject({ code: 'no_copy' });
  expect(await jobs()).toEqual([1, 1]);
  await run(['origin', 'empty', '--yes', '--even-here']);
  expect(await jobs()).toEqual([0, 0]);
});
