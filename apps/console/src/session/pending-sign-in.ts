import { basePath } from '../base-path.js';

/** A sign-in that this tab has begun at the issuer. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** Where the person was, and goes on. */
  readonly path: string;
}

const NAME = 'duework.sign-in';

/** Where the issuer sends the browser back to. */
export const RETURN_PATH = `${basePath}/signed-in`;

/** Where it sends the browser to when the person has signed out there. */
export const OUT_PATH = `${basePath}/signed-out`;

/** Keeps it for this tab alone. Throws where storage is closed to this page: nobody could come back. */
export const keepSignIn = (pending: PendingSignIn): void => sessionStorage.setItem(NAME, JSON.stringify(pending));

/** The one that this tab has begun with `state`; null: it has not. Nothing is found twice. */
export function takeSignIn(state: string | null): PendingSignIn | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as PendingSignIn | null;
    sessionStorage.removeItem(NAME);
    return kept !== null && kept.state === state ? kept : null;
  } catch {
    return null;
  }
}
