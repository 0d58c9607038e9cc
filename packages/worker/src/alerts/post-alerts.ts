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
  return (event) => {
    if (event.name !== 'alert.raised' || url === undefined) return;
    const { name, facts } = event.alert;
    const text = describeAlert(event.alert).says;
    const body = JSON.stringify({ name, text, facts, worker: event.worker, at: now().toISOString() });
    const headers = { 'Content-Type': 'application/json' };
    void fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      async (response) => {
        await response.body?.cancel();
        if (!response.ok) log.error({ alert: name, status: response.status }, 'alert.unsent');
      },
      (error: unknown) => log.error({ alert: name, reason: reasonOf(error) }, 'alert.unsent'),
    );
  };
}

/** The network's code or the kind of error, because the error's text may quote the address. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}
