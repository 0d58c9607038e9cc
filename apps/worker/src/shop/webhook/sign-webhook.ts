import { createHmac } from 'node:crypto';

/**
 * The header `X-Duework-Signature`: `t=<unix seconds>,v1=<hex>`, where hex is the HMAC-SHA256 of `<t>.<body>` under the
 * shared secret. The receiver computes it over the bytes it got, compares in constant time, and refuses a `t` that is more
 * than a few minutes old, so that a recorded request cannot be sent again.
 */
export function signWebhook(body: string, secret: string, sentAt: Date): string {
  const t = Math.floor(sentAt.getTime() / 1_000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
