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
  /** Whoever comes from elsewhere learns whether it lives and claims, and no more; default: everything. */
  readonly isForProbesAlone?: boolean;
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
    const isOpen = options.isForProbesAlone !== true || isLoopback(request.socket.localAddress);
    (isRead
      ? answer(path, { isOpen, isVerbose: isOpen && new URLSearchParams(query).has('verbose') }, options)
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

/** The address that a connection was made to: from elsewhere it is none of these, whoever stands between. */
const isLoopback = (address = ''): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

interface Asked {
  readonly isOpen: boolean;
  readonly isVerbose: boolean;
}

async function answer(path: string, { isOpen, isVerbose }: Asked, options: ProbeServerOptions): Promise<Answer> {
  switch (path) {
    case '/livez':
      return toJson(200, { status: 'live' });
    case '/readyz': {
      const readiness = await options.readReadiness(isVerbose);
      return toJson(readiness.status === 'ready' || readiness.status === 'degraded' ? 200 : 503, readiness);
    }
    case '/metrics':
      return isOpen ? readMetrics(options) : CLOSED;
    default:
      return toJson(404, { status: 'not_found' });
  }
}

const CLOSED: Answer = {
  status: 403,
  type: 'text/plain',
  body: 'Metrics are shown to this machine alone. To show them to others, set HOST=0.0.0.0\n',
};

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
