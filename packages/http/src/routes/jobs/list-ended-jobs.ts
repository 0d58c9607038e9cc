import { readEndedJobs } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { showJob } from '../../access/shown/show-values.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { JOBS_LIMIT, jobsQuery } from '../../jobs/filter-query.js';
import { endedPage } from '../../jobs/present-job.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { endedJobs } from '../../shards/plans/ended.js';

const query = z.strictObject({
  after: z.string().max(8_000).optional(),
  types: plainFilter(4_000)
    .transform((types) => types.split(','))
    .optional(),
  limit: jobsQuery.shape.limit,
});

/** `GET /v1/ended-jobs`: what has ended behind a cursor, each end at least once. */
export function listEndedJobs({ db, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('What has ended is read in the order of its transactions, which this queue does not have.'),
    shards: endedJobs(JOBS_LIMIT.usual),
    doc: {
      method: 'get',
      path: '/v1/ended-jobs',
      operationId: 'listEndedJobs',
      summary: 'Read what has ended, each end at least once',
      description: 'Store the cursor when you have handled a page, and ask for what is behind it.',
      parameters: [
        {
          name: 'after',
          in: 'query',
          description:
            'The cursor of the page before; `now`: no job, and the cursor of now. Without it: from the oldest.',
          schema: { type: 'string' },
        },
        {
          name: 'types',
          in: 'query',
          description: 'Types of jobs, with commas between them. Without it: every type.',
          schema: { type: 'string' },
        },
        {
          name: 'limit',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: JOBS_LIMIT.max, default: JOBS_LIMIT.usual },
        },
      ],
      responses: {
        200: answer('One page.', endedPage),
        ...problems('invalid_query', 'invalid_cursor', 'cursor_ahead', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { types: asked, ...given } = parseQuery(query, c);
      const principal = c.get('principal');
      const types = principal.types?.filter((type) => asked === undefined || asked.includes(type)) ?? asked;
      const { jobs, cursor, isCaughtUp } = await readEndedJobs(db, { ...given, types });
      return answerExactly(c, {
        jobs: jobs.map((job) => showJob(catalog, principal, job)),
        cursor,
        caughtUp: isCaughtUp,
      });
    },
  };
}
