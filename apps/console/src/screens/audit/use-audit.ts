import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';
import { serverNow } from '../../time/server-clock.js';

const EVERY_MS = 5_000;
const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
/** How far back, as an address says it. */
const BACK_MS = { '1h': DAY_MS / 24, '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

export const FILTERS = ['by', 'verb', 'kind', 'target', 'job', 'since'] as const;
export type AuditFilters = { readonly [K in (typeof FILTERS)[number]]: string | undefined };

/** One page of the audit. The first stays fresh while the tab is seen and nobody is in its rows. */
export function useAudit(filters: AuditFilters, cursor: string | undefined, isHeld: boolean) {
  return useQuery({
    queryKey: ['audit', filters, cursor ?? null],
    queryFn: ({ signal }) =>
      callApi('listAudit', {
        params: { ...filters, since: readSince(filters.since), cursor, limit: PAGE_SIZE },
        signal,
      }),
    refetchInterval: ({ state }) => (cursor === undefined && !isHeld && state.error === null ? EVERY_MS : false),
    refetchOnWindowFocus: !isHeld,
    placeholderData: keepPreviousData,
  });
}

/** `7d`, or a moment as the API takes it. */
function readSince(text: string | undefined): string | undefined {
  if (text === undefined || !Object.hasOwn(BACK_MS, text)) return text;
  return new Date(serverNow() - BACK_MS[text as keyof typeof BACK_MS]).toISOString();
}
