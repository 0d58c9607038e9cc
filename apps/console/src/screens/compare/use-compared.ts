import { formatFilter } from '@duework/filter';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';
import type { JobDetail } from '../job/use-job.js';

/** The newest job of a type that has succeeded, other than one of them; null: none is known. */
export function useLastSucceeded(job: JobDetail | undefined, isEnabled: boolean) {
  return useQuery({
    queryKey: ['last-succeeded', job?.type, job?.id],
    queryFn: async ({ signal }) => {
      const terms = [
        { field: 'type', isNot: false, values: [job!.type] },
        { field: 'status', isNot: false, values: ['succeeded'] },
      ] as const;
      const { jobs } = await callApi('listJobs', { params: { filter: formatFilter({ terms }), limit: 2 }, signal });
      return jobs.find(({ id }) => id !== job!.id)?.id ?? null;
    },
    enabled: isEnabled && job !== undefined,
    staleTime: Infinity,
  });
}
