import { mergeContracts } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import { readRegistry, type RegisteredContract, type RegisteredVersion } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { listContracts as overQueue } from '../../over-queue/list-contracts.js';
import { merged } from '../../shards/plans/merged.js';

const version = z
  .object({
    version: z.int(),
    firstSeenAt: z.iso
      .datetime()
      .nullable()
      .describe('When a worker or a deploy first registered it; null: this queue keeps no registry.'),
    payloadSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the payload that a producer may send.'),
    workers: z
      .array(z.string())
      .nullable()
      .describe('The workers that live and read this version, by name; null: this queue does not know them.'),
  } satisfies Record<keyof RegisteredVersion, z.ZodType>)
  .openapi('ContractVersion');

const defaults = z.object({
  version: z.int().describe('The newest version that a worker has run.'),
  queue: z.string(),
  priority: z.int(),
  maxAttempts: z.int(),
  timeoutMs: z.int(),
  leaseMs: z.int(),
  retry: z.record(z.string(), z.unknown()),
  payload: z.unknown().describe('Of a job that is enqueued without one; null: it needs one.'),
} satisfies Record<keyof NonNullable<RegisteredContract['defaults']>, z.ZodType>);

const contract = z
  .object({
    type: z.string(),
    defaults: defaults.nullable().describe('null: it was pushed, and no worker has run it yet.'),
    versions: z.array(version).describe('The oldest first.'),
  } satisfies Record<keyof RegisteredContract, z.ZodType>)
  .openapi('Contract');

/** `GET /v1/contracts`: the registry, for services in other languages and for forms. */
export function listContracts(parts: ApiParts): QueueRoute {
  const { db } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: overQueue(parts),
    shards: merged<{ contracts: z.output<typeof contract>[] }>(mergeContracts),
    doc: {
      method: 'get',
      path: '/v1/contracts',
      operationId: 'listContracts',
      summary: 'List the job types with all their versions and JSON Schemas',
      responses: {
        200: answer('Every contract that was pushed or run here.', z.object({ contracts: z.array(contract) })),
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { types } = c.get('principal');
      const contracts = await readRegistry(db);
      return c.json({
        contracts: types === null ? contracts : contracts.filter(({ type }) => types.includes(type)),
      });
    },
  };
}
