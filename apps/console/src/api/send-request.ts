import { apiUrl } from '../base-path.js';
import { readKey } from '../session/session-store.js';
import { noteServerTime } from '../time/server-clock.js';
import { ApiError } from './api-error.js';
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

/** Sends a request with the key of this session. Throws an `ApiError` where it is refused; an aborted one throws its reason. */
export async function sendRequest({ method, path, body, json, signal, headers }: SentRequest): Promise<Response> {
  const content = json ?? (body === undefined ? undefined : JSON.stringify(body));
  const key = readKey();
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
