import { useSyncExternalStore } from 'react';

/** `signedOut`: the API refused what was shown; `why` is its code, null where nothing was shown yet. */
export interface Session {
  readonly key: string | null;
  readonly isSignedOut: boolean;
  readonly why: string | null;
}

const NAME = 'duework.key';
const listeners = new Set<() => void>();
let session: Session = { key: readStored(), isSignedOut: false, why: null };

/** A key lives as long as its tab: never in a cookie, which is sent by itself, nor where other tabs find it. */
function readStored(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function change(next: Session): void {
  session = next;
  try {
    if (next.key === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, next.key);
  } catch {
    // storage is closed to this page: the key lives until the next load
  }
  for (const tell of listeners) tell();
}

export const readKey = (): string | null => session.key;
export const startSession = (key: string): void => change({ key, isSignedOut: false, why: null });

/** Asks for a key again. `why` is the code with which the API refused; null: somebody signed out. */
export function endSession(why: string | null): void {
  if (session.isSignedOut && why !== null) return;
  change({ key: null, isSignedOut: true, why: why === 'unauthenticated' ? null : why });
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session);
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
