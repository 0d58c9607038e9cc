import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** One value of a metric: its sum, or how many were recorded. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly value: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Span kinds as OTLP numbers them. */
export const CLIENT = 3;
export const PRODUCER = 4;
export const CONSUMER = 5;

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly points: ReceivedPoint[];
  /** Everything that was received, as it came. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

/** Receives OTLP over HTTP on this machine, as a collector does: `POST /v1/traces` and `POST /v1/metrics`, as JSON. */
export async function startCollector(): Promise<Collector> {
  const [spans, points, bodies]: [ReceivedSpan[], ReceivedPoint[], string[]] = [[], [], []];
  const server = createServer(async (request, response) => {
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const body = await text(isZipped ? request.pipe(createGunzip()) : request);
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...readSpans(JSON.parse(body)));
    else points.push(...readPoints(JSON.parse(body)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, spans, points, bodies, stop };
}

type Pairs = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

function readSpans({ resourceSpans }: { resourceSpans: { scopeSpans: { spans: never[] }[] }[] }): ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, events, links, ...span }: Record<string, unknown>) => ({
      ...(span as unknown as ReceivedSpan),
      attributes: toObject(attributes as Pairs),
      events: ((events ?? []) as { name: string; attributes: Pairs }[]).map((event) => ({
        name: event.name,
        attributes: toObject(event.attributes),
      })),
      links: (links ?? []) as ReceivedSpan['links'],
    }));
}

type Points = { dataPoints: { attributes: Pairs; asDouble?: number; asInt?: number; count?: number }[] };

function readPoints({
  resourceMetrics,
}: {
  resourceMetrics: { scopeMetrics: { metrics: { name: string; sum?: Points; histogram?: Points }[] }[] }[];
}): ReceivedPoint[] {
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .flatMap(({ name, sum, histogram }) =>
      (sum ?? histogram)!.dataPoints.map(({ attributes, asDouble, asInt, count }) => ({
        metric: name,
        value: Number(asDouble ?? asInt ?? count),
        attributes: toObject(attributes),
      })),
    );
}

function toObject(pairs: Pairs = []): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, 'intValue' in value ? Number(value['intValue']) : Object.values(value)[0]]),
  );
}
