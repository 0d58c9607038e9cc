import { mergeParses } from '@duework/shards/merges';
import { isName } from '@duework/contracts';
import { z } from '@hono/zod-openapi';
import { type PayloadFault, type PayloadParses, type SampledVersion, sampleQueuedPayloads } from '@duework/queue-core';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { typeParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { idOf } from '../../openapi/mark-ids.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';

const fault = z
  .object({
    code: z
      .enum(['invalid_payload', 'lift_threw', 'rule_threw', 'payload_not_readable'])
      .describe('Refused by a schema; by a step from its version to the next; by a rule that threw; not decryptable.'),
    path: z
      .string()
      .describe('Where, with * for indices and keys that no schema declares; empty: the payload itself.')
      .openapi({ example: '/items/*/amount' }),
    jobs: z.int(),
    jobId: z.string().describe('One of them.').openapi(idOf('job')),
  } satisfies Record<keyof PayloadFault, z.ZodType>)
  .openapi('PayloadFault');

const version = z
  .object({
    version: z.int(),
    state: z
      .enum(['read', 'unknown_type', 'newer_version', 'older_version'])
      .describe('`read`: this server has its code; otherwise nothing was parsed.'),
    checked: z.int(),
    fits: z.int(),
    sealed: z.int().describe('Encrypted with a key that this server lacks.'),
    faulty: z.int(),
    faults: z.array(fault).describe('The most frequent first, at most 20; a job may have several.'),
  } satisfies Record<keyof SampledVersion, z.ZodType>)
  .openapi('SampledVersion');

const parses = z
  .object({
    looked: z.int().describe('How many live jobs of any type were looked at.'),
    isComplete: z.boolean().describe('false: only the oldest and the newest were looked at, or only some were parsed.'),
    versions: z.array(version).describe('The oldest first.'),
  } satisfies Record<keyof PayloadParses, z.ZodType>)
  .openapi('PayloadParses');

/** `GET /v1/contracts/{type}/parses`: whether what waits of a type would parse by the code of this server. */
export function checkPayloads({ db, catalog }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase(
      'Waiting payloads are sampled in PostgreSQL, and this queue does not list them by type and version.',
    ),
    shards: merged<z.output<typeof parses>>(mergeParses, { limitMs: null }),
    doc: {
      method: 'get',
      path: '/v1/contracts/{type}/parses',
      operationId: 'checkPayloads',
      summary: 'Parse what waits of a type by the contract that this server has',
      description:
        'At most 500 of the live jobs among the oldest 5,000 and the newest 5,000. The answer has paths and codes, nothing of a payload.',
      parameters: [typeParameter],
      responses: {
        200: answer('What was found, by version. A type of which nothing waits has none.', parses),
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const type = c.req.param('type') ?? '';
      const { types } = c.get('principal');
      if (types !== null && !types.includes(type)) return c.json(NOTHING);
      // nothing else can be a type
      if (!isName(type)) return c.json(NOTHING);
      return c.json(await sampleQueuedPayloads(db, catalog, type));
    },
  };
}

/** The same as of a type of which nothing waits. */
const NOTHING: PayloadParses = { looked: 0, isComplete: true, versions: [] };
