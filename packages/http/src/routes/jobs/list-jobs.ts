import { z } from '@hono/zod-openapi';
import { readFilter, searchJobs } from '@duework/operate';
import { checkAskedValues } from '../../access/check-asked-values.js';
import { narrowFilter } from '../../access/narrow-filter.js';
import { showJob } from '../../access/shown/show-values.js';
import type { ApiParts, Route } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { decodeCursor, encodeCursor } from '../../jobs/cursor.js';
import { filterParameter, filterQuery } from '../../jobs/filter-query.js';
import { jobPage } from '../../jobs/present-job.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const LIMITS = `A whole number from 1 to ${MAX_LIMIT}`;

/** The query of a list of jobs. */
export const jobsQuery = z.strictObject({
  filter: filterQuery,
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMITS)
    .transform(Number)
    .refine((limit) => limit <= MAX_LIMIT, LIMITS)
    .default(DEFAULT_LIMIT),
  cursor: z.string().optional(),
});

/**
 * `GET /v1/jobs`: live and finished jobs that fit a filter, newest first (running ones alone: the longest due first),
 * page by page, on and back. Jobs that arrive meanwhile don't shift the pages.
 */
export function listJobs(parts: ApiParts): Route {
  const { catalog } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    doc: {
      method: 'get',
      path: '/v1/jobs',
      operationId: 'listJobs',
      summary: 'List the jobs that fit a filter, newest first',
      parameters: [
        filterParameter,
        {
          name: 'limit',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        },
        {
          name: 'cursor',
          in: 'query',
          description: 'nextCursor or previousCursor of a page of the same filter.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: answer('One page.', jobPage),
        ...problems('invalid_query', 'invalid_filter', 'limited_to_types', 'invalid_cursor', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const { cursor, limit, ...given } = parseQuery(jobsQuery, c);
      const filter = narrowFilter(c.get('principal'), readFilter(given.filter));
      await checkAskedValues(parts, c.get('principal'), filter);
      const search = { filter, limit, cursor: cursor === undefined ? undefined : decodeCursor(cursor) };
      const page = await readOnStandby(parts, c, (db) => searchJobs(db, search));
      return answerExactly(c, {
        jobs: page.jobs.map((job) => showJob(catalog, c.get('principal'), job)),
        nextCursor: page.nextCursor === null ? null : encodeCursor(page.nextCursor),
        previousCursor: page.previousCursor === null ? null : encodeCursor(page.previousCursor),
        complete: page.isComplete,
        hint: page.hint,
      });
    },
  };
}
