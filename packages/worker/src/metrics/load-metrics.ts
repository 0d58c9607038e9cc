import type { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { OptionsError } from '../settings/options-error.js';
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
 *
 * @throws OptionsError where another worker has its metrics in the given registry
 */
export async function loadMetrics(given: MetricsRegistry | undefined): Promise<Metrics | null> {
  const loaded = await importProm();
  if (loaded === null) return null;
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = loaded;
  const prom = { Counter, Gauge, Histogram, Registry };
  if (given !== undefined) {
    const registry = given as unknown as Registry;
    if (ownIn(registry).length > 0)
      throw new OptionsError(['registry has the metrics of another worker of this process; give each one its own']);
    return { prom, registry };
  }
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { prom, registry };
}

/** Takes the worker's metrics out of a registry, which the next worker of this process may be given. */
export function leaveRegistry({ registry }: Metrics): void {
  for (const name of ownIn(registry)) registry.removeSingleMetric(name);
}

const ownIn = (registry: Registry): string[] =>
  registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('duework_'));

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
