import { z } from '@hono/zod-openapi';
import { findSchedules } from '@duework/schedules';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { parseQuery } from '../http/parse-query.js';
import { plainFilter } from '../http/plain-text.js';
import { answer } from '../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';
import { schedulePage } from '../schedules/present-schedule.js';

const MAX_LIMIT = 1_000;
const limits = `A whole number from 1 to ${MAX_LIMIT}`;
const query = z.strictObject({
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
});

/** `GET /v1/schedules`: schedules, sorted by key, page by page. */
export function listSchedules({ db }: ApiParts): Route {
  return {
    scope: 'read',
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
      ],
      responses: { 200: answer('One page.', schedulePage), ...problems('invalid_query', ...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      const { paused, ...filter } = parseQuery(query, c);
      const { schedules, nextCursor } = await findSchedules(db, { ...filter, isPaused: paused });
      return c.json({ schedules: schedules.map((each) => withhold(c.get('principal'), each)), nextCursor });
    },
  };
}
