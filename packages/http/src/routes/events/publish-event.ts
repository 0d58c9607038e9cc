import { DueworkError, publish } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { answer } from '../../openapi/answers.js';
import { idOf } from '../../openapi/mark-ids.js';
import { eventParameter, repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import { needs } from '../../over-queue/refusals.js';
import { once } from '../../over-queue/refuse-repeats.js';
import type { QueueRoute } from '../../queue-route.js';
import { publishToShard } from '../../shards/plans/enqueue.js';
import { knownEvents } from './known-events.js';

const request = z
  .strictObject({
    payload: z.record(z.string(), z.unknown()),
    idempotencyKey: z.string().optional().describe('Published again with it, the event is the first one.'),
    meta: z.record(z.string(), z.string()).optional().describe('Texts to keep beside the payload of each job.'),
  })
  .openapi('NewEvent');

const published = z
  .object({
    id: z.string().nullable().describe('null: nothing is kept of it.'),
    deduplicated: z.boolean().describe('It was published before, with the same key: these are its jobs.'),
    jobs: z
      .array(z.object({ type: z.string(), id: z.string().openapi(idOf('job')) }))
      .describe('One for each type that subscribes.'),
  })
  .openapi('PublishedEvent');

/** `POST /v1/published-events/{event}`: publishes an event, which is a job for each type that subscribes. */
export function publishEvent(parts: ApiParts): QueueRoute {
  const { queue, payloadLimitBytes } = parts;
  const known = knownEvents(parts);
  return {
    scope: 'enqueue',
    over: needs('events', 'Nothing tells this queue who subscribes to an event.', once),
    shards: publishToShard(known),
    doc: {
      method: 'post',
      path: '/v1/published-events/{event}',
      operationId: 'publishEvent',
      summary: 'Publish an event: a job for each type that subscribes',
      parameters: [eventParameter, repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The key is taken: the jobs of the first event.', published),
        202: answer('The jobs are in the queue.', published),
        ...problems(
          ...BODY_PROBLEMS,
          'event_not_found',
          'invalid_payload',
          'payload_not_storable',
          'payload_too_large',
          'object_not_kept',
          'key_ring_missing',
          'invalid_idempotency_key',
          'invalid_option',
          ...REPEAT_PROBLEMS,
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const name = c.req.param('event') ?? '';
      const event = known.find((one) => one.name === name);
      if (event === undefined)
        throw new DueworkError('event_not_found', { event: name, events: known.map((one) => one.name) });
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const { payload, idempotencyKey, meta } = parseBody(request, await readJsonBody(c));
          const options = {
            payloadLimitBytes,
            ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
            ...(meta === undefined ? {} : { meta }),
          };
          const sending = tx === null ? queue.publish(event, payload, options) : publish(tx, event, payload, options);
          const { isDeduplicated, ...sent } = await sending.catch(pointIntoBody);
          return { status: isDeduplicated ? 200 : 202, body: { ...sent, deduplicated: isDeduplicated } };
        },
        () => {},
      );
    },
  };
}

/** Throws it again, with what is wrong with the payload by its place in the body. */
function pointIntoBody(error: unknown): never {
  if (!DueworkError.is(error, 'invalid_payload')) throw error;
  const { type, issues } = error.facts;
  const errors = issues.map(({ pointer, message }) => ({ pointer: `/payload${pointer}`, message }));
  throw new ApiError('invalid_payload', `The payload of ${type} is not valid; see errors.`, { errors });
}
