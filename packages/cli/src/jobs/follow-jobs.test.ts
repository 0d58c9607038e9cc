import { enqueueMany, cancelJob, jobRequest } from '@duework/queue-core';
import { searchJobs } from '@duework/operate';
import { sendInvoice } from '@duework/shop';
import { expect, test } from '@jest/globals';
import type { Operations } from '../operations/operations.js';
import { useProgram } from '../testing/use-program.js';
import { followJobs } from './follow-jobs.js';

const { api } = useProgram();

test('a job is told when it comes and after each change, though it fits no more, and an old one is no news', async () => {
  const enqueue = async (from: number, count: number): Promise<string[]> => {
    const requests = Array.from({ length: count }, (_, n) =>
      jobRequest(sendInvoice, { orderId: from + n }, { delay: '1h' }),
    );
    return (await enqueueMany(api.db, requests)).map(({ id }) => id);
  };
  const old = await enqueue(1, 250);
  const steps = [
    async () => void (await cancelJob(api.db, old[249]!)),
    async () => void (await enqueue(500, 1)),
    async () => {},
  ];
  const seen: string[] = [];
  const findJobs: Operations['findJobs'] = (search) => searchJobs(api.db, search);
  const changes = followJobs({ findJobs }, 'status:queued', {
    first: 2,
    isOver: () => steps.length === 0,
    pause: () => steps.shift()!(),
  });
  for await (const { id, status } of changes) seen.push(`${id} ${status}`);
  expect(seen).toEqual([
    `${old[248]!} queued`,
    `${old[249]!} queued`,
    `${old[249]!} cancelled`,
    expect.stringMatching(/^\d+ queued$/),
  ]);
});
