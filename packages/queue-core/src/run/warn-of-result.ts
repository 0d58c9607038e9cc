import type { JobContract } from '@duework/contracts';
import type { Engine } from '../worker/engine.js';
import type { HandlerLog } from './job-context.js';

/** The vendor of the schema that stands where a contract declares no result. */
const ANY_JSON_VENDOR = 'duework';

/**
 * Says that a result is left out: once for each type of a worker, because a handler that returns what its library returned
 * does so each time; but each time where the contract declares the result, because then somebody wants it.
 */
export function warnOfResult(
  { toldResults }: Pick<Engine, 'toldResults'>,
  { type, result }: JobContract,
  log: HandlerLog,
  error: string,
): void {
  const isDeclared = result['~standard'].vendor !== ANY_JSON_VENDOR;
  if (!isDeclared && toldResults.has(type)) return;
  toldResults.add(type);
  log.warn({ error }, 'the result of this run is left out: it cannot be stored, or does not fit its contract');
}
