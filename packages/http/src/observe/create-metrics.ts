import { Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that this process keeps; those of the queue are read from the database at each scrape. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly bodyBytes: Gauge;
  readonly streams: Gauge;
}

/** Metrics on a registry of their own, so that two APIs in one process don't count together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const requestSeconds = new Histogram({
    name: 'duework_http_request_duration_seconds',
    help: 'Time from the request to its answer, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const bodyBytes = new Gauge({
    name: 'duework_http_body_bytes',
    help: 'Bytes of the bodies of the requests in hand',
    registers: [registry],
  });
  const streams = new Gauge({
    name: 'duework_http_streams',
    help: 'Streams that are open, and requests that wait for a job',
    registers: [registry],
  });
  return { registry, requestSeconds, bodyBytes, streams };
}
