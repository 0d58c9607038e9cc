import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession, onSession, readSession } from '../session/session-store.js';
import { isPassing, isSignedOut } from './api-error.js';

const RETRIES = 2;

/** The cache of what the API said. Credentials that are refused end the session, wherever that happens. */
export function createQueries(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) endSession({ code: error.code, detail: error.message });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 1_000,
        // a server on this machine is there without a network
        networkMode: 'always',
        retry: (count, error) => isPassing(error) && count < RETRIES,
        // once an error is shown, what was read before stays on the screen beside it
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  // what one key may see is not for the next
  let last = readSession();
  onSession(() => {
    const next = readSession();
    if (next.key === null) return;
    if (next.key !== last.key && next.nr !== last.nr) client.clear();
    last = next;
  });
  return client;
}
