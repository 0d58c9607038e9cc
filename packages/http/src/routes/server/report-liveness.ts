import { z } from '@hono/zod-openapi';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';

/** `GET /livez`: the process answers. The database does not matter here, because a restart would not bring it back. */
export function reportLiveness(): QueueRoute {
  return {
    scope: 'public',
    over: 'same',
    shards: 'none',
    doc: {
      method: 'get',
      path: '/livez',
      operationId: 'reportLiveness',
      summary: 'Is the process up?',
      responses: { 200: answer('It is.', z.object({ status: z.literal('live') })), ...problems() },
    },
    handle: (c) => c.json({ status: 'live' }),
  };
}
