import { type Catalog, redactPayload, redactResult } from '@duework/contracts';
import { type Job, unsealPayload } from '@duework/queue-core';
import { readStored } from '@duework/queue-core/internals';
import type { Schedule } from '@duework/schedules';
import { markNumber } from '../../http/exact-json.js';
import type { Principal } from '../principal.js';
import { type Shown, withhold } from './withhold.js';

/**
 * A job as its caller may see it: without `payloads` neither payload nor result, without `sensitive` none of the values that
 * its contract calls sensitive. Every answer with a job goes through here, and is written by `answerExactly`: numbers that
 * JavaScript cannot hold are marked in it.
 */
export function showJob<T extends Job>(catalog: Catalog, principal: Principal, job: T): Shown<T> {
  const stored = { ...job, ...readStored(job, markNumber) };
  return withhold(principal, {
    ...stored,
    payload: showPayload(catalog, principal, stored),
    result: stored.result === null ? null : showResult(catalog, principal, stored),
  });
}

/** The same for a schedule. */
export function showSchedule(catalog: Catalog, principal: Principal, schedule: Schedule): Shown<Schedule> {
  return withhold(principal, { ...schedule, payload: showPayload(catalog, principal, schedule) });
}

type Stored = Pick<Job, 'type' | 'version' | 'payload'>;

function showPayload(catalog: Catalog, { scopes }: Principal, { type, version, payload }: Stored): unknown {
  const contract = catalog.find((one) => one.type === type);
  if (scopes.includes('sensitive')) {
    if (contract === undefined) return payload;
    try {
      return unsealPayload(contract, version, payload);
    } catch {
      // the key is not here, or it was changed: what can be told is told
      return redactPayload(contract, payload);
    }
  }
  return redactPayload(contract, payload);
}

function showResult(catalog: Catalog, { scopes }: Principal, { type, result }: Pick<Job, 'type' | 'result'>): unknown {
  if (scopes.includes('sensitive')) return result;
  return redactResult(
    catalog.find((one) => one.type === type),
    result,
  );
}
