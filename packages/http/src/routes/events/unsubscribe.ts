import { unsubscribe as end } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { plainText } from '../../http/requests/plain-text.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { eventParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { everywhere } from '../../shards/plans/merged.js';

const request = z
  .strictObject({ type: plainText(63).describe('The type that subscribes.'), reason })
  .openapi('UnsubscribeRequest');
const ended = z.object({ event: z.string(), type: z.string() }).openapi('Unsubscribed');

/** `POST /v1/published-events/{event}/unsubscribe`: ends the subscription of a type whose contract is gone. */
export function unsubscribe({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: needsDatabase('Who subscribes to an event is told to PostgreSQL alone.'),
    shards: everywhere<z.output<typeof ended>>((parts) => parts[0]!.answer),
    bodyLimitBytes: reasonBody.limitBytes,
    doc: {
      method: 'post',
      path: '/v1/published-events/{event}/unsubscribe',
      operationId: 'unsubscribe',
      summary: 'End the subscription of a type whose contract is gone',
      parameters: [eventParameter],
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('No event makes a job of it any more.', ended),
        ...problems(
          'event_not_found',
          'not_subscribed',
          'still_subscribed',
          'invalid_option',
          ...BODY_PROBLEMS,
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    async handle(c) {
      const { type, reason: why } = parseBody(request, await readJsonBody(c));
      const event = c.req.param('event') ?? '';
      const act = actOf(c, why);
      await retryConflicts(databaseUrl, () => end(db, event, type, act));
      return c.json({ event, type });
    },
  };
}
