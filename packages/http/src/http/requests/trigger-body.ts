import { z } from '@hono/zod-openapi';
import type { TriggerOptions } from '@duework/schedules';
import { actOf } from '../../access/act-of.js';
import type { ApiContext } from '../../api.js';
import { parseBody } from './parse-body.js';
import { readJsonBody } from './read-json-body.js';
import { reason, reasonBody } from './reason-body.js';

const request = z
  .strictObject({
    reason,
    dueTime: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('A due time that was skipped, which is run with its payload and key; left out: it runs as of now.')
      .openapi({ example: '2026-01-31T09:00:00.000Z' }),
  })
  .openapi('TriggerRequest');

/** What a route declares whose body, if it has one, says as which due time a schedule runs, and why. */
export const triggerBody = {
  ...reasonBody,
  request: { body: { required: false, content: { 'application/json': { schema: request } } } },
};

/** Who runs a schedule, why, and as which due time. */
export async function readTrigger(c: ApiContext): Promise<TriggerOptions> {
  const body = parseBody(request, await readJsonBody(c, {}));
  return { ...actOf(c, body.reason), ...(body.dueTime === undefined ? {} : { dueTime: new Date(body.dueTime) }) };
}
