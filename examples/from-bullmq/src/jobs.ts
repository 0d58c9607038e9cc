import { defineCatalog, defineJob, defineWorkflow, delays } from 'duework';
import { z } from 'zod';

const n = z.int();
/** What BullMQ calls no priority is first: 0. Its 1 to 9 are the same here. */
export const note = defineJob({ type: 'note', queue: 'mail', payload: z.object({ n }), priority: 0 });
export const noteOnce = defineJob({
  type: 'note_once',
  queue: 'mail',
  payload: z.object({ n, account: z.int() }),
  unique: { by: 'account', per: '1m' },
});
export const noteQuietly = defineJob({
  type: 'note_quietly',
  queue: 'mail',
  payload: z.object({ n, box: z.string() }),
  unique: { by: 'box', onConflict: 'replace' },
});
export const shaky = defineJob({
  type: 'shaky',
  queue: 'mail',
  payload: z.object({ n }),
  result: z.int(),
  maxAttempts: 3,
  retry: delays(['50ms', '100ms']),
});
export const hopeless = defineJob({ type: 'hopeless', queue: 'mail', payload: z.object({ n }), maxAttempts: 5 });
export const square = defineJob({
  type: 'square',
  queue: 'mail',
  payload: z.object({ n }),
  result: z.int(),
  progress: z.object({ done: z.int() }),
});
export const sum = defineWorkflow({
  type: 'sum',
  queue: 'mail',
  payload: z.object({ numbers: z.array(n) }),
  result: z.int(),
  jobs: (graph) =>
    graph.each('squares', square, { each: ({ input }) => input.numbers, payload: (one) => ({ n: one }) }),
  returns: ({ squares }) => squares.reduce((all, one) => all + one, 0),
});
/** The limiter of a queue is one of all its jobs: contracts with the same name share it. */
const rate = { name: 'provider', max: 2, per: '500ms' } as const;
export const call = defineJob({ type: 'call', queue: 'calls', payload: z.object({ n }), rate });
export const ring = defineJob({ type: 'ring', queue: 'calls', payload: z.object({ n }), rate });
export const thumbnail = defineJob({
  type: 'thumbnail',
  queue: 'images',
  payload: z.object({ n, side: z.int() }),
  result: z.object({ pixels: z.int(), pid: z.int() }),
  progress: z.int(),
  maxAttempts: 1,
  isolate: { memoryMb: 128 },
});
export const catalog = defineCatalog([
  note,
  noteOnce,
  noteQuietly,
  shaky,
  hopeless,
  square,
  sum,
  call,
  ring,
  thumbnail,
]);
