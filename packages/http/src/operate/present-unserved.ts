import { z } from '@hono/zod-openapi';
import type { UnservedType } from '@duework/operate';

const unservedType = z
  .object({
    queue: z.string(),
    type: z.string(),
    version: z.int(),
    waiting: z.int().describe('How many are due.'),
    oldestWaitingSeconds: z.number(),
    isAtLeast: z.boolean().describe('More jobs of the queue are due than were searched.'),
    missing: z
      .enum(['worker', 'type', 'queue', 'version'])
      .describe('Any worker, one for the type, one that claims from the queue, or one that reads the version.'),
    lastWorker: z.string().nullable().describe('The last that could run them; null: none within 30 days.'),
    lastSeenAt: z.iso.datetime().nullable(),
  } satisfies Record<keyof UnservedType, z.ZodType>)
  .openapi('UnservedType');

export const unservedList = z.object({ unserved: z.array(unservedType) }).openapi('UnservedList');
