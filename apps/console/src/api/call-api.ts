import { OPERATIONS, type Operations } from './api-types.js';
import { ApiError } from './api-error.js';
import { sendRequest } from './send-request.js';

type Name = keyof Operations;
export type AnswerOf<N extends Name> = Operations[N]['answer'];

export type CallOptions<N extends Name> = (Operations[N]['params'] extends null
  ? { readonly params?: undefined }
  : { readonly params: Operations[N]['params'] }) &
  (Operations[N]['body'] extends null ? { readonly body?: undefined } : { readonly body?: Operations[N]['body'] }) & {
    readonly signal?: AbortSignal;
    /** For a request that may be sent twice and must be done once. */
    readonly requestKey?: string;
  };

/** Calls an operation of the API by its name in the API's document, and returns the JSON of its answer. */
export async function callApi<N extends Name>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>> {
  const text = await callForText(name, options);
  try {
    return (text === '' ? null : JSON.parse(text)) as AnswerOf<N>;
  } catch {
    throw new ApiError('answer_unreadable', 'The answer is not JSON.', 200);
  }
}

/** The same as text: numbers that JavaScript cannot hold are intact in it. */
export async function callForText<N extends Name>(name: N, options: CallOptions<N>): Promise<string> {
  const [method, template] = OPERATIONS[name];
  const response = await sendRequest({
    method,
    path: fillPath(template, (options.params ?? {}) as Record<string, unknown>),
    body: options.body,
    signal: options.signal,
    ...(options.requestKey === undefined ? {} : { headers: { 'Idempotency-Key': options.requestKey } }),
  });
  return response.text();
}

/** A name in a path. Throws `not_found` for dots alone, which a browser would resolve, and for half of a character. */
function toPart(name: string): string {
  if (/^\.{1,2}$|\p{Cs}/u.test(name)) throw new ApiError('not_found', 'Nothing has a name like that.', null);
  return encodeURIComponent(name);
}

/** Puts parameters where the path names them, and the others behind it. */
export function fillPath(template: string, params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    const place = `{${name}}`;
    if (template.includes(place)) path = path.replace(place, toPart(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
