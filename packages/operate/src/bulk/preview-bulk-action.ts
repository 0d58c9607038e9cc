import type { Catalog } from '@duework/contracts';
import { type Job, type JobStatus, type Queryable, readNow } from '@duework/queue-core';
import { findJobsById } from '@duework/queue-core/internals';
import type { BulkRefusal, BulkRequest } from './bulk-action.js';
import type { BulkPlan } from './bulk-plan.js';
import { checkBulkFilter, contractToEdit } from './check-change.js';
import { editStored } from './edit-stored.js';
import { planRequest } from './plan-bulk-action.js';
import { readPayloadTexts } from './sql/edit-picked.js';
import { countVerdicts, sampleVerdicts, type BulkCount } from './sql/count-verdicts.js';

export interface BulkPreview {
  /** The statuses of jobs that it looks at. */
  readonly statuses: readonly JobStatus[];
  /** How many jobs it would change; `isAtLeast`: there are more than were looked at. */
  readonly count: BulkCount;
  /** Why others would be left as they are, and how many; null: those were not counted. */
  readonly refused: readonly { readonly code: BulkRefusal; readonly count: number | null; readonly why: string }[];
  /** Some of the jobs, the oldest first, and why each would be refused; null: it would be changed. */
  readonly sample: readonly { readonly job: Job; readonly refusal: { code: BulkRefusal; why: string } | null }[];
}

const WHY: { readonly [C in BulkRefusal]: string } = {
  transition_not_allowed: 'The action is not possible in this status',
  effect_unknown: 'It is unknown whether an effect of the job happened: check, and say effectsHappened',
  no_key: 'The job has no idempotency key',
  invalid_payload: 'The edited payload does not fit its contract',
  payload_offloaded: 'The payload is in the store of large payloads: enqueue another job instead',
  number_not_kept:
    'The payload has a number of more digits than JavaScript keeps, and would be written anew as a whole',
  unknown_job_version: 'The payload is of a version that this program cannot read',
  key_missing: 'The payload is encrypted, and its key is not here',
  changed_meanwhile: 'Somebody else has changed the job meanwhile',
};

/** How many jobs a preview shows; of an edit, how many it tries. */
const SAMPLE = 10;

/**
 * Shows what an action would do: how many jobs, some of them, and which would be refused and why. An edit of payloads
 * is tried on the oldest only. Throws `invalid_filter`, `invalid_option`, `bulk_action_refused`, and `unknown_job_type`
 * for an edit of a type that the catalog lacks.
 */
export async function previewBulkAction(db: Queryable, catalog: Catalog, request: BulkRequest): Promise<BulkPreview> {
  const plan = planRequest(request, new Date(await readNow(db)).toISOString());
  await checkBulkFilter(db, catalog, plan.filter);
  const refusalOf = request.verb === 'edit_payload' ? editedRefusal(catalog, plan) : () => null;
  const { count, refused } = await countJobs(db, plan);
  const sample: BulkPreview['sample'][number][] = [];
  for (const stage of plan.statuses.stages) {
    const found = await sampleVerdicts(db, plan, stage, SAMPLE - sample.length);
    const jobs = await findJobsById(
      db,
      found.map(({ id }) => id),
    );
    const texts =
      request.verb === 'edit_payload' ? await readPayloadTexts(db, stage, found) : new Map<string, string>();
    for (const [index, { id, verdict }] of found.entries()) {
      const job = jobs[index]?.job;
      if (job === undefined) continue;
      const code = verdict === '' ? refusalOf(job, texts.get(id)) : (verdict as BulkRefusal);
      sample.push({ job, refusal: code === null ? null : { code, why: WHY[code] } });
    }
    if (sample.length >= SAMPLE) break;
  }
  return { statuses: plan.statuses.wanted, count, refused, sample };
}

/** How many jobs an action would change, and how many it would refuse. */
export async function countJobs(db: Queryable, plan: BulkPlan): Promise<Pick<BulkPreview, 'count' | 'refused'>> {
  const { stages, wanted } = plan.statuses;
  const counted = await Promise.all(stages.map((stage) => countVerdicts(db, plan, stage)));
  const sums = new Map<string, number>();
  for (const { verdicts } of counted)
    for (const [verdict, n] of verdicts) sums.set(verdict, (sums.get(verdict) ?? 0) + n);
  const refused: BulkPreview['refused'][number][] = [...sums]
    .filter(([verdict]) => verdict !== '')
    .map(([verdict, n]) => ({ code: verdict as BulkRefusal, count: n, why: WHY[verdict as BulkRefusal] }));
  // there may be millions of them, and no action walks through them
  if (wanted.includes('succeeded'))
    refused.push({ code: 'transition_not_allowed', count: null, why: 'The job has succeeded' });
  return { count: { count: sums.get('') ?? 0, isAtLeast: counted.some(({ isAtLeast }) => isAtLeast) }, refused };
}

function editedRefusal(
  catalog: Catalog,
  { change, filter }: BulkPlan,
): (job: Job, payload: string | undefined) => BulkRefusal | null {
  const contract = contractToEdit(catalog, filter);
  return ({ version }, payload) => {
    if (change.verb !== 'edit_payload' || payload === undefined) return null;
    const edited = editStored(contract, version, payload, change.path, change.value);
    return typeof edited === 'string' ? edited : null;
  };
}
