import { metrics, type Counter, type Histogram, type MeterProvider } from '@opentelemetry/api';
import { SCOPE } from './get-tracer.js';

/** What is measured, by the names of the conventions; durations are in seconds. */
export interface Instruments {
  readonly sent: Counter;
  readonly sendDuration: Histogram;
  readonly consumed: Counter;
  readonly processDuration: Histogram;
}

/** The conventions' own boundaries, and later ones, because jobs take longer than requests. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const LONG = [...BOUNDARIES, 30, 60, 300, 900, 3_600];

const known = new WeakMap<MeterProvider, Instruments>();

/** Made once for each provider: before a program registers its SDK there is another one, which measures nothing. */
export function getInstruments(): Instruments {
  const provider = metrics.getMeterProvider();
  let instruments = known.get(provider);
  if (instruments === undefined) known.set(provider, (instruments = make(provider)));
  return instruments;
}

function make(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(SCOPE);
  const duration = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
  const count = (name: string, description: string): Counter =>
    meter.createCounter(name, { unit: '{message}', description });
  return {
    sent: count('messaging.client.sent.messages', 'Jobs that were enqueued.'),
    sendDuration: duration('messaging.client.operation.duration', 'Duration of an enqueue.', BOUNDARIES),
    consumed: count('messaging.client.consumed.messages', 'Attempts that were begun.'),
    processDuration: duration('messaging.process.duration', 'Duration of an attempt.', LONG),
  };
}
