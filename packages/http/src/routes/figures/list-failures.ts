import { mergeFailures } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { FAILURE_RANGES, type FailureRange, readFailures } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { maySeePayloads } from '../../access/shown/withhold.js';
import { failureList } from '../../operate/present-failures.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';

const ranges = Object.keys(FAILURE_RANGES) as [FailureRange, ...FailureRange[]];
const query = z.strictObject({ type: plainFilter(63).optional(), range: z.enum(ranges).default('24h') });

/** `GET /v1/failures`: why jobs died lately or wait for a retry, grouped by what their errors have in common. */
export function listFailures(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase(
      'Failures are grouped in PostgreSQL; this queue lists its dead jobs with the filter status:dead.',
    ),
    shards: merged<z.output<typeof failureList>>(mergeFailures),
    doc: {
      method: 'get',
      path: '/v1/failures',
      operationId: 'listFailures',
      summary: 'Group the jobs that failed lately by their errors',
      description:
        'Dead jobs and jobs that wait for a retry, by their last error; without the scope `payloads` by its code and type alone.',
      parameters: [
        { name: 'type', in: 'query', schema: { type: 'string' } },
        { name: 'range', in: 'query', schema: { type: 'string', enum: ranges, default: '24h' } },
      ],
      responses: {
        200: answer('The groups, and in which step of time how many of their jobs failed.', failureList),
        ...problems('invalid_query', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const { type, range } = parseQuery(query, c);
      const principal = c.get('principal');
      const { types } = principal;
      const areTextsShown = maySeePayloads(principal);
      const asked = type === undefined ? null : [type];
      let wanted = asked;
      if (types !== null) wanted = types.filter((one) => asked === null || one === type);
      return c.json(await readOnStandby(parts, c, (db) => readFailures(db, { range, types: wanted, areTextsShown })));
    },
  };
}
