import { createHash } from 'node:crypto';
import type { JobState } from '@duework/operate';
import { maySeePayloads, withhold, type Shown } from '../access/shown/withhold.js';
import type { Principal } from '../access/principal.js';

/**
 * The state of a job as a principal may see it. What is withheld does not change its revision either: otherwise whoever
 * follows the job would be told when it changes, and could try which values make that revision.
 */
export function showState(principal: Principal, state: JobState): Shown<JobState> {
  if (maySeePayloads(principal)) return state;
  const shown = withhold(principal, { ...state, revision: '' });
  return { ...shown, revision: createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16) };
}
