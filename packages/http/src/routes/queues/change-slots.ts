import { changeSlots as change, previewSlots as preview, type ResizedWorker, type SlotsChange } from '@duework/operate';
import { sums, type Part } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import type { ApiContext, ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { queueParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { everywhere, merged } from '../../shards/plans/merged.js';

const changeRequest = z
  .strictObject({
    slots: z.number().nullable().describe('How many handlers each worker runs at once; null takes a change back.'),
    reason,
  })
  .openapi('SlotsRequest');

const number = z.int().nullable();
const slotsChange = z
  .object({
    queue: z.string(),
    slots: number.describe('What is set for the queue; null: what the programs declare holds.'),
    workers: z
      .array(
        z.object({ name: z.string(), declared: number, before: number, after: number } satisfies Record<
          keyof ResizedWorker,
          z.ZodType
        >),
      )
      .describe('The live workers of the queue.'),
    before: z.int().describe('Slots of all of them together.'),
    after: z.int(),
    maxConnections: z.int().describe('How many connections the server allows: a handler may need one of its own.'),
  } satisfies Record<keyof SlotsChange, z.ZodType>)
  .openapi('SlotsChange');

const mergeSlots = (parts: readonly Part<SlotsChange>[]): object => ({
  ...parts[0]!.answer,
  workers: parts.flatMap(({ answer: { workers } }) => workers),
  ...sums<'before' | 'after', SlotsChange>(
    parts.map((part) => part.answer),
    'before',
    'after',
  ),
  shards: parts.map(({ shard }) => shard),
});

const shared = {
  scope: 'operate',
  over: needsDatabase('Workers of this queue keep the concurrency that they were started with.'),
  bodyLimitBytes: reasonBody.limitBytes,
} as const;
const doc = {
  parameters: [queueParameter],
  request: { body: { required: true, content: { 'application/json': { schema: changeRequest } } } },
  responses: {
    200: answer('What it does to the workers that live.', slotsChange),
    ...problems('invalid_option', ...BODY_PROBLEMS, ...DATABASE_PROBLEMS),
  },
};
const queueOf = (c: ApiContext): string => c.req.param('queue') ?? '';

/** `PATCH /v1/queues/{queue}/slots`: how many handlers each worker of a queue runs at once, until it is taken back. */
export function changeSlots({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    ...shared,
    shards: everywhere<SlotsChange>(mergeSlots),
    doc: {
      ...doc,
      method: 'patch',
      path: '/v1/queues/{queue}/slots',
      operationId: 'changeSlots',
      summary: 'Change how many handlers the workers of a queue run at once',
    },
    async handle(c) {
      const { slots, reason: why } = parseBody(changeRequest, await readJsonBody(c));
      const act = actOf(c, why);
      return c.json(await retryConflicts(databaseUrl, () => change(db, queueOf(c), slots, act)));
    },
  };
}

/** `POST /v1/queues/{queue}/slots/preview`: what such a change would do, without doing it. */
export function previewSlots({ db }: ApiParts): QueueRoute {
  return {
    ...shared,
    shards: merged<SlotsChange>(mergeSlots),
    doc: {
      ...doc,
      method: 'post',
      path: '/v1/queues/{queue}/slots/preview',
      operationId: 'previewSlots',
      summary: 'See what such a change would do',
    },
    async handle(c) {
      const { slots } = parseBody(changeRequest, await readJsonBody(c));
      return c.json(await preview(db, queueOf(c), slots));
    },
  };
}
