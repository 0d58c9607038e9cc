import { useQuery } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { useIsDone } from '../session/use-refusal.js';
import { callApi } from './call-api.js';

export type Effect = Schemas['Effect'];

/** What a job has done, or may have done, so that it happens once; read again whenever the job changes. */
export function useEffects(id: string) {
  return useQuery({
    queryKey: ['effects', id],
    queryFn: async ({ signal }) => (await callApi('listEffects', { params: { id }, signal })).effects,
    enabled: useIsDone('listEffects'),
  });
}
