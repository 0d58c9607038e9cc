import { useQuery } from '@tanstack/react-query';
import type { Schemas } from './api-types.js';
import { useIsDone } from '../session/use-refusal.js';
import { callApi } from './call-api.js';

export type Step = Schemas['JobStep'];
export type GraphJob = Schemas['GraphJob'];

const EVERY_MS = 5_000;
/** What a job without steps answers, and one whose steps are not read yet. */
const NONE: Schemas['StepPage'] = { steps: [], nextCursor: null, parent: null, graph: [] };

/**
 * What a job has done and waits for, the first 1,000; read again whenever the job changes, and now and then where it goes on,
 * because its steps do not change it.
 */
export function useSteps(id: string | null, isLive: boolean): Schemas['StepPage'] {
  const { data } = useQuery({
    queryKey: ['steps', id],
    queryFn: ({ signal }) => callApi('listSteps', { params: { id: id!, limit: 1_000 }, signal }),
    enabled: useIsDone('listSteps') && id !== null,
    refetchInterval: ({ state }) => (isLive && (state.data?.steps.length ?? 0) > 0 ? EVERY_MS : false),
  });
  return data ?? NONE;
}
