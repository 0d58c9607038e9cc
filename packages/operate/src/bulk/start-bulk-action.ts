import type { Catalog } from '@duework/contracts';
import { formatFilter } from '@duework/filter';
import { type Act, DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { checkAct, encodeJson } from '@duework/queue-core/internals';
import type { BulkAction, BulkRequest } from './bulk-action.js';
import { checkBulkFilter, contractToEdit } from './check-change.js';
import { keepValue } from './edited-value.js';
import { findOne } from './get-bulk-action.js';
import { hideValues } from './hide-values.js';
import { planRequest } from './plan-bulk-action.js';
import { countJobs } from './preview-bulk-action.js';
import { insertBulkAction } from './sql/insert-bulk-action.js';

/** So that 200,000 jobs are done within a minute, and workers are not given more than they can run beside other work. */
const PER_SECOND = 5_000;

/**
 * Begins an action, which `stepBulkActions` continues in the background. It changes the jobs that exist now and match
 * when their turn comes. Throws `invalid_filter`, `invalid_option`, `bulk_action_refused` (no job matches, more than
 * `atMost` do, the filter names no type to edit), `unknown_job_type`, and `key_ring_missing` for an edit of a type that
 * requires encryption.
 */
export async function startBulkAction(
  db: Queryable,
  catalog: Catalog,
  request: BulkRequest,
  act: Act = {},
): Promise<BulkAction> {
  checkAct(act);
  const plan = planRequest(request, new Date(await readNow(db)).toISOString());
  await checkBulkFilter(db, catalog, plan.filter);
  const { filter, perSecond = PER_SECOND, atMost, verb, ...given } = request;
  const { value: _, ...auditedOptions } = given as { value?: unknown };
  let jobType: string | null = null;
  let options: object = given;
  if (request.verb === 'edit_payload') {
    const contract = contractToEdit(catalog, plan.filter);
    jobType = contract.type;
    if (request.value !== undefined) checkValue(request.value);
    options = { ...auditedOptions, ...keepValue(contract, request.path, request.value) };
  }
  const { count } = await countJobs(db, plan);
  if (count.count === 0) throw new DueworkError('bulk_action_refused', { reason: 'no job fits the filter' });
  if (atMost !== undefined && (count.count > atMost || count.isAtLeast))
    throw new DueworkError('bulk_action_refused', {
      reason: `${count.count}${count.isAtLeast ? ' or more' : ''} jobs fit the filter, which is more than ${atMost}`,
    });
  const id = await insertBulkAction(
    db,
    {
      verb,
      filter,
      auditedFilter: formatFilter(hideValues(plan.filter, ['payload', 'key', 'error', 'gate', 'tenant'])),
      jobType,
      options,
      auditedOptions,
      undoOf: null,
      total: count,
      stage: plan.statuses.stages[0]!,
      perSecond,
    },
    act,
  );
  return findOne(db, id!);
}

function checkValue(value: unknown): void {
  encodeJson(
    value,
    (reason) =>
      new DueworkError('invalid_option', {
        option: 'value',
        expected: `a JSON value, and ${reason}`,
        value: typeof value,
      }),
  );
}
