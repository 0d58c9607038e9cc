import { readWorkflows } from '@duework/operate';
import { mergeWorkflows } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { workflowList } from '../../operate/present-workflows.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import type { QueueRoute } from '../../queue-route.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { merged } from '../../shards/plans/merged.js';

const query = z.strictObject({ type: plainFilter(63).optional() });

/** `GET /v1/workflows`: the durable types, with the steps at which their jobs are and how long those take. */
export function listWorkflows(parts: ApiParts): QueueRoute {
  const durable = parts.catalog.filter(({ durable }) => durable).map(({ type }) => type);
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('Durable jobs are counted by their steps in PostgreSQL; this queue lists jobs.'),
    shards: merged<z.output<typeof workflowList>>(mergeWorkflows),
    doc: {
      method: 'get',
      path: '/v1/workflows',
      operationId: 'listWorkflows',
      summary: 'Count the live durable jobs by step, and time their steps',
      description:
        'At most 30,000 waits are counted, of each step as many and at most 10,000; the newest 2,500 steps that have ended are timed. Over shards the times are those of the shard in which a step is slowest.',
      parameters: [{ name: 'type', in: 'query', schema: { type: 'string' } }],
      responses: { 200: answer('Each type.', workflowList), ...problems('invalid_query', ...READ_PROBLEMS) },
    },
    async handle(c) {
      const { type } = parseQuery(query, c);
      const { types } = c.get('principal');
      const asked = type === undefined ? null : [type];
      const wanted = types === null ? asked : types.filter((one) => asked === null || one === type);
      return c.json(await readOnStandby(parts, c, (db) => readWorkflows(db, { types: wanted, durable })));
    },
  };
}
