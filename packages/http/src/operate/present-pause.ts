import { z } from '@hono/zod-openapi';
import type { Pause } from '@duework/queue-core';

const time = z.iso.datetime();
const text = z.string().nullable();

export const pause = z
  .object({
    kind: z.enum(['queue', 'type']),
    name: z.string(),
    since: time,
    until: time.nullable().describe('null: until somebody resumes it.'),
    by: text,
    reason: text,
  } satisfies Record<keyof Pause, z.ZodType>)
  .openapi('Pause');

export const pauseList = z.object({ pauses: z.array(pause) }).openapi('PauseList');

export const resumed = z
  // not nullable(): of a schema with a name that becomes one which does not fit null
  .object({ pause: z.union([pause, z.null()]).describe('The pause that has ended; null: there was none.') })
  .openapi('Resumed');
