import { ApiError } from '../api/api-error.js';
import { callApi } from '../api/call-api.js';
import { basePath } from '../base-path.js';
import { texts } from '../texts/texts.js';
import { OUT_PATH, RETURN_PATH, takeSignIn, type PendingSignIn } from './pending-sign-in.js';
import { awaitSession, endSession, readSession, startSession } from './session-store.js';

/**
 * Where a person has come back from the issuer: takes the code out of the address at once, so that nothing else reads it, and asks
 * for the token. A state that this tab has not begun with is somebody else's sign-in, and is not even tried.
 */
export function arrive(): void {
  // signed out at the issuer: there is nothing at this address
  if (location.pathname === OUT_PATH) history.replaceState(null, '', `${basePath}/`);
  if (location.pathname !== RETURN_PATH) return;
  const parameters = location.search.slice(1);
  const pending = takeSignIn(new URLSearchParams(parameters).get('state'));
  history.replaceState(null, '', pending?.path ?? `${basePath}/`);
  if (pending !== null) void finish(pending, parameters);
  // a link that somebody else has made does not sign out whoever is signed in
  else if (readSession().key === null) endSession({ code: 'sign_in_refused', detail: texts.signIn.notBegunHere });
}

async function finish({ path: _path, ...returned }: PendingSignIn, parameters: string): Promise<void> {
  awaitSession();
  try {
    const { token, ...person } = await callApi('finishSignIn', { body: { ...returned, parameters } });
    startSession(token, person);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unreachable';
    endSession({ code, detail: code === 'unreachable' ? texts.states.unreachable : (error as Error).message });
  }
}
