import { previewReplay as preview, replayEvents as replay, type Replay, type ReplayPreview } from '@duework/operate';
import { mergeReplayPreviews, mergeReplays } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import type { ApiContext, ApiParts } from '../../api.js';
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
import { everywhere, merged } from '../../shards/plans/merged.js';

const replayRequest = z
  .strictObject({
    to: plainText(63).describe('The type that gets them.'),
    from: z.iso.datetime({ offset: true }).describe('Published at this moment or later.'),
    until: z.iso.datetime({ offset: true }).optional().describe('Published before this moment; default: now.'),
    reason,
  })
  .openapi('ReplayRequest');

const replayed = z
  .object({
    replayed: z.int(),
    nextFrom: z.iso.datetime().nullable().describe('Call again from here: there are more. null: it is done.'),
  } satisfies Record<keyof Replay, z.ZodType>)
  .openapi('Replay');
const counted = z
  .object({
    events: z.int(),
    isAtLeast: z.boolean().describe('There are more: only the first were counted.'),
  } satisfies Record<keyof ReplayPreview, z.ZodType>)
  .openapi('ReplayPreview');

type Sent = z.output<typeof replayed>;

const shared = {
  scope: 'operate',
  over: needsDatabase('Events are kept in PostgreSQL alone.'),
  bodyLimitBytes: reasonBody.limitBytes,
} as const;
const doc = {
  method: 'post' as const,
  parameters: [eventParameter],
  request: { body: { required: true, content: { 'application/json': { schema: replayRequest } } } },
};
const PROBLEMS = problems(
  'event_not_found',
  'not_subscribed',
  'invalid_option',
  ...BODY_PROBLEMS,
  ...DATABASE_PROBLEMS,
);

async function readRequest(c: ApiContext) {
  const { to, from, until, reason: why } = parseBody(replayRequest, await readJsonBody(c));
  const event = c.req.param('event') ?? '';
  return { why, asked: { event, to, from: new Date(from), ...(until && { until: new Date(until) }) } };
}

/** `POST /v1/published-events/{event}/replay`: gives a type the kept events of a time that it has not had. */
export function replayEvents({ db, databaseUrl }: ApiParts): QueueRoute {
  return {
    ...shared,
    shards: everywhere<Sent>(mergeReplays),
    doc: {
      ...doc,
      path: '/v1/published-events/{event}/replay',
      operationId: 'replayEvents',
      summary: 'Give a type the kept events that it has not had',
      responses: { 200: answer('At most 10,000 a call.', replayed), ...PROBLEMS },
    },
    async handle(c) {
      const { asked, why } = await readRequest(c);
      const act = actOf(c, why);
      return c.json(await retryConflicts(databaseUrl, () => replay(db, asked, act)));
    },
  };
}

/** `POST /v1/published-events/{event}/replay/preview`: how many events that would be. */
export function previewReplay({ db }: ApiParts): QueueRoute {
  return {
    ...shared,
    shards: merged<ReplayPreview>(mergeReplayPreviews),
    doc: {
      ...doc,
      path: '/v1/published-events/{event}/replay/preview',
      operationId: 'previewReplay',
      summary: 'Count the events that a replay would give',
      responses: { 200: answer('How many.', counted), ...PROBLEMS },
    },
    async handle(c) {
      return c.json(await preview(db, (await readRequest(c)).asked));
    },
  };
}
