import { type Batch, BATCH_MOMENTS } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import { idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();
const callback = z
  .string()
  .nullable()
  .describe('The id of the job that was enqueued; null: none was, or not yet.')
  .openapi(idOf('job'));

/** A batch, for the document and for its answers. */
export const batch = z
  .object({
    id: z.string().openapi(idOf('batch')),
    name: z.string().nullable(),
    jobs: z.int().describe('All jobs of it.'),
    succeeded: z.int(),
    dead: z.int(),
    cancelled: z.int(),
    open: z.int().describe('Those that have not ended.'),
    createdAt: time,
    settledAt: time.nullable().describe('When the last job had ended; nothing can be added since.'),
    callbacks: z.object({ onSettled: callback, onSucceeded: callback, onFirstDead: callback }),
    planned: z.array(z.enum(BATCH_MOMENTS)).describe('The callbacks that it was given.'),
  } satisfies Record<keyof Batch, z.ZodType>)
  .openapi('Batch');

export const batchParameter = {
  name: 'id',
  in: 'path' as const,
  required: true,
  description: 'The id of the batch.',
  schema: { type: 'string' as const, maxLength: 64 },
};
