import type { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

/** The part of prom-client that a worker uses. */
export interface Prom {
  readonly Counter: typeof Counter;
  readonly Gauge: typeof Gauge;
  readonly Histogram: typeof Histogram;
  readonly Registry: new () => Registry;
}

export interface Metrics {
  readonly prom: Prom;
  readonly registry: Registry;
}

/**
 * Loads prom-client, which a worker does without: null when it is not installed. A given registry is used as it is; an
 * own one has the figures of the process, too.
 */
export async function loadMetrics(given: MetricsRegistry | undefined): Promise<Metrics | null> {
  const loaded = await importProm();
  if (loaded === null) return null;
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = loaded;
  const prom = { Counter, Gauge, Histogram, Registry };
  if (given !== undefined) return { prom, registry: given as unknown as Registry };
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { prom, registry };
}

interface WholeProm extends Prom {
  readonly collectDefaultMetrics: typeof collectDefaultMetrics;
}

async function importProm(): Promise<WholeProm | null> {
  try {
    return (await import('prom-client')).default;
  } catch (error) {
    // what a CommonJS build of this file gets
    const codes: unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
    if (codes.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}
