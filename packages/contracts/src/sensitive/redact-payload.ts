import { isObject } from '../compare/schema-node.js';
import type { JobContract } from '../job-contract.js';
import { changeAtPaths } from './change-at-paths.js';
import { isSealed } from './sealed-value.js';

/** What is shown in place of a value that its contract calls sensitive. */
export const SENSITIVE = '[sensitive]';

type Marked = Pick<JobContract, 'sensitiveEver' | 'sensitiveResult'>;

/**
 * A payload without its sensitive values: those of any version of the contract, and all that is encrypted. Pass every
 * payload that you show through this. Without a contract everything is hidden.
 */
export function redactPayload(contract: Marked | undefined, payload: unknown): unknown {
  return contract === undefined ? SENSITIVE : redact(payload, contract.sensitiveEver);
}

/** The same for a result; null stays null. */
export function redactResult(contract: Marked | undefined, result: unknown): unknown {
  if (result === null || result === undefined) return result;
  return contract === undefined ? SENSITIVE : redact(result, contract.sensitiveResult);
}

function redact(value: unknown, paths: readonly string[]): unknown {
  return hideSealed(changeAtPaths(value, paths, () => SENSITIVE));
}

/** A value may have been encrypted when it was sensitive, and its contract says so no longer. */
function hideSealed(value: unknown): unknown {
  if (isSealed(value)) return SENSITIVE;
  if (Array.isArray(value)) return value.map(hideSealed);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideSealed(item)]))
    : value;
}
