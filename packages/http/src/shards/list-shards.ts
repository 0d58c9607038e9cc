import { z } from '@hono/zod-openapi';
import type { Route } from '../api.js';
import { answer } from '../openapi/answers.js';
import { problems } from '../openapi/problems.js';
import { describeShards } from './plans/server.js';
import type { Shards } from './shards.js';

const counts = z.object({
  due: z.int(),
  scheduled: z.int(),
  held: z.int(),
  retrying: z.int(),
  running: z.int(),
});

const shard = z
  .object({
    name: z.string().describe('What its ids begin with, before a point.'),
    isUp: z.boolean(),
    problem: z.enum(['database_away', 'too_slow', 'failed']).nullable().describe('null: it answers.'),
    since: z.iso.datetime().nullable().describe('Since when it is known not to answer.'),
    counts: counts.nullable().describe('Live jobs; null: it has not said.'),
    ofBareIds: z.boolean().describe('An id without a name is one of this shard.'),
  })
  .openapi('Shard');

/** `GET /v1/shards`: the databases behind this API, and which of them answer. */
export function listShards(shards: Shards): Route {
  return {
    scope: 'read',
    doc: {
      method: 'get',
      path: '/v1/shards',
      operationId: 'listShards',
      summary: 'List the shards, and which of them answer',
      responses: { 200: answer('In their order.', z.object({ shards: z.array(shard) })), ...problems() },
    },
    handle: (c) => describeShards(shards, c),
  };
}
