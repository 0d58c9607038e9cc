import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Probed } from '../create-probe.js';

export interface AppOptions {
  readonly registry: Registry;
  /** Reads the gauges of the queue anew; it never fails and takes no longer than its bound. */
  readonly refreshGauges: () => Promise<void>;
  readonly pingDatabase: () => Promise<Probed<unknown>>;
  readonly state: () => 'starting' | 'running' | 'draining';
  readonly log: Logger;
}

/** What a worker says about itself over HTTP: whether it lives, whether it takes work, and its figures. */
export function createApp({ registry, refreshGauges, pingDatabase, state, log }: AppOptions): Hono {
  const app = new Hono();
  app.get('/livez', (c) => c.json({ status: 'live' }));
  app.get('/readyz', async (c) => {
    const now = state();
    if (now !== 'running') return c.json({ status: now }, 503);
    const { isUp } = await pingDatabase();
    return isUp ? c.json({ status: 'ready' }) : c.json({ status: 'database_away' }, 503);
  });
  app.get('/metrics', async (c) => {
    await refreshGauges();
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
  app.onError((error, c) => {
    log.error({ err: error }, 'request.failed');
    return c.json({ status: 'failed' }, 500);
  });
  return app;
}
