import { deliverWebhook } from '@duework/shop';
import { bury, complete, retry, type Handler, type Outcome } from '@duework/queue-core';
import { parseRetryAfter } from '../webhook/parse-retry-after.js';
import { postWebhook, type WebhookAnswer } from '../webhook/post-webhook.js';
import { resolveTarget, type ResolveHost } from '../webhook/resolve-target.js';
import { signWebhook } from '../webhook/sign-webhook.js';
import { WebhookError } from '../webhook/webhook-error.js';
import { withTimeLimit } from '../webhook/with-time-limit.js';

export interface WebhookOptions {
  /** Undefined: nothing can be signed, so nothing is sent. */
  readonly secret: string | undefined;
  readonly isPrivateAllowed: boolean;
  readonly timeoutMs: number;
  readonly resolve: ResolveHost;
  readonly now: () => Date;
}

/** 4xx answers that say "later". */
const LATER = new Set([408, 425, 429]);

/** The receiver has certainly not taken the event; `outcome` says what becomes of the run. */
class NotDelivered extends Error {
  constructor(readonly outcome: Outcome<never>) {
    super('The event was not delivered.');
  }
}

/**
 * Posts an event to a customer's address, signed, until the receiver has taken it: at least once. A worker that dies
 * between the answer and its row posts the event again, so the receiver knows it by `X-Duework-Delivery`, which is the
 * same every time. No error text here quotes the address, because it may hold a secret; the payload has it.
 */
export function createDeliverWebhook(options: WebhookOptions): Handler<typeof deliverWebhook> {
  return async ({ payload, signal, once }) => {
    let isDuplicate = true;
    const deliver = async (): Promise<number> => {
      isDuplicate = false;
      const answer = await post(payload, options, signal);
      const { status } = answer;
      if (status < 200 || status > 299) throw new NotDelivered(decideRefusal(answer, options.now()));
      return status;
    };
    try {
      // a run that was enqueued without its contract's key delivers the same event
      const status = await once('delivery', deliver, {
        key: deliverWebhook.keyOf!(payload),
        didNotHappen: (error) => error instanceof NotDelivered,
      });
      return complete(isDuplicate ? { status, isDuplicate } : { status });
    } catch (error) {
      if (error instanceof NotDelivered) return error.outcome;
      throw error;
    }
  };
}

/**
 * Posts the event once; throws `NotDelivered` where nothing may be sent, and a `WebhookError` where nobody answered.
 */
async function post(
  { eventId, event, url, body: content }: { eventId: string; event: string; url: string; body: object },
  { secret, isPrivateAllowed, timeoutMs, resolve, now }: WebhookOptions,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  if (secret === undefined)
    throw new NotDelivered(
      bury(
        'webhook_secret_missing',
        'This worker has no WEBHOOK_SECRET, and no webhook leaves unsigned. Set it, then retry this job.',
      ),
    );
  const target = new URL(url);
  const body = JSON.stringify(content);
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
  if (answer !== null) return answer;
  throw new NotDelivered(
    bury(
      'webhook_address_refused',
      'The address of this webhook is, or resolves to, one that is not on the public internet.',
    ),
  );
}

/** The outcome of the run after an answer other than 2xx. */
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

/** A header holds visible ASCII; any other character is percent-encoded. */
function toHeaderValue(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : encodeURIComponent(text);
}
