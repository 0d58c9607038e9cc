import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TargetAddress } from './resolve-target.js';

export interface WebhookPost {
  readonly url: URL;
  /** Where the connection may go: already checked, never resolved again. */
  readonly addresses: readonly TargetAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
}

/** The answer's content means nothing to us; up to here it is read, so that a usual answer ends in peace. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_READ_MS = 5_000;

/**
 * Posts once, over a connection of its own, and resolves with the head of the answer. Follows no redirect. Rejects with
 * what the network says, or with the signal's reason.
 */
export async function postWebhook({ url, addresses, headers, body, signal }: WebhookPost): Promise<WebhookAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const posted = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        // no pool: a connection that was opened for another address must not be used again
        agent: false,
        lookup: answerWith(addresses),
        signal,
      },
      resolve,
    );
    posted.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    posted.end(body);
  });
  void readSome(response);
  const { statusCode = 0, headers: answered } = response;
  return { status: statusCode, retryAfter: answered['retry-after'], date: answered.date };
}

/** Resolves nothing: says what was checked. */
function answerWith(addresses: readonly TargetAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    const [first] = addresses;
    if (first === undefined)
      return callback(Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }), '');
    callback(null, first.address, first.family);
  };
}

/** The status is known: nobody waits for the content, and whatever becomes of it changes nothing. */
async function readSome(response: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => response.destroy(), MAX_READ_MS).unref();
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {
    // cut off in the middle of its content
  }
  clearTimeout(timer);
  response.destroy();
}
