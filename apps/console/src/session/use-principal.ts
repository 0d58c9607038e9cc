import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../api/call-api.js';
import { callApi } from '../api/call-api.js';
import { useSession } from './session-store.js';

export type Principal = AnswerOf<'showPrincipal'>;

/** Who is signed in; undefined until the API has said so. */
export function usePrincipal() {
  const { nr, state } = useSession();
  return useQuery({
    queryKey: ['principal', nr],
    queryFn: ({ signal }) => callApi('showPrincipal', { signal }),
    enabled: state === 'open',
    staleTime: 60_000,
  });
}

/** Whether whoever is signed in may do it. A screen leaves out what may not be done; the server refuses it anyway. */
export function useMay(scope: Principal['scopes'][number]): boolean {
  return usePrincipal().data?.scopes.includes(scope) ?? false;
}
