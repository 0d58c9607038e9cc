import { z } from '@hono/zod-openapi';
import { previewSavedSchedule as preview } from '@duework/schedules';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { savedPreview } from '../../schedules/present-schedule.js';
import { keyParameter } from '../../schedules/schedule-problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { bySchedule } from '../../shards/plans/by-schedule.js';

const MAX_COUNT = 1_000;
const counts = `A whole number from 1 to ${MAX_COUNT}`;
const query = z.strictObject({
  count: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, counts)
    .transform(Number)
    .refine((count) => count <= MAX_COUNT, counts)
    .default(5),
});

/**
 * `GET /v1/schedules/{key}/preview`: the next due times of a schedule, marked where the clock changes, and its policies
 * in words.
 */
export function previewSavedSchedule({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_SCHEDULES,
    shards: bySchedule,
    doc: {
      method: 'get',
      path: '/v1/schedules/{key}/preview',
      operationId: 'previewSavedSchedule',
      summary: 'Preview a schedule',
      parameters: [
        keyParameter,
        { name: 'count', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_COUNT, default: 5 } },
      ],
      responses: {
        200: answer('Its next due times.', savedPreview),
        ...problems('schedule_not_found', 'rule_never_fires', 'invalid_query', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { count } = parseQuery(query, c);
      return c.json(await preview(db, c.req.param('key') ?? '', count));
    },
  };
}
