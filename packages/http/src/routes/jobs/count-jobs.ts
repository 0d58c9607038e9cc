import { z } from '@hono/zod-openapi';
import { countJobs as count, readFilter } from '@duework/operate';
import { checkAskedValues } from '../../access/check-asked-values.js';
import { narrowFilter } from '../../access/narrow-filter.js';
import type { ApiParts, Route } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { filterParameter, filterQuery } from '../../jobs/filter-query.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';

const jobCount = z
  .object({
    count: z.int().describe('At most 10,000.'),
    atLeast: z.boolean().describe('There are more, or (of running jobs beside a long backlog) may be.'),
    text: z.string().describe('As people write it.').openapi({ example: '10,000+' }),
  })
  .openapi('JobCount');

/** The query of a count of jobs. */
export const countQuery = z.strictObject({ filter: filterQuery });

/** `GET /v1/jobs/count`: how many jobs fit a filter, exact up to 10,000. */
export function countJobs(parts: ApiParts): Route {
  return {
    scope: 'read',
    isForSomeTypes: true,
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
      const filter = narrowFilter(c.get('principal'), readFilter(parseQuery(countQuery, c).filter));
      await checkAskedValues(parts, c.get('principal'), filter);
      const found = await readOnStandby(parts, c, (db) => count(db, filter));
      const text = found.count.toLocaleString('en-US') + (found.isAtLeast ? '+' : '');
      return c.json({ count: found.count, atLeast: found.isAtLeast, text });
    },
  };
}
