import { listEvents as list, type EventState, type EventSubscriber } from '@duework/operate';
import { mergeEvents, type Part } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { problems, READ_PROBLEMS } from '../../openapi/problems.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { merged } from '../../shards/plans/merged.js';

const eventState = z.object({
  event: z.string(),
  version: z.int(),
  keepMs: z.number().nullable().describe('How long it is kept for a replay; null: not at all.'),
  oldestKeptAt: z.iso.datetime().nullable().describe('When the oldest that is kept was published.'),
  subscribers: z.array(
    z.object({
      type: z.string(),
      queue: z.string(),
      version: z.int(),
      isSubscribed: z.boolean().describe('false: no event makes a job of it any more.'),
      delayMs: z.number(),
      workers: z.array(z.string()).describe('The live workers that run it.'),
    } satisfies Record<keyof EventSubscriber, z.ZodType>),
  ),
} satisfies Record<keyof EventState, z.ZodType>);
const eventList = z.object({ events: z.array(eventState) }).openapi('Events');
type Sent = z.output<typeof eventList>;

const mergeLists = (parts: readonly Part<Sent>[]): object => ({
  events: mergeEvents(parts.map(({ shard, answer: { events } }) => ({ shard, answer: events }))),
});

/** `GET /v1/published-events`: the events that workers have told of, and who subscribes. */
export function listEvents(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: needsDatabase('Who subscribes to an event is told to PostgreSQL alone.'),
    shards: merged<Sent>(mergeLists),
    doc: {
      method: 'get',
      path: '/v1/published-events',
      operationId: 'listEvents',
      summary: 'List events, and the types that subscribe to them',
      responses: { 200: answer('By name.', eventList), ...problems(...READ_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ events: await readOnStandby(parts, c, list) });
    },
  };
}
