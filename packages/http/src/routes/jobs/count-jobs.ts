import { z } from '@hono/zod-openapi';
import { countJobs as count, readFilter } from '@duework/operate';
import { checkAskedValues } from '../../access/check-asked-values.js';
import { narrowFilter } from '../../access/narrow-filter.js';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { filterAlone, filterParameter } from '../../jobs/filter-query.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needs } from '../../over-queue/refusals.js';
import { countJobs as overQueue } from '../../over-queue/list-jobs.js';
import { countByFilter } from '../../shards/plans/merged.js';

const jobCount = z
  .object({
    count: z.int().describe('At most 10,000.'),
    atLeast: z.boolean().describe('There are more, or (of running jobs beside a long backlog) may be.'),
    text: z.string().describe('As people write it.').openapi({ example: '10,000+' }),
  })
  .openapi('JobCount');

/** `GET /v1/jobs/count`: how many jobs fit a filter, exact up to 10,000. */
export function countJobs(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needs('lists', 'This queue does not list its jobs, and does not count them either.', overQueue(parts)),
    shards: countByFilter,
    doc: {
      method: 'get',
      path: '/v1/jobs/count',
      operationId: 'countJobs',
      summary: 'Count the jobs that fit a filter, up to 10,000',
      parameters: [filterParameter],
      responses: {
        200: answer('The count.', jobCount),
        ...problems('invalid_query', 'invalid_filter', 'limited_to_types', 'filter_too_broad', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const filter = narrowFilter(c.get('principal'), readFilter(parseQuery(filterAlone, c).filter));
      await checkAskedValues(parts, c.get('principal'), filter);
      const found = await readOnStandby(parts, c, (db) => count(db, filter));
      const text = found.count.toLocaleString('en-US') + (found.isAtLeast ? '+' : '');
      return c.json({ count: found.count, atLeast: found.isAtLeast, text });
    },
  };
}
