import { z } from '@hono/zod-openapi';
import { findJobs, STATUSES } from '@duework/queue-core';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { parseQuery } from '../http/parse-query.js';
import { decodeCursor, encodeCursor } from '../jobs/cursor.js';
import { jobPage } from '../jobs/present-job.js';
import { answer } from '../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

/**
 * `GET /v1/jobs`: live and finished jobs, newest first (running ones: the longest due first), page by page. Jobs that
 * arrive meanwhile don't shift the pages.
 */
export function listJobs({ db, catalog }: ApiParts): Route {
  const types = catalog.map(({ type }) => type);
  const queues = [...new Set(catalog.map(({ queue }) => queue))];
  const limits = `A whole number from 1 to ${MAX_LIMIT}`;
  const query = z.strictObject({
    status: z.enum(STATUSES).optional(),
    type: z.enum(types).optional(),
    queue: z.enum(queues).optional(),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, limits)
      .transform(Number)
      .refine((limit) => limit <= MAX_LIMIT, limits)
      .default(DEFAULT_LIMIT),
    cursor: z.string().optional(),
  });
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/jobs',
      operationId: 'listJobs',
      summary: 'List jobs, newest first',
      parameters: [
        { name: 'status', in: 'query', schema: { type: 'string', enum: [...STATUSES] } },
        { name: 'type', in: 'query', schema: { type: 'string', enum: types } },
        { name: 'queue', in: 'query', schema: { type: 'string', enum: queues } },
        {
          name: 'limit',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        },
        { name: 'cursor', in: 'query', description: 'nextCursor of the page before.', schema: { type: 'string' } },
      ],
      responses: {
        200: answer('One page.', jobPage),
        ...problems('invalid_query', 'invalid_cursor', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { cursor, ...filter } = parseQuery(query, c);
      const page = await findJobs(db, { ...filter, cursor: cursor === undefined ? undefined : decodeCursor(cursor) });
      const jobs = page.jobs.map((job) => withhold(c.get('principal'), job));
      return c.json({ jobs, nextCursor: page.nextCursor === null ? null : encodeCursor(page.nextCursor) });
    },
  };
}
