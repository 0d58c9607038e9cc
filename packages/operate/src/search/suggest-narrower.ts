import type { FilterStatus, JobFilter } from '@duework/filter';
import { statusesOf } from './plan-search.js';

/** A sentence that says which term would let a filter be answered at once. */
export function suggestNarrower(filter: JobFilter): string {
  const fields = new Set<string>(filter.terms.map(({ field }) => field));
  const statuses = statusesOf(filter);
  const asksForDead = fields.has('error') || fields.has('code') || fields.has('payload');
  if (asksForDead && statuses.length > 1 && statuses.includes('dead'))
    return 'Add status:dead: dead jobs are found by their errors and payloads.';
  const [status = 'dead'] = statuses.length === 1 ? statuses : (['succeeded'] as const);
  return (
    HINTS[status].find(([field]) => !fields.has(field))?.[1] ??
    'Give a shorter time (since:, until:) or an id: or key:.'
  );
}

const LIVE = [['queue', 'Add a small queue (queue:…), a key (key:…) or an id (id:…).']] as const;
const DEAD = [
  ['error', 'Add words of the error (error:… or "…") or a time (since:1h).'],
  ['since', 'Add a time, such as since:1h.'],
] as const;

/** What each status can be found by, and the sentence. */
const HINTS: Readonly<Record<FilterStatus, readonly (readonly [string, string])[]>> = {
  queued: LIVE,
  running: LIVE,
  failed: LIVE,
  succeeded: [['since', 'Add a time, such as since:10m, a key (key:…) or a status other than succeeded.']],
  dead: DEAD,
  cancelled: [['since', 'Add a time, such as since:1h, or a field of the payload (payload.orderId:812).']],
};
