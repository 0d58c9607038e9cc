import { z } from '@hono/zod-openapi';
import type { PauseOptions } from '@duework/queue-core';
import { actOf } from '../../access/act-of.js';
import type { ApiContext } from '../../api.js';
import { parseBody } from './parse-body.js';
import { readJsonBody } from './read-json-body.js';
import { reason, reasonBody } from './reason-body.js';

const request = z
  .strictObject({
    reason,
    until: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When it goes on by itself; left out: when somebody resumes it.')
      .openapi({ example: '2026-01-31T09:00:00.000Z' }),
  })
  .openapi('PauseRequest');

/** What a route declares whose body, if it has one, says until when something is paused, and why. */
export const pauseBody = {
  ...reasonBody,
  request: { body: { required: false, content: { 'application/json': { schema: request } } } },
};

/** Who pauses something, why, and until when. */
export async function readPause(c: ApiContext): Promise<PauseOptions> {
  const body = parseBody(request, await readJsonBody(c, {}));
  return { ...actOf(c, body.reason), ...(body.until === undefined ? {} : { until: new Date(body.until) }) };
}
