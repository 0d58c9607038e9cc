import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../api/api-types.js';
import { callApi } from '../../../api/call-api.js';
import { useMay } from '../../../session/use-principal.js';
import { useIsDone } from '../../../session/use-refusal.js';

export type Approval = Schemas['Approval'];

const NONE: readonly Approval[] = [];

/** What a job asks people; nothing for whoever may not decide. */
export function useApprovals(id: string, isNeeded: boolean): readonly Approval[] {
  const { data } = useQuery({
    queryKey: ['approvals', id],
    queryFn: ({ signal }) => callApi('listApprovals', { params: { id }, signal }),
    enabled: [useMay('approve'), useIsDone('listApprovals'), isNeeded].every(Boolean),
  });
  return data?.approvals ?? NONE;
}
