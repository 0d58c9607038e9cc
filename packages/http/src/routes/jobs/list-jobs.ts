import { readFilter, searchJobs } from '@duework/operate';
import { checkAskedValues } from '../../access/check-asked-values.js';
import { describeTypes } from '../../access/find-access-refusal.js';
import { narrowFilter } from '../../access/narrow-filter.js';
import { showJob } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { decodeCursor, encodeCursor } from '../../jobs/cursor.js';
import { filterParameter, JOBS_LIMIT, jobsQuery } from '../../jobs/filter-query.js';
import { jobPage } from '../../jobs/present-job.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needs } from '../../over-queue/refusals.js';
import { listJobs as overQueue } from '../../over-queue/list-jobs.js';
import { listedJobs } from '../../shards/plans/merged.js';

/**
 * `GET /v1/jobs`: live and finished jobs that fit a filter, newest first (running ones alone: the longest due first),
 * page by page, on and back. Jobs that arrive meanwhile don't shift the pages.
 */
export function listJobs(parts: ApiParts): QueueRoute {
  const { catalog } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needs('lists', 'This queue does not list its jobs; a job is looked up by its id.', overQueue(parts)),
    shards: listedJobs,
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
          schema: { type: 'integer', minimum: 1, maximum: JOBS_LIMIT.max, default: JOBS_LIMIT.usual },
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
        hint:
          page.jobs.length === 0 && c.get('principal').types !== null
            ? `${describeTypes(c.get('principal'))}.`
            : page.hint,
      });
    },
  };
}
