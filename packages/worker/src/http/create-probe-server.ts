import { createServer, type Server, type ServerResponse } from 'node:http';
import type { MetricsRegistry } from '../metrics/metrics-registry.js';
import type { Log } from '../logs/worker-log.js';
import type { Readiness } from './judge-readiness.js';

export interface ProbeServerOptions {
  /** null: prom-client is not installed. */
  readonly registry: Pick<MetricsRegistry, 'metrics' | 'contentType'> | null;
  /** Reads the gauges of the queue anew; it never fails and takes no longer than its time limit. */
  readonly refreshGauges: () => Promise<void>;
  /** Whether it claims; with what nobody serves, where that is asked for. */
  readonly readReadiness: (isVerbose: boolean) => Promise<Readiness>;
  readonly log: Pick<Log, 'error'>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const toJson = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

/** What a worker reports over HTTP: whether it lives, whether it claims, and its metrics. */
export function createProbeServer(options: ProbeServerOptions): Server {
  return createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const [path = '', query] = url.split('?', 2);
    const isRead = method === 'GET' || method === 'HEAD';
    (isRead
      ? answer(path, new URLSearchParams(query).has('verbose'), options)
      : Promise.resolve(toJson(405, { status: 'method_not_allowed' }))
    )
      .catch((error: unknown) => {
        options.log.error({ err: error }, 'request.failed');
        return toJson(500, { status: 'failed' });
      })
      .then((answered) => send(response, answered, method === 'HEAD'))
      // the caller has gone away
      .catch(() => response.destroy());
  });
}

async function answer(path: string, isVerbose: boolean, options: ProbeServerOptions): Promise<Answer> {
  switch (path) {
    case '/livez':
      return toJson(200, { status: 'live' });
    case '/readyz': {
      const readiness = await options.readReadiness(isVerbose);
      return toJson(readiness.status === 'ready' || readiness.status === 'degraded' ? 200 : 503, readiness);
    }
    case '/metrics':
      return readMetrics(options);
    default:
      return toJson(404, { status: 'not_found' });
  }
}

async function readMetrics({ registry, refreshGauges }: ProbeServerOptions): Promise<Answer> {
  if (registry === null)
    return { status: 501, type: 'text/plain', body: 'Metrics need prom-client. Run: npm install prom-client\n' };
  await refreshGauges();
  return { status: 200, type: registry.contentType, body: await registry.metrics() };
}

function send(response: ServerResponse, { status, type, body }: Answer, isHead: boolean): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(isHead ? undefined : body);
}
