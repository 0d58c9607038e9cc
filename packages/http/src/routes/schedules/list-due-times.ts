import { z } from '@hono/zod-openapi';
import { isRowId } from '@duework/sql';
import { findDueTimes } from '@duework/schedules';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { dueTimePage } from '../../schedules/present-schedule.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_SCHEDULES } from '../../over-queue/refusals.js';
import { isLater, listedAbout } from '../../shards/plans/merged.js';

const MAX_LIMIT = 1_000;
const limits = `A whole number from 1 to ${MAX_LIMIT}`;
const time = z.iso
  .datetime({ offset: true, error: 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z' })
  .transform((text) => new Date(text))
  .refine(
    (moment) => moment.getUTCFullYear() >= 1970 && moment.getUTCFullYear() <= 9999,
    'The time is outside the years 1970 to 9999',
  );
const query = z.strictObject({
  schedule: plainFilter(200).optional(),
  type: plainFilter(63).optional(),
  job: z.string().refine(isRowId, 'The id of a job').optional(),
  outcome: z.enum(['fired', 'skipped', 'waiting']).optional(),
  from: time.optional(),
  to: time.optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, limits)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIMIT, limits)
    .default(100),
  cursor: z.string().max(100).optional(),
});

/** `GET /v1/due-times`: "did it run last night?" The ledger, newest due times first. */
export function listDueTimes(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_SCHEDULES,
    shards: listedAbout({ rows: 'dueTimes', usualLimit: 100, isBefore: isLater('dueAt'), isTagged: true }, () => [
      'job',
    ]),
    doc: {
      method: 'get',
      path: '/v1/due-times',
      operationId: 'listDueTimes',
      summary: 'List the due times of schedules, newest first',
      parameters: [
        {
          name: 'schedule',
          in: 'query',
          description: 'The key of a schedule, which may be deleted by now.',
          schema: { type: 'string' },
        },
        { name: 'type', in: 'query', schema: { type: 'string' } },
        {
          name: 'job',
          in: 'query',
          description: 'The job that the due time has made.',
          schema: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
        },
        { name: 'outcome', in: 'query', schema: { type: 'string', enum: ['fired', 'skipped', 'waiting'] } },
        { name: 'from', in: 'query', description: 'Included.', schema: { type: 'string', format: 'date-time' } },
        { name: 'to', in: 'query', description: 'Not included.', schema: { type: 'string', format: 'date-time' } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 100 } },
        { name: 'cursor', in: 'query', description: 'nextCursor of the page before.', schema: { type: 'string' } },
      ],
      responses: {
        200: answer('One page.', dueTimePage),
        ...problems('invalid_query', 'invalid_cursor', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const { schedule, job, ...filter } = parseQuery(query, c);
      return c.json(
        await readOnStandby(parts, c, (db) => findDueTimes(db, { ...filter, scheduleKey: schedule, runId: job })),
      );
    },
  };
}
