import { useQuery } from '@tanstack/react-query';
import { usePrincipal } from '../session/use-principal.js';
import { useIsDone } from '../session/use-refusal.js';
import type { Schemas } from './api-types.js';
import { callApi } from './call-api.js';

/**
 * The due time of a schedule that made a job; null: none did, undefined: that is not known. A key for some types does
 * not get it.
 */
export function useJobDueTime(id: string): Schemas['DueTime'] | null | undefined {
  const isForAll = usePrincipal().data?.types === null;
  const hasSchedules = useIsDone('listDueTimes');
  const { data } = useQuery({
    queryKey: ['job-due-time', id],
    queryFn: async ({ signal }) =>
      (await callApi('listDueTimes', { params: { job: id, limit: 1 }, signal })).dueTimes[0] ?? null,
    enabled: isForAll && hasSchedules,
    staleTime: Infinity,
  });
  return data;
}
