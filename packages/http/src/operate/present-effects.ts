import { type Effect, EFFECT_STATUSES } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { idOf } from '../openapi/mark-ids.js';

const effect = z
  .object({
    name: z.string(),
    key: z.string().describe('Of the business event.'),
    status: z
      .enum(EFFECT_STATUSES)
      .describe(
        '`started`: an attempt does it, or was cut off; `unknown`: it may have happened, and a person has to look; `approved`: somebody has looked, and it may be done again; `undone`: it certainly did not happen.',
      ),
    jobId: z.string().describe('The job that did it, or tried to last.').openapi(idOf('job')),
    startedAt: z.iso.datetime(),
    doneAt: z.iso.datetime().nullable(),
  } satisfies Record<keyof Effect, z.ZodType>)
  .openapi('Effect');

export const effectList = z.object({ effects: z.array(effect) }).openapi('EffectList');
