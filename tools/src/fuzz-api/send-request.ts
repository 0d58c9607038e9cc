import type { DescribedRequest, Given } from './described-request.js';
import type { ToldValues } from './told-values.js';

/** How long an answer may take: no promise of speed, but what tells an answer from a request that hangs. */
const LIMIT_MS = 10_000;
/** After this long a stream has told what it had to tell. */
const STREAM_MS = 700;

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Of a stream: what came until it was left. */
  readonly text: string;
}

/** The request as it goes over the wire: what it asks about is looked up, its credentials are added. */
export function fillIn(request: DescribedRequest, url: string, told: ToldValues, token: string | null): SentRequest {
  const { operation, inPath, query, body, method } = request;
  const read = (name: string, given: Given): string =>
    'text' in given ? given.text : told.find(operation, name, given.told);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(read(name, inPath[name] ?? { text: 'none' })),
  );
  const pairs = query.map(([name, given]) => [name, read(name, given)] as const);
  const search = pairs.map((pair) => pair.map(encode).join('=')).join('&');
  return {
    method: method ?? operation.method,
    url: url + path + (search === '' ? '' : `?${search}`),
    query: pairs,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: method === 'HEAD' || (method ?? operation.method) === 'GET' ? undefined : body,
  };
}

/** Half a surrogate pair cannot be encoded. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A part of a path: one that is empty, or only dots, would make another address. */
const encodePart = (text: string): string => (/^\.{0,2}$/.test(text) ? '%20' : encode(text));

/** Sends it and reads the answer; a stream is left after its first event. Throws when there is no answer. */
export async function sendRequest({ method, url, headers, body }: SentRequest): Promise<Answer> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const response = await fetch(url, { method, headers, signal, redirect: 'manual', ...(body === undefined ? {} : { body }) });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? await readStream(response) : await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function readStream({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const leave = setTimeout(() => void reader.cancel(), STREAM_MS);
  let text = '';
  try {
    while (!/\ndata: .*\n\n/.test(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
  } finally {
    clearTimeout(leave);
    await reader.cancel();
  }
  return text;
}
