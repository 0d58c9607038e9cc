import { DueworkError, signal } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import { ApiError } from '../../api-error.js';
import type { ApiParts } from '../../api.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { answer } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needs } from '../../over-queue/refusals.js';
import { once } from '../../over-queue/refuse-repeats.js';
import { sendToShard } from '../../shards/plans/enqueue.js';

const sent = z
  .object({ isAwaited: z.boolean().describe('A job waited for it; else it is kept for the first that will.') })
  .openapi('SentSignal');

/** Throws it again; what is wrong with a payload is told by its place in the body, which is the payload itself. */
function pointIntoBody(error: unknown): never {
  if (!DueworkError.is(error, 'invalid_payload')) throw error;
  const { type, issues } = error.facts;
  throw new ApiError('invalid_payload', `The payload of ${type} is not valid; see errors.`, { errors: issues });
}

/** `POST /v1/signals/{name}`: sends a signal, whose payload is the body. */
export function sendSignal(parts: ApiParts): QueueRoute {
  const { queue, signals = [], payloadLimitBytes } = parts;
  return {
    scope: 'signal',
    over: needs('steps', 'No job of this queue waits for a signal: it has no durable steps.', once),
    shards: sendToShard(signals),
    doc: {
      method: 'post',
      path: '/v1/signals/{name}',
      operationId: 'sendSignal',
      summary: 'Send a signal to the job that waits for it, or that will',
      parameters: [repeatParameter],
      request: {
        params: z.object({ name: z.string() }),
        body: {
          required: true,
          content: { 'application/json': { schema: z.record(z.string(), z.unknown()).describe('The payload.') } },
        },
      },
      responses: {
        200: answer('The signal is sent.', sent),
        ...problems(
          ...BODY_PROBLEMS,
          'not_found',
          'invalid_payload',
          'payload_not_storable',
          'payload_too_large',
          'key_ring_missing',
          ...REPEAT_PROBLEMS,
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const name = c.req.param('name') ?? '';
      const contract = signals.find((known) => known.name === name);
      if (contract === undefined) throw new ApiError('not_found', `This API sends no signal ${JSON.stringify(name)}.`);
      return answerRepeatable(
        c,
        parts,
        async (tx) => {
          const payload = (await readJsonBody(c)) as never;
          const sending =
            tx === null
              ? queue.signal(contract, payload, { payloadLimitBytes })
              : signal(tx, contract, payload, { payloadLimitBytes });
          const isAwaited = await sending.catch(pointIntoBody);
          return { status: 200, body: { isAwaited } };
        },
        () => {},
      );
    },
  };
}
