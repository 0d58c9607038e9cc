import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.js';
import { usePrincipal } from '../../session/use-principal.js';
import { useIsDone } from '../../session/use-refusal.js';
import type { Deed } from './list-events.js';

const NONE: readonly Deed[] = [];

/** What people did to a job, alone or in a bulk action; nothing where the audit may not be read. `state` changes with the job. */
export function useDeeds(id: string, state: string): readonly Deed[] {
  const who = usePrincipal().data;
  const mayRead = who !== undefined && who.scopes.includes('operate') && who.types === null;
  const isKept = useIsDone('listAudit');
  const { data } = useQuery({
    queryKey: ['deeds', id, state],
    queryFn: ({ signal }) => callApi('listAudit', { params: { job: id, limit: 100 }, signal }),
    enabled: mayRead && isKept,
    placeholderData: (before) => before,
  });
  return data?.entries ?? NONE;
}
