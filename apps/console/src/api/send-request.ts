import { apiUrl } from '../base-path.js';
import { readSession, renewSession } from '../session/session-store.js';
import { noteServerTime } from '../time/server-clock.js';
import { ApiError } from './api-error.js';
import type { Schemas } from './api-types.js';
import { readProblem } from './read-problem.js';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** A body that is JSON already. */
  readonly json?: string;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request with the key of this session; a person's token that has expired is renewed first. Throws an `ApiError`
 * where it is refused; an aborted one throws its reason.
 */
export async function sendRequest(request: SentRequest): Promise<Response> {
  const { key } = readSession();
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'expired_credentials' || !(await renew(key))) throw error;
    return send(request);
  }
}

let renewing: Promise<boolean> | null = null;

/** Whether there is another token than `expired`: whoever asks meanwhile waits for the same one. */
async function renew(expired: string | null): Promise<boolean> {
  const { key, person } = readSession();
  if (key !== expired) return key !== null;
  if (person === null || person.refreshToken === null) return false;
  renewing ??= askForNext(person.refreshToken, person.idToken).finally(() => (renewing = null));
  return renewing;
}

async function askForNext(refreshToken: string, lastIdToken: string | null): Promise<boolean> {
  try {
    const response = await send({ method: 'POST', path: '/v1/sign-in/refresh', body: { refreshToken } });
    const { token, idToken, ...kept } = (await response.json()) as Schemas['SignedIn'];
    // somebody may have signed out meanwhile
    if (readSession().person?.refreshToken !== refreshToken) return false;
    renewSession(token, { ...kept, idToken: idToken ?? lastIdToken });
    return true;
  } catch (error) {
    // the issuer knows the person no more; one that does not answer is asked again with the next request
    if (error instanceof ApiError && error.code === 'sign_in_refused') return false;
    throw error;
  }
}

async function send({ method, path, body, json, signal, headers }: SentRequest): Promise<Response> {
  const content = json ?? (body === undefined ? undefined : JSON.stringify(body));
  const { key } = readSession();
  let response: Response;
  try {
    response = await fetch(apiUrl + path, {
      method,
      signal: signal ?? null,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new ApiError('unreachable', error instanceof Error ? error.message : String(error), null);
  }
  noteServerTime(response.headers.get('date'));
  if (!response.ok) throw await readProblem(response);
  return response;
}
