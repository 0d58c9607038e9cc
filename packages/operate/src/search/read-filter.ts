import { parseFilter, type JobFilter } from '@duework/filter';
import { DueworkError } from '@duework/queue-core';

/** A filter that was typed, or is one already. Throws `invalid_filter` with everything that is wrong with it, and where. */
export function readFilter(filter: JobFilter | string): JobFilter {
  if (typeof filter !== 'string') return filter;
  const parsed = parseFilter(filter);
  if (parsed.isOk) return parsed.filter;
  throw new DueworkError('invalid_filter', { filter, errors: parsed.errors });
}
