import type { EmitEvent } from '@duework/queue-core';
import type { Log } from '../logs/worker-log.js';
import { describeAlert } from './describe-alert.js';

const TIMEOUT_MS = 5_000;

export interface PostAlertsOptions {
  readonly log: Pick<Log, 'error'>;
  /** Undefined: alerts are not posted. The address is a secret, and no log line has it. */
  readonly url: string | undefined;
  readonly now: () => Date;
}

/** Posts raised alerts to a web address. Nobody waits for it, and an alert that cannot be delivered is logged. */
export function postAlerts({ log, url, now }: PostAlertsOptions): EmitEvent {
  const target = url === undefined ? null : readTarget(url);
  return (event) => {
    if (event.name !== 'alert.raised' || target === null) return;
    const { name, facts } = event.alert;
    const text = describeAlert(event.alert).says;
    const body = JSON.stringify({ name, text, facts, worker: event.worker, at: now().toISOString() });
    const headers = { 'Content-Type': 'application/json', ...target.headers };
    void fetch(target.url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      async (response) => {
        await response.body?.cancel();
        if (!response.ok) log.error({ alert: name, status: response.status }, 'alert.unsent');
      },
      (error: unknown) => log.error({ alert: name, reason: reasonOf(error) }, 'alert.unsent'),
    );
  };
}

/** `fetch` refuses an address with a user and a password, which belong into a header. */
function readTarget(given: string): { readonly url: URL; readonly headers: { readonly Authorization?: string } } {
  const url = new URL(given);
  const secret = decodeURIComponent(`${url.username}:${url.password}`);
  [url.username, url.password] = ['', ''];
  return {
    url,
    headers: secret === ':' ? {} : { Authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
  };
}

/** The network's code or the kind of error, because the error's text may quote the address. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}
