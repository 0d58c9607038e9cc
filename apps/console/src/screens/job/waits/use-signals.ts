import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../api/call-api.js';
import { callApi } from '../../../api/call-api.js';
import { usePrincipal } from '../../../session/use-principal.js';

export type SignalContract = AnswerOf<'listSignals'>['signals'][number];

const NONE: readonly SignalContract[] = [];

/** The signals that the API sends; none for a key that may send none. */
export function useSignals(isNeeded: boolean): readonly SignalContract[] {
  const who = usePrincipal().data;
  const maySend =
    who !== undefined && who.scopes.includes('signal') && who.scopes.includes('read') && who.types === null;
  const { data } = useQuery({
    queryKey: ['signals'],
    queryFn: ({ signal }) => callApi('listSignals', { signal }),
    enabled: isNeeded && maySend,
    staleTime: 60_000,
  });
  return data?.signals ?? NONE;
}
