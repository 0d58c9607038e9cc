import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { WorkerActivity } from '@duework/queue-core';
import type { Probed } from '../create-probe.js';
import { judgeReadiness } from './judge-readiness.js';

export interface AppOptions {
  readonly registry: Registry;
  /** Reads the gauges of the queue anew; it never fails and takes no longer than its time limit. */
  readonly refreshGauges: () => Promise<void>;
  readonly pingDatabase: () => Promise<Probed<unknown>>;
  readonly activity: () => WorkerActivity;
  readonly state: () => 'starting' | 'running' | 'draining';
  readonly log: Logger;
}

/** What a worker reports over HTTP: whether it lives, whether it claims, and its metrics. */
export function createApp({ registry, refreshGauges, pingDatabase, activity, state, log }: AppOptions): Hono {
  const app = new Hono();
  app.get('/livez', (c) => c.json({ status: 'live' }));
  app.get('/readyz', async (c) => {
    const isUp = state() === 'running' && (await pingDatabase()).isUp;
    const readiness = judgeReadiness(state(), isUp, activity());
    return c.json(readiness, readiness.status === 'ready' ? 200 : 503);
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
