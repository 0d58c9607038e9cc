import { createHash } from 'node:crypto';
import type { deliverWebhook } from '@duework/shop';
import type { PrismaClient } from '@duework/database';
import { bury, complete, retry, type Handler, type Outcome } from '@duework/queue-core';
import type { AttemptDatabase } from '../../bind-database.js';
import { recordDelivery } from '../sql/record-delivery.js';
import { parseRetryAfter } from '../webhook/parse-retry-after.js';
import { postWebhook, type WebhookAnswer } from '../webhook/post-webhook.js';
import { resolveTarget, type ResolveHost } from '../webhook/resolve-target.js';
import { signWebhook } from '../webhook/sign-webhook.js';
import { WebhookError } from '../webhook/webhook-error.js';
import { withTimeLimit } from '../webhook/with-time-limit.js';
import { writePersistently } from '../write-persistently.js';

export interface WebhookOptions {
  readonly db: PrismaClient;
  /** Undefined: nothing can be signed, so nothing is sent. */
  readonly secret: string | undefined;
  readonly isPrivateAllowed: boolean;
  readonly timeoutMs: number;
  readonly resolve: ResolveHost;
  readonly now: () => Date;
}

/** What fits into the index of deliveries; a longer address is known by its digest. */
const MAX_URL_BYTES = 2_000;
/** 4xx answers that say "later". */
const LATER = new Set([408, 425, 429]);

/**
 * Posts an event to a customer's address, signed, until the other side has taken it: at least once. A worker that dies
 * between the answer and its row posts it again, so the receiver knows an event by `X-Duework-Delivery`, which is the same
 * every time. No sentence here quotes the address: it may hold a secret, and it stands in the payload.
 */
export function createDeliverWebhook(options: WebhookOptions): Handler<typeof deliverWebhook, AttemptDatabase> {
  const { db, secret, isPrivateAllowed, timeoutMs, resolve, now } = options;
  return async ({ payload, signal, transaction }) => {
    const { eventId, event } = payload;
    const isLong = Buffer.byteLength(payload.url) > MAX_URL_BYTES;
    const url = isLong ? `sha256:${createHash('sha256').update(payload.url).digest('hex')}` : payload.url;
    const delivered = await transaction((tx) =>
      tx.deliveredWebhook.findUnique({ where: { eventId_url: { eventId, url } } }),
    );
    if (delivered !== null) return complete({ status: delivered.httpStatus, isDuplicate: true });
    if (secret === undefined)
      return bury(
        'webhook_secret_missing',
        'This worker has no WEBHOOK_SECRET, and no webhook leaves unsigned. Set it, then retry this job.',
      );

    const target = new URL(payload.url);
    const body = JSON.stringify(payload.body);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Duework',
      'X-Duework-Event': toHeaderValue(event),
      'X-Duework-Delivery': toHeaderValue(eventId),
      'X-Duework-Signature': signWebhook(body, secret, now()),
    };
    const tooLate = (): Error =>
      new WebhookError('webhook_timeout', `The receiver did not answer within ${timeoutMs} ms.`);
    const answer = await withTimeLimit(signal, timeoutMs, tooLate, async (limit) => {
      const addresses = await resolveTarget(target, resolve, isPrivateAllowed);
      return addresses && postWebhook({ url: target, addresses, headers, body, signal: limit });
    }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : WebhookError.from(error);
    });
    if (answer === null)
      return bury(
        'webhook_address_refused',
        'The address of this webhook is, or resolves to, one that is not on the public internet.',
      );
    const { status } = answer;
    if (status < 200 || status > 299) return decideRefusal(answer, now());
    await writePersistently(() => recordDelivery(db, { eventId, url, httpStatus: status }), signal);
    return complete({ status });
  };
}

/** What an answer other than 2xx means for the run. */
function decideRefusal({ status, retryAfter, date }: WebhookAnswer, now: Date): Outcome<never> {
  if (status >= 300 && status < 400)
    return bury(
      'webhook_redirected',
      `The receiver answered ${status}: redirects are not followed, because they could lead anywhere. Correct the address.`,
    );
  const answeredMs = Date.parse(date ?? '');
  const delayMs =
    status === 429 || status === 503
      ? parseRetryAfter(retryAfter, Number.isNaN(answeredMs) ? now : new Date(answeredMs))
      : null;
  const code = `http_${status}`;
  if (delayMs !== null)
    return retry(`The receiver answered ${status} and asked to wait.`, { delay: `${delayMs}ms`, code });
  if (status >= 400 && status < 500 && !LATER.has(status))
    return bury(code, `The receiver refused the event with ${status}.`);
  return retry(`The receiver answered ${status}.`, { code });
}

/** A header holds visible ASCII; what it cannot hold is percent-encoded. */
function toHeaderValue(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : encodeURIComponent(text);
}
