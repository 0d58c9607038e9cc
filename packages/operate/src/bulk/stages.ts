import type { JobFilter } from '@duework/filter';
import { type JobStatus, STATUSES } from '@duework/queue-core';
import type { BulkVerb } from './bulk-action.js';

/** The parts of the jobs that an action walks through, each by its ids. What is live comes first: a retry makes more of it. */
export const STAGES = ['live', 'dead', 'cancelled'] as const;
export type Stage = (typeof STAGES)[number];

/** The statuses that each verb may change; it refuses the others. */
const ALLOWED: { readonly [V in BulkVerb]: readonly JobStatus[] } = {
  retry: ['queued', 'failed', 'dead', 'cancelled'],
  cancel: ['queued', 'failed', 'running'],
  reschedule: ['queued', 'failed'],
  change_priority: ['queued', 'failed'],
  change_queue: ['queued', 'failed'],
  edit_payload: ['queued', 'failed', 'dead', 'cancelled'],
  free_key: ['dead', 'cancelled'],
  delete: ['dead', 'cancelled'],
};

/** What a filter without a status means; of `delete` it means nothing: who deletes says what. */
const MEANT: { readonly [V in BulkVerb]: readonly JobStatus[] } = {
  ...ALLOWED,
  retry: ['dead'],
  edit_payload: ['queued', 'failed'],
  delete: [],
};

export interface BulkStatuses {
  /** The statuses that the filter names, or means. */
  readonly wanted: readonly JobStatus[];
  /** Those of them that the verb may change. */
  readonly allowed: readonly JobStatus[];
  readonly stages: readonly Stage[];
}

/** Which jobs a verb looks at, by their statuses. */
export function readStatuses(verb: BulkVerb, { terms }: JobFilter): BulkStatuses {
  const named = terms.filter((term) => term.field === 'status');
  const wanted =
    named.length === 0
      ? MEANT[verb]
      : STATUSES.filter((status) => named.every(({ values, isNot }) => values.includes(status) !== isNot));
  const allowed = wanted.filter((status) => ALLOWED[verb].includes(status));
  return { wanted, allowed, stages: STAGES.filter((stage) => wanted.some((status) => stageOf(status) === stage)) };
}

/** Where jobs of a status are; null: there are too many of them to be walked through, and no verb is for them. */
function stageOf(status: JobStatus): Stage | null {
  if (status === 'succeeded') return null;
  return status === 'dead' || status === 'cancelled' ? status : 'live';
}
