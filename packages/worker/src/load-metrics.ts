/** The part of prom-client that a worker uses. */
export type Prom = Pick<typeof import('prom-client'), 'Counter' | 'Gauge' | 'Histogram'>;
export type Registry = import('prom-client').Registry;

/** A registry of prom-client, told by what is needed of it, so that a worker's types do not need the package. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  registerMetric(metric: never): void;
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
  const prom = { Counter, Gauge, Histogram };
  if (given !== undefined) return { prom, registry: given as unknown as Registry };
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { prom, registry };
}

async function importProm(): Promise<typeof import('prom-client') | null> {
  try {
    return (await import('prom-client')).default;
  } catch (error) {
    // what a CommonJS build of this file gets
    const codes: unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
    if (codes.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}
