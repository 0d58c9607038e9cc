import { DueworkError } from '@duework/queue-core';
import { ApiError, MAX_FAULTS, type Fault } from '../api-error.js';

const POINTER_OF_OPTION: Readonly<Record<string, string>> = { delay: '/delaySeconds' };

/**
 * Turns the refusal of one job into faults of the request body, whose entry for that job is at `at` (`''`, or
 * `/jobs/3`). Any other error has none. Returns no more faults than an answer lists.
 */
export function describeRefusal(error: unknown, at: string): Fault[] {
  if (error instanceof ApiError) {
    return error.errors
      .slice(0, MAX_FAULTS)
      .map((fault) => ('pointer' in fault ? { ...fault, pointer: at + fault.pointer } : fault));
  }
  if (!DueworkError.is(error)) return [];
  const one = (pointer: string): Fault[] => [{ pointer: at + pointer, message: error.message }];
  if (DueworkError.is(error, 'invalid_payload')) {
    return error.facts.issues
      .slice(0, MAX_FAULTS)
      .map(({ pointer, message }) => ({ pointer: `${at}/payload${pointer}`, message }));
  }
  if (DueworkError.is(error, 'invalid_filter'))
    return error.facts.errors.map(({ code, ...place }) => ({ parameter: 'filter', reason: code, ...place }));
  if (DueworkError.is(error, 'invalid_option')) {
    return one(POINTER_OF_OPTION[error.facts.option] ?? `/${error.facts.option.replaceAll('.', '/')}`);
  }
  if (DueworkError.is(error, 'invalid_rule')) return one(error.facts.part === 'rule' ? '' : `/${error.facts.part}`);
  if (DueworkError.is(error, 'invalid_template')) return one(`/payload${error.facts.pointer}`);
  switch (error.code) {
    case 'invalid_cron':
      return one('/cron');
    case 'unknown_time_zone':
      return one('/timeZone');
    case 'unknown_job_type':
      return one('/type');
    case 'payload_too_large':
    case 'payload_not_storable':
    case 'invalid_flow_value':
      return one('/payload');
    case 'invalid_idempotency_key':
      return one('/idempotencyKey');
    default:
      return [];
  }
}
