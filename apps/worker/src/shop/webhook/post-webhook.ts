import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TargetAddress } from './resolve-target.js';

export interface WebhookPost {
  readonly url: URL;
  /** The addresses the connection may go to: already checked, never resolved again. */
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

/** The answer's content is not used; it is read up to here, so that a usual answer ends in peace. */
const MAX_READ_BYTES = 64 * 1024;
const MAX_READ_MS = 5_000;

/**
 * Posts once, over a connection of its own, and resolves with the head of the answer. It follows no redirect. Rejects
 * with the network's error, or with the signal's reason.
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

/** Resolves no name: returns the checked addresses. */
function answerWith(addresses: readonly TargetAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    const [first] = addresses;
    if (first === undefined)
      return callback(Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }), '');
    callback(null, first.address, first.family);
  };
}

/** The status is known: nobody waits for the content, and an error in it changes nothing. */
async function readSome(response: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => response.destroy(), MAX_READ_MS).unref();
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) break;
    }
  } catch {
    // the connection was cut in the middle of the content
  }
  clearTimeout(timer);
  response.destroy();
}
