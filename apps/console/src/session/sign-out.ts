import { callApi } from '../api/call-api.js';
import { OUT_PATH } from './pending-sign-in.js';
import { endSession, readSession } from './session-store.js';

/** Forgets the session; a person leaves for the issuer, to sign out there, too, and comes back. */
export async function signOut(): Promise<void> {
  const { person } = readSession();
  endSession(null);
  if (person === null) return;
  const body = { ...person, redirectUri: location.origin + OUT_PATH };
  // an issuer that does not answer signs out nobody: here it is forgotten all the same
  const { address } = await callApi('endSignIn', { body }).catch(() => ({ address: null }));
  if (address !== null) location.assign(address);
}
