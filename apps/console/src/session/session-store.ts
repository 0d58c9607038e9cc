import { useSyncExternalStore } from 'react';

/** Why somebody has to sign in again: a code of the API, and its sentence. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
}

export interface Session {
  /** An API key, or the token of a person. */
  readonly key: string | null;
  /**
   * `open`: requests show the key, if there is one. `closed`: the API refused what was shown. `arriving`: a person has come back
   * from the issuer, and the token is being asked for.
   */
  readonly state: 'open' | 'closed' | 'arriving';
  /** null: nothing was shown yet, or somebody signed out. */
  readonly why: Refusal | null;
}

const NAME = 'duework.key';
const listeners = new Set<() => void>();
let session: Session = { key: readStored(), state: 'open', why: null };

/** It lives as long as its tab: never in a cookie, which is sent by itself, nor where other tabs find it. */
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
export const startSession = (key: string): void => change({ key, state: 'open', why: null });
export const awaitSession = (): void => change({ key: null, state: 'arriving', why: null });

/** Asks for a key again. `why`: the API refused; null: somebody signed out. */
export function endSession(why: Refusal | null): void {
  if (session.state === 'closed' && why !== null) return;
  change({ key: null, state: 'closed', why: why?.code === 'unauthenticated' ? null : why });
}

export function useSession(): Session {
  return useSyncExternalStore(onSession, () => session);
}

/** Tells of each change, before anything is drawn. */
export function onSession(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
