import { useState } from 'react';
import type { Schemas } from '../../api/api-types.js';

type Job = Schemas['ListedJob'];

export interface HeldJobs {
  readonly jobs: readonly Job[];
  /** How many have come since, which are not shown. */
  readonly newer: number;
  /** Shows them. */
  readonly release: () => void;
}

/**
 * The jobs of a page, which stay at their places while `isHeld`: no row moves under a pointer, or from under the keys.
 * What changes in a row is shown at once. `page` names the page: another one begins anew.
 */
export function useHeldJobs(fresh: readonly Job[], isHeld: boolean, page: string): HeldJobs {
  const [held, setHeld] = useState({ jobs: fresh, page });
  const isOther = held.page !== page || held.jobs.length === 0;
  if ((isOther || !isHeld) && (held.jobs !== fresh || held.page !== page)) setHeld({ jobs: fresh, page });
  const shown = isOther || !isHeld ? fresh : held.jobs;
  const now = new Map(fresh.map((job) => [job.id, job]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    jobs: shown === fresh ? fresh : shown.map((job) => now.get(job.id) ?? job),
    newer: fresh.filter(({ id }) => !known.has(id)).length,
    release: () => setHeld({ jobs: fresh, page }),
  };
}
