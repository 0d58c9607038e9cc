import { type Catalog, isName, isSensitivePath, type JobContract, NAME_RULE } from '@duework/contracts';
import type { JobFilter } from '@duework/filter';
import { DueworkError, findContract, type Queryable, readSensitivePaths } from '@duework/queue-core';
import { isMoment } from '@duework/sql';
import { BULK_VERBS, type BulkRequest } from './bulk-action.js';

const MAX_SPREAD_MS = 7 * 86_400_000;

/** Throws `invalid_option` for what no job could be changed to. */
export function checkChange(request: BulkRequest): void {
  const { verb } = request;
  if (!BULK_VERBS.includes(verb)) refuse('verb', `one of ${BULK_VERBS.join(', ')}`, verb);
  const whole = (option: string, value: number | undefined, from: number, to: number): void => {
    if (value !== undefined && !(Number.isInteger(value) && value >= from && value <= to))
      refuse(option, `a whole number from ${from} to ${to}`, value);
  };
  whole('perSecond', request.perSecond, 1, 100_000);
  whole('atMost', request.atMost, 0, 1_000_000_000);
  if (verb === 'reschedule') {
    if (!isMoment(request.runAt)) refuse('runAt', 'a Date', request.runAt);
    if (request.dueBefore !== undefined && !isMoment(request.dueBefore))
      refuse('dueBefore', 'a Date', request.dueBefore);
    whole('spreadMs', request.spreadMs, 0, MAX_SPREAD_MS);
  }
  if (verb === 'retry') whole('priority', request.priority, 0, 9);
  if (verb === 'change_priority') {
    if (request.priority === undefined) refuse('priority', 'a whole number from 0 to 9', request.priority);
    whole('priority', request.priority, 0, 9);
  }
  if (verb === 'change_queue' && !isName(request.queue))
    refuse('queue', `a name of a queue: ${NAME_RULE}`, request.queue);
  if (verb === 'edit_payload') checkPath(request.path);
}

function checkPath(path: readonly string[]): void {
  const isPath =
    Array.isArray(path) && path.length >= 1 && path.length <= 20 && path.every((name) => typeof name === 'string');
  if (!isPath || path.includes('__proto__')) refuse('path', 'the 1 to 20 names on the way to a field', path);
}

/**
 * The contract whose payloads an action edits. Throws `bulk_action_refused` unless the filter names one type, and
 * `unknown_job_type`.
 */
export function contractToEdit(catalog: Catalog, { terms }: JobFilter): JobContract {
  const types = terms.flatMap((term) => (term.field === 'type' && !term.isNot ? term.values : []));
  if (types.length !== 1)
    throw new DueworkError('bulk_action_refused', {
      reason: 'a payload is edited by the contract of its type, so the filter must name one: type:send_invoice',
    });
  return findContract(catalog, types[0]!);
}

/**
 * Throws `bulk_action_refused` for a filter that asks for a value which a contract calls sensitive, of the catalog or of any that a
 * worker has told of: an action is kept, with its filter, as long as the audit.
 */
export async function checkBulkFilter(db: Queryable, catalog: Catalog, { terms }: JobFilter): Promise<void> {
  const asked = terms.filter((term) => term.field === 'payload');
  if (asked.length === 0) return;
  const contracts = [...catalog, ...(await readSensitivePaths(db)).values()];
  const isSensitive = asked.some(({ path }) => contracts.some((contract) => isSensitivePath(contract, path)));
  if (isSensitive)
    throw new DueworkError('bulk_action_refused', {
      reason: 'its filter would be kept, and asks for a sensitive value; list the jobs, and name them by id: instead',
    });
}

function refuse(option: string, expected: string, value: unknown): never {
  throw new DueworkError('invalid_option', { option, expected, value });
}
