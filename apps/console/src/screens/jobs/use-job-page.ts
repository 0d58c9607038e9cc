import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';

const EVERY_MS = 2_000;
const COUNT_EVERY_MS = 5_000;
export const PAGE_SIZE = 50;

/** One page of the jobs that fit a filter. The first page stays fresh while the tab is seen; others stand still. */
export function useJobPage(filter: string, cursor: string | undefined) {
  return useQuery({
    queryKey: ['jobs', filter, cursor ?? null],
    queryFn: ({ signal }) =>
      callApi('listJobs', { params: { filter: filter || undefined, limit: PAGE_SIZE, cursor }, signal }),
    refetchInterval: ({ state }) => (cursor === undefined && state.error === null ? EVERY_MS : false),
    placeholderData: keepPreviousData,
  });
}

/** How many jobs fit, exact up to a limit that the API sets. */
export function useJobCount(filter: string) {
  return useQuery({
    queryKey: ['job-count', filter],
    queryFn: ({ signal }) => callApi('countJobs', { params: { filter: filter || undefined }, signal }),
    refetchInterval: ({ state }) => (state.error === null ? COUNT_EVERY_MS : false),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
