import { KINDS_WITH_IDS, readAudit, type AuditEntry } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import type { ApiContext, ApiParts } from '../../api.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { plainFilter } from '../../http/requests/plain-text.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import { auditedWithIds, idOf, idWhere } from '../../openapi/mark-ids.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { isLater, listedAbout } from '../../shards/plans/merged.js';

const text = z.string().nullable();
const facts = z.record(z.string(), z.unknown()).nullable().openapi(auditedWithIds);
const entry = z
  .object({
    id: z.string().openapi(idOf('audit_entry')),
    at: z.iso.datetime(),
    by: z.string().describe('Who it was.').openapi({ example: 'key:deploy' }),
    via: z.enum(['api', 'command', 'program']),
    from: text.describe('The address that the request came from.'),
    verb: z.string(),
    kind: z.string().describe('What was changed: `job`, `schedule`, `bulk_action` …'),
    target: z.string().describe('Its id or its key.').openapi(idWhere('kind', KINDS_WITH_IDS)),
    before: facts,
    after: facts,
    reason: text,
  } satisfies Record<keyof AuditEntry, z.ZodType>)
  .openapi('AuditEntry');
const page = z
  .object({ entries: z.array(entry), nextCursor: text.describe('null: this was the last page.') })
  .openapi('AuditPage');

const query = z.strictObject({
  by: plainFilter(1_000).optional(),
  verb: plainFilter(63).optional(),
  kind: plainFilter(63).optional(),
  target: plainFilter(255).optional(),
  job: plainFilter(20).optional(),
  since: z.iso
    .datetime({ offset: true, error: 'Not an ISO 8601 time with a zone, such as 2026-01-31T09:00:00Z' })
    .transform((moment) => new Date(moment))
    .optional(),
  ...pageQuery(1_000, 100),
});

const DESCRIPTIONS = {
  by: 'Who it was: `key:deploy`.',
  verb: 'What was done: `retry`.',
  kind: 'What was changed: `job`, `schedule`, `bulk_action` …',
  target: 'Its id or its key, together with `kind`.',
  job: 'What was done to this job, alone and as one of many.',
};

/** `GET /v1/audit`: who did what, newest first. */
export function listAudit(parts: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: needsDatabase('The audit is written with each change in PostgreSQL, and this queue keeps none.'),
    shards: listedAbout({ rows: 'entries', usualLimit: 100, isBefore: isLater('at'), isTagged: true }, auditedIds),
    doc: {
      method: 'get',
      path: '/v1/audit',
      operationId: 'listAudit',
      summary: 'Who did what, newest first',
      parameters: [
        ...Object.entries(DESCRIPTIONS).map(([name, description]) => ({
          name,
          in: 'query' as const,
          description,
          schema: { type: 'string' as const },
        })),
        { name: 'since', in: 'query', description: 'Included.', schema: { type: 'string', format: 'date-time' } },
        ...pageParameters(1_000, 100),
      ],
      responses: {
        200: answer('One page.', page),
        ...problems('invalid_query', 'invalid_cursor', 'invalid_option', 'invalid_job_id', ...READ_PROBLEMS),
      },
    },
    async handle(c) {
      const filter = parseQuery(query, c);
      return c.json(await readOnStandby(parts, c, (db) => readAudit(db, filter)));
    },
  };
}

/** The parameters of the audit that are ids: `target` is one of some kinds. */
function auditedIds(c: ApiContext): readonly string[] {
  return ['job', ...(KINDS_WITH_IDS.includes(c.req.query('kind') ?? '') ? ['target'] : [])];
}
