import { BULK_VERBS, type BulkAction, type BulkPreview } from '@duework/operate';
import { STATUSES } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import { filterWithIds, idOf } from '../openapi/mark-ids.js';

const time = z.iso.datetime();
const text = z.string().nullable();
const count = z.object({
  count: z.int(),
  isAtLeast: z.boolean().describe('There are more than were searched.'),
});
const refusals = [
  'transition_not_allowed',
  'effect_unknown',
  'no_key',
  'invalid_payload',
  'payload_offloaded',
  'number_not_kept',
  'unknown_job_version',
  'key_missing',
  'changed_meanwhile',
] as const;

export const bulkAction = z
  .object({
    id: z.string().openapi(idOf('bulk_action')),
    verb: z.enum([...BULK_VERBS, 'undo']),
    filter: z.string().openapi(filterWithIds),
    options: z.record(z.string(), z.unknown()),
    undoOf: text.describe('The action that this one undoes.').openapi(idOf('bulk_action')),
    status: z.enum(['running', 'finished', 'aborted']),
    by: z.string(),
    via: z.enum(['api', 'command', 'program']),
    from: text,
    reason: text,
    total: count.describe('How many jobs fitted when it began.'),
    done: z.int().describe('How many it has changed.'),
    refused: z.record(z.string(), z.int()).describe('How many it has left as they were, by code.'),
    createdAt: time,
    finishedAt: time.nullable(),
    undoUntil: time.nullable().describe('null: it cannot be undone, cannot any more, or has been.'),
  } satisfies Record<keyof BulkAction, z.ZodType>)
  .openapi('BulkAction');

export const bulkActionPage = z
  .object({ actions: z.array(bulkAction), nextCursor: text.describe('null: this was the last page.') })
  .openapi('BulkActionPage');

export const bulkPreview = z
  .object({
    statuses: z.array(z.enum(STATUSES)),
    count,
    refused: z.array(
      z.object({
        code: z.enum(refusals),
        count: z.int().nullable().describe('null: they were not counted.'),
        why: z.string(),
      }),
    ),
    sample: z.array(
      z.object({
        id: z.string().openapi(idOf('job')),
        type: z.string(),
        queue: z.string(),
        status: z.enum(STATUSES),
        runAt: time,
        errorCode: text,
        finishedAt: time.nullable(),
        refusal: z.object({ code: z.enum(refusals), why: z.string() }).nullable(),
      }),
    ),
  })
  .openapi('BulkPreview');

/** A preview without the payloads of its sample, which are for those who may read them. */
export function presentPreview({ sample, ...same }: BulkPreview): object {
  return {
    ...same,
    sample: sample.map(({ job: { id, type, queue, status, runAt, errorCode, finishedAt }, refusal }) => ({
      id,
      type,
      queue,
      status,
      runAt,
      errorCode,
      finishedAt,
      refusal,
    })),
  };
}
