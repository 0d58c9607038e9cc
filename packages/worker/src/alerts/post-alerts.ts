import { createHash } from 'node:crypto';
import type { AlertWay } from '@duework/queue-core';
import type { Log } from '../logs/worker-log.js';
import { toAlertBody } from './alert-body.js';
import { type AlertTarget, isQuiet, isWanted } from './alert-target.js';
import type { AlertPost } from './format-alerts.js';

const TIMEOUT_MS = 5_000;

export interface PostAlertsOptions {
  readonly log: Pick<Log, 'error'>;
  /** Its address is a secret, and no log line has it. */
  readonly target: AlertTarget;
  readonly consoleUrl: string | undefined;
  readonly now: () => Date;
}

/** Posts alerts to a web address. What cannot be delivered is logged, and posted again later. */
export function postAlerts({ log, target, consoleUrl, now }: PostAlertsOptions): AlertWay {
  const { url, secret, basic } = readAddress(target.url);
  return {
    name: `webhook:${createHash('sha256').update(target.url).digest('hex').slice(0, 12)}`,
    async tell(alerts, worker) {
      // loaded with the first alert: most workers never tell one
      const { FORMATS } = await import('./format-alerts.js');
      const format = FORMATS[target.format];
      const at = now();
      const wanted = alerts.filter((alert) => isWanted(target, alert) && !isQuiet(target, alert, at));
      const bodies = wanted.map((alert) => toAlertBody(alert, worker, at, consoleUrl));
      const posted = await Promise.all(
        format(bodies, secret).map(async (one) => ((await post(one)) ? one.bodies : [])),
      );
      const done = new Set(posted.flat());
      return alerts.filter(
        (alert) => !isWanted(target, alert) || bodies.some((body, n) => wanted[n] === alert && done.has(body)),
      );
    },
  };

  async function post({ bodies, path = '', headers, body }: AlertPost): Promise<boolean> {
    const about = { alert: bodies[0]!.name, key: bodies[0]!.key };
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(headers ?? basic) },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) log.error({ ...about, status: response.status }, 'alert.unsent');
      return response.ok;
    } catch (error) {
      log.error({ ...about, reason: reasonOf(error) }, 'alert.unsent');
      return false;
    }
  }
}

/** `fetch` refuses an address with a user and a password, which belong into a header, or into the body of a pager. */
function readAddress(given: string) {
  const url = new URL(given);
  const user = decodeURIComponent(url.username);
  const pair = `${user}:${decodeURIComponent(url.password)}`;
  [url.username, url.password] = ['', ''];
  const basic: { Authorization?: string } =
    pair === ':' ? {} : { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  return { url: url.toString(), secret: user, basic };
}

/** The network's code or the kind of error, because the error's text may quote the address. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}
