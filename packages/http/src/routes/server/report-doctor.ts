import { mergeReports } from '@duework/shards/merges';
import { z } from '@hono/zod-openapi';
import {
  FINDINGS,
  runDoctor,
  type DatabaseSize,
  type DoctorReport,
  type Finding,
  type FindingCode,
  type Replication,
  type Standby,
  type TableSize,
} from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { merged } from '../../shards/plans/merged.js';

const finding = z
  .object({
    code: z.enum(Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]]),
    severity: z.enum(['error', 'warning']),
    about: z.string().describe('What it is found of.').openapi({ example: 'index job_runs_claim_idx' }),
    sentence: z.string(),
    fix: z.string(),
  } satisfies Record<keyof Finding, z.ZodType>)
  .openapi('Finding');

const standby = z
  .object({
    name: z.string(),
    state: z.string().openapi({ example: 'streaming' }),
    isCounted: z.boolean().describe('A commit may wait for it.'),
  } satisfies Record<keyof Standby, z.ZodType>)
  .openapi('Standby');

const replication = z
  .object({
    waitsFor: z.string().describe('`synchronous_standby_names`; empty: no commit waits for another server.'),
    commits: z.string().describe('`synchronous_commit` of the session.').openapi({ example: 'on' }),
    standbys: z.array(standby).nullable().describe('Those that are connected; null: the role may not see them.'),
  } satisfies Record<keyof Replication, z.ZodType>)
  .openapi('Replication');

const tableSize = z
  .object({
    name: z.string().describe('Without its day: all days of the history are one.').openapi({ example: 'job_attempts' }),
    bytes: z.number().describe('With indexes.'),
    days: z.number().describe('How many daily partitions it has; 0: it has none.'),
  } satisfies Record<keyof TableSize, z.ZodType>)
  .openapi('TableSize');

const size = z
  .object({
    bytes: z.number(),
    tables: z.array(tableSize).describe('The largest first.'),
    days: z.number().describe('How many days of the history are over.'),
    growthPerDay: z.number().nullable().describe('Bytes that a day adds, of the last seven; null: no day is over yet.'),
    keepDays: z.number().nullable().describe('RETENTION_DAYS, as the workers last said; null: none has yet.'),
    needed: z.number().nullable().describe('Bytes, once the history is as long as it is kept; null: not known yet.'),
    used: z.number().describe('Bytes of all databases of the server, as far as the role may see.'),
    disk: z.number().nullable().describe('Bytes of the disk, as DISK_GB of the workers says; null: nobody has said.'),
    daysLeft: z.number().nullable().describe('Until the disk is full; null: not known, or never at this growth.'),
  } satisfies Record<keyof DatabaseSize, z.ZodType>)
  .openapi('DatabaseSize');

const report = z
  .object({
    findings: z.array(finding).describe('The worst first; empty: nothing is wrong.'),
    checks: z.array(z.string()).describe('What was looked at.'),
    replication: z
      .array(replication)
      .describe('Whether what is committed is on another server, too; of each database.'),
    sizes: z.array(size).describe('How large the queue is and becomes; of each database.'),
  } satisfies Record<keyof DoctorReport, z.ZodType>)
  .openapi('DoctorReport');

/** `GET /v1/doctor`: what is wrong with the database, or soon will be. */
export function reportDoctor({ db, replicated }: ApiParts): QueueRoute {
  return {
    scope: 'admin',
    over: needsDatabase('The doctor looks at a PostgreSQL, and this queue has none.'),
    shards: merged<z.output<typeof report>>(mergeReports, { tagged: 'findings', limitMs: null }),
    doc: {
      method: 'get',
      path: '/v1/doctor',
      operationId: 'reportDoctor',
      summary: 'What is wrong with the database, with the fix of each',
      responses: { 200: answer('The findings.', report), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json(await runDoctor(db, { isReplicated: replicated === 'required' }));
    },
  };
}
