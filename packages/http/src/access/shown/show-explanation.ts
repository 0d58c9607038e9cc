import { type Explanation, hideKeyValues, hidePausers } from '@duework/operate';
import type { Principal } from '../principal.js';
import { maySeePayloads } from './withhold.js';

/**
 * Why a job is where it is, as its caller may see it: without `payloads` or `sensitive` no value by which it waits, and where it is
 * limited to types not who has paused it, because pauses are about the jobs of all types.
 */
export function showExplanation(principal: Principal, explained: Explanation): Explanation {
  const shown = maySeePayloads(principal) ? explained : hideKeyValues(explained);
  return principal.types === null ? shown : hidePausers(shown);
}
