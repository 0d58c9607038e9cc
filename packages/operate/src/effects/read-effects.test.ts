import { enqueue } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { echo, useOperated } from '../testing/use-operated.js';
import { readEffects } from './read-effects.js';

const operated = useOperated();
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 31, 9, minute));
const write = (key: string, name: string, status: string, jobId: string, minute: number) =>
  operated.db().$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, started_at, done_at)
    VALUES ('echo', ${key}, ${name}, ${status}, ${jobId}::text::bigint, 1, ${at(minute).toISOString()}::text::timestamptz,
      CASE WHEN ${status} = 'done' THEN ${at(minute + 1).toISOString()}::text::timestamptz END)`;

test('the effects of a job are told in their order, those of its key that an earlier job has done among them', async () => {
  const { id } = await enqueue(operated.db(), echo, { n: 1 }, { idempotencyKey: 'order:1' });
  const { id: other } = await enqueue(operated.db(), echo, { n: 2 });
  await write('order:1', 'charge', 'done', other, 1);
  await write('order:1', 'mail', 'unknown', id, 2);
  await write('account:7', 'close', 'started', id, 3);
  await write('order:2', 'charge', 'done', other, 4);
  expect(await readEffects(operated.db(), id)).toEqual([
    { name: 'charge', key: 'order:1', status: 'done', jobId: other, startedAt: at(1), doneAt: at(2) },
    { name: 'mail', key: 'order:1', status: 'unknown', jobId: id, startedAt: at(2), doneAt: null },
    { name: 'close', key: 'account:7', status: 'started', jobId: id, startedAt: at(3), doneAt: null },
  ]);
});

test('a job without a key has those of its own, and one that does nothing has none', async () => {
  const [one, two] = await operated.wait(2);
  await write(`run:${one}`, 'mail', 'approved', one!, 1);
  expect(await readEffects(operated.db(), one!)).toMatchObject([{ name: 'mail', status: 'approved' }]);
  expect(await readEffects(operated.db(), two!)).toEqual([]);
  await expect(readEffects(operated.db(), '999')).rejects.toMatchObject({ code: 'job_not_found' });
});
