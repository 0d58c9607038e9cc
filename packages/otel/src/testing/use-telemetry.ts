import { context, metrics, propagation, trace, type Tracer } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { traceEnqueues } from '../trace-enqueues.js';
import { type Collector, type ReceivedPoint, type ReceivedSpan, startCollector } from './start-collector.js';

export interface Telemetry {
  /** A tracer of the program's own, as its handlers and routes have one. */
  readonly tracer: Tracer;
  /** Everything that was sent since the test began, in the order in which spans ended. */
  spans(): Promise<readonly ReceivedSpan[]>;
  points(): Promise<readonly ReceivedPoint[]>;
  /** What went over the wire, as text. */
  sentText(): Promise<string>;
}

/** The SDK with its OTLP exporters, and a collector; enqueues of each test are traced. Call it at the top of a file. */
export function useTelemetry(): Telemetry {
  let collector: Collector;
  let traces: NodeTracerProvider;
  let meters: MeterProvider;
  beforeAll(async () => {
    collector = await startCollector();
    const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
    traces = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    traces.register();
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ url: `${collector.url}/v1/metrics` }),
      exportIntervalMillis: 3_600_000,
    });
    meters = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(meters);
    traceEnqueues();
  });
  // before the next one, when the workers of the last have stopped: until then an attempt may still end
  beforeEach(async () => {
    await traces.forceFlush();
    collector.spans.length = 0;
    collector.bodies.length = 0;
  });
  afterEach(() => {
    traceEnqueues();
  });
  afterAll(async () => {
    traceEnqueues()();
    await Promise.all([traces.shutdown(), meters.shutdown()]);
    for (const api of [trace, context, propagation, metrics]) api.disable();
    await collector.stop();
  });
  const flushed = async (): Promise<Collector> => {
    await Promise.all([traces.forceFlush(), meters.forceFlush()]);
    return collector;
  };
  return {
    get tracer() {
      return trace.getTracer('shop');
    },
    spans: async () => (await flushed()).spans,
    points: async () => (await flushed()).points,
    sentText: async () => (await flushed()).bodies.join('\n'),
  };
}
