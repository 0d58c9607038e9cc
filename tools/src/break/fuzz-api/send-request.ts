import { type IncomingMessage, request } from 'node:http';
import type { DescribedRequest, Given } from './described-request.js';
import type { Answer, ToldValues } from './told-values.js';

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
  /** When it was made, in milliseconds since 1970. */
  readonly sentMs: number;
}

/** The request as it goes over the wire: what it asks about is looked up, its credentials are added. */
export function fillIn(request: DescribedRequest, url: string, told: ToldValues, token: string | null): SentRequest {
  const { operation, inPath, query, body, method } = request;
  const read = (name: string, given: Given): string =>
    'text' in given ? given.text : (told.find(operation, name, given.told) ?? 'none');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodePart(read(name, inPath[name] ?? { text: 'none' })),
  );
  const pairs = query
    // a page that nobody was told of yet cannot be asked for
    .filter(([name, given]) => 'text' in given || told.find(operation, name, 0) !== null)
    .map(([name, given]) => [name, read(name, given)] as const);
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
    sentMs: Date.now(),
  };
}

/** Half a surrogate pair cannot be encoded. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A part of a path: one that is empty, or only dots, would make another address. */
const encodePart = (text: string): string => (/^\.{0,2}$/.test(text) ? '%20' : encode(text));

/**
 * Sends it and reads the answer; a stream is left after its first event. Each request has a connection of its own: one that
 * the server may just be closing would leave it without an answer. Throws when there is none in time.
 */
export function sendRequest({ method, url, headers, body }: SentRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new Error(`${method} ${url} got no answer: ${error.message}`));
    const sent = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(LIMIT_MS) });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      let text = '';
      const end = (): void => {
        clearTimeout(leave);
        resolve({ status: response.statusCode ?? 0, headers: toHeaders(response), text });
        sent.destroy();
      };
      const leave = setTimeout(() => isStream && end(), STREAM_MS);
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (isStream && /\ndata: .*\n\n/.test(text)) end();
      });
      response.on('end', end);
      response.on('error', fail);
    });
    sent.end(body);
  });
}

const toHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
