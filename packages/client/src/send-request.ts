import { ClientError } from './client-error.js';
import type { ClientOptions } from './client-options.js';
import { readProblem } from './read-problem.js';
import type { RequestOptions } from './request-options.js';
import { toAddress } from './to-address.js';
import { pause, waitBefore } from './wait-before.js';

export interface SentRequest extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** What belongs to the request and not to its body. */
export const pick = ({ signal, timeoutMs, requestKey }: RequestOptions): RequestOptions => ({
  signal,
  timeoutMs,
  requestKey,
});

const TIMEOUT_MS = 10_000;
export const RETRIES = 2;
/** Answers of servers that did not get to the request, or cannot just now. */
const PASSING = [408, 429, 502, 503, 504];
export const isPassing = (status: number): boolean => PASSING.includes(status);

/** The headers that every request has. */
export async function toHeaders(options: ClientOptions, accept: string): Promise<Record<string, string>> {
  const key = typeof options.key === 'function' ? await options.key() : options.key;
  return { Accept: accept, ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) };
}

/**
 * Sends a request, again where it fails on its way and a second one does no harm: it only reads, or the server knows by
 * its key that it has answered it. Returns the answer's JSON and its status.
 *
 * @throws ClientError, or the reason of the signal
 */
export async function sendRequest(
  options: ClientOptions,
  request: SentRequest,
): Promise<{ status: number; json: unknown }> {
  const url = toAddress(options, request.path);
  const isSafe = request.method === 'GET' || request.requestKey !== undefined;
  const retries = isSafe ? (options.retries ?? RETRIES) : 0;
  for (let tries = 0; ; tries++) {
    let failure: ClientError;
    let response: Response | undefined;
    try {
      response = await sendOnce(options, url, request);
      if (response.ok) return { status: response.status, json: await readJson(response) };
      failure = await readProblem(response);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (ClientError.is(error)) throw error;
      failure = toClientError(options.url, error);
    }
    const isOver = response !== undefined && !isPassing(response.status);
    if (tries >= retries || isOver) throw failure;
    await pause(waitBefore(tries, response?.headers.get('Retry-After') ?? null), request.signal);
  }
}

async function sendOnce(
  options: ClientOptions,
  url: string,
  { method, body, ...request }: SentRequest,
): Promise<Response> {
  const limit = AbortSignal.timeout(request.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS);
  const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]);
  const response = await (options.fetch ?? fetch)(url, {
    method,
    signal,
    headers: {
      ...(await toHeaders(options, 'application/json')),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(request.requestKey === undefined ? {} : { 'Idempotency-Key': request.requestKey }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // the limit is on all of the answer: a body that stalls is a failure on the way, too
  const text = await response.text();
  return new Response([204, 205, 304].includes(response.status) ? null : text, response);
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    throw new ClientError('answer_unreadable', `The answer (${status}) is not JSON: is this the API of Duework?`, {
      status,
      cause,
    });
  }
}

export function toClientError(url: string, error: unknown): ClientError {
  const { origin } = new URL(url);
  if ((error as Error)?.name === 'TimeoutError')
    return new ClientError('request_timed_out', `${origin} did not answer in time.`, { cause: error });
  const cause = (error as { cause?: { code?: string } } | null)?.cause?.code;
  const why = cause === undefined ? (error instanceof Error ? error.message : String(error)) : cause;
  return new ClientError('server_unreachable', `${origin} cannot be asked: ${why}.`, { cause: error });
}
