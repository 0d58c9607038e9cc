import { useSyncExternalStore } from 'react';

/** Why somebody has to sign in again: a code of the API, and its sentence. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
}

/** What the issuer has given beside the token. */
export interface Person {
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

export interface Session {
  /** An API key, or the token of a person. */
  readonly key: string | null;
  /** What keeps a person signed in, and signs them out at the issuer; null: it is an API key. */
  readonly person: Person | null;
  /** Another for each that signs in; a token that is renewed is the same session. */
  readonly nr: number;
  /**
   * `open`: requests show the key, if there is one. `closed`: the API refused what was shown. `arriving`: a person has come back
   * from the issuer, and the token is being asked for.
   */
  readonly state: 'open' | 'closed' | 'arriving';
  /** null: nothing was shown yet, or somebody signed out. */
  readonly why: Refusal | null;
}

const NAME = 'duework.key';
const PERSON = 'duework.person';
const listeners = new Set<() => void>();
let session: Session = { key: readStored(NAME), person: readPerson(), nr: 0, state: 'open', why: null };

/** It lives as long as its tab: never in a cookie, which is sent by itself, nor where other tabs find it. */
function readStored(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function readPerson(): Person | null {
  const text = readStored(PERSON);
  return text === null ? null : (JSON.parse(text) as Person);
}

function store(name: string, text: string | null): void {
  if (text === null) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, text);
}

function change(next: Omit<Session, 'nr'>, isSame = false): void {
  session = { ...next, nr: isSame ? session.nr : session.nr + 1 };
  try {
    store(NAME, next.key);
    store(PERSON, next.person === null ? null : JSON.stringify(next.person));
  } catch {
    // storage is closed to this page: the key lives until the next load
  }
  for (const tell of listeners) tell();
}

export const readSession = (): Session => session;
export const startSession = (key: string, person: Person | null = null): void =>
  change({ key, person, state: 'open', why: null });
/** Goes on with the next token of the same person. */
export const renewSession = (key: string, person: Person): void =>
  change({ key, person, state: 'open', why: null }, true);
export const awaitSession = (): void => change({ key: null, person: null, state: 'arriving', why: null });

/** Asks for a key again. `why`: the API refused; null: somebody signed out. */
export function endSession(why: Refusal | null): void {
  if (session.state === 'closed' && why !== null) return;
  change({ key: null, person: null, state: 'closed', why: why?.code === 'unauthenticated' ? null : why });
}

export function useSession(): Session {
  return useSyncExternalStore(onSession, () => session);
}

/** Tells of each change, before anything is drawn. */
export function onSession(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
