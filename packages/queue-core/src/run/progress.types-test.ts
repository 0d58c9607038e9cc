import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import type { Handler } from './handler.js';
import type { JobQueue } from '../queue/job-queue.js';

const typed = defineJob({
  type: 'typed',
  payload: z.object({}),
  progress: z.object({ done: z.number() }),
  result: z.object({ total: z.number() }),
});
const untyped = defineJob({ type: 'untyped', payload: z.object({}) });

export const handler: Handler<typeof typed> = ({ progress }) => {
  progress({ done: 1 });
  // @ts-expect-error it has another type
  progress({ done: 'one' });
};
export const anything: Handler<typeof untyped> = ({ progress }) => progress(['anything', 1]);

export async function read(queue: JobQueue): Promise<number> {
  const { total } = await queue.result(typed, '1');
  // @ts-expect-error there is no such field
  void (await queue.result(typed, '1')).totals;
  return total;
}
