import { z } from '@hono/zod-openapi';
import { findLatestDueTimes, findSchedules } from '@duework/schedules';
import { showSchedule } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { schedulePage } from '../../schedules/present-schedule.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { isFirst, listed } from '../../shards/plans/merged.js';

const MAX_LIMIT = 1_000;
const limits = `A whole number from 1 to ${MAX_LIMIT}`;
const MAX_DUE_TIMES = 20;
const MAX_LINES = 2_000;
const dueTimesExpected = `A whole number from 0 to ${MAX_DUE_TIMES}`;
const query = z
  .strictObject({
    type: plainFilter(63).optional(),
    source: z.enum(['code', 'api']).optional(),
    paused: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, limits)
      .transform(Number)
      .refine((limit) => limit <= MAX_LIMIT, limits)
      .default(100),
    cursor: plainFilter(200).optional(),
    dueTimes: z
      .string()
      .regex(/^\d{1,2}$/, dueTimesExpected)
      .transform(Number)
      .refine((dueTimes) => dueTimes <= MAX_DUE_TIMES, dueTimesExpected)
      .default(0),
  })
  .refine(({ limit, dueTimes }) => limit * dueTimes <= MAX_LINES, {
    path: ['dueTimes'],
    error: `limit times due times is ${MAX_LINES} at most`,
  });

/** `GET /v1/schedules`: schedules, sorted by key, page by page. */
export function listSchedules({ db, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_SCHEDULES,
    shards: listed({
      rows: 'schedules',
      usualLimit: 100,
      isBefore: isFirst('key'),
      cursorBehind: (row) => row['key'] as string,
      isTagged: true,
    }),
    doc: {
      method: 'get',
      path: '/v1/schedules',
      operationId: 'listSchedules',
      summary: 'List schedules by key',
      parameters: [
        { name: 'type', in: 'query', schema: { type: 'string' } },
        { name: 'source', in: 'query', schema: { type: 'string', enum: ['code', 'api'] } },
        { name: 'paused', in: 'query', schema: { type: 'boolean' } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 100 } },
        { name: 'cursor', in: 'query', description: 'nextCursor of the page before.', schema: { type: 'string' } },
        {
          name: 'dueTimes',
          in: 'query',
          description: `The newest so many due times of each schedule, too; times \`limit\` ${MAX_LINES} at most.`,
          schema: { type: 'integer', minimum: 0, maximum: MAX_DUE_TIMES, default: 0 },
        },
      ],
      responses: { 200: answer('One page.', schedulePage), ...problems('invalid_query', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      const { paused, dueTimes, ...filter } = parseQuery(query, c);
      const { schedules, nextCursor } = await findSchedules(db, { ...filter, isPaused: paused });
      const keys = schedules.map(({ key }) => key);
      const latest = dueTimes === 0 ? null : await findLatestDueTimes(db, keys, dueTimes);
      return c.json({
        schedules: schedules.map((one) => ({
          ...showSchedule(catalog, c.get('principal'), one),
          ...(latest === null ? {} : { dueTimes: latest.get(one.key) }),
        })),
        nextCursor,
      });
    },
  };
}
