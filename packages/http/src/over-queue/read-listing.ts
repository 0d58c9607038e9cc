import type { JobFilter, JobFilterTerm } from '@duework/filter';
import type { JobListing } from '@duework/queue-core';
import { ApiError } from '../api-error.js';

/** The fields of a filter by which any queue lists its jobs. */
export const LISTED = ['status', 'type', 'queue'] as const;
type Listed = (typeof LISTED)[number];

/**
 * The jobs that a filter means, as any queue can list them: of one status, one type, one queue. null: no job can fit. Throws
 * `not_supported` for a filter that asks for anything else, and says what may be asked.
 */
export function readListing({ terms }: JobFilter): JobListing | null {
  const wanted = new Map<Listed, readonly string[]>();
  for (const term of terms) {
    if (!isListed(term)) throw refuse(`look for ${term.field}`);
    if (term.isNot) throw refuse(`leave out a ${term.field}`);
    const known = wanted.get(term.field);
    wanted.set(
      term.field,
      known === undefined ? term.values : known.filter((one) => term.values.includes(one as never)),
    );
  }
  for (const [field, values] of wanted) if (values.length > 1) throw refuse(`list several values of ${field} at once`);
  if ([...wanted.values()].some((values) => values.length === 0)) return null;
  return Object.fromEntries([...wanted].map(([field, values]) => [field, values[0]])) as JobListing;
}

type ListedTerm = Extract<JobFilterTerm, { readonly field: string; readonly values: readonly string[] }> & {
  readonly field: Listed;
};

const isListed = (term: JobFilterTerm): term is ListedTerm => (LISTED as readonly string[]).includes(term.field);

function refuse(what: string): ApiError {
  return new ApiError(
    'not_supported',
    `This queue cannot ${what}: it lists jobs by one status, one type and one queue, as in "status:dead type:send_mail".`,
    { errors: [{ parameter: 'filter', message: `It cannot ${what}` }] },
  );
}
