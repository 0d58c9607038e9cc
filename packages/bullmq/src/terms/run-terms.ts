import type { RunTerms } from '@duework/queue-core/ports';

/** The moments that were agreed from the one at which it is due move with it. */
export function moveTerms(terms: RunTerms | null, byMs: number): RunTerms | null {
  if (terms === null) return null;
  const { expiresAt, retryUntil } = terms;
  const move = (text: string): string => new Date(Date.parse(text) + byMs).toISOString();
  return {
    ...terms,
    ...(expiresAt === undefined ? {} : { expiresAt: move(expiresAt) }),
    ...(retryUntil === undefined ? {} : { retryUntil: move(retryUntil) }),
  };
}

/** A person wants it now, whatever time it had. */
export function withoutTimes(terms: RunTerms | null): RunTerms | null {
  const { expiresAt: _, onExpired: __, retryUntil: ___, ...kept } = terms ?? {};
  return Object.keys(kept).length === 0 ? null : kept;
}

/** What has started does not expire. */
export function withoutExpiry(terms: RunTerms | null): RunTerms | null {
  if (terms === null) return null;
  const { expiresAt: _, ...others } = terms;
  return others;
}
