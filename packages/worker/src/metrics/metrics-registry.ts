/** A registry of prom-client, told by what is needed of it, so that a worker's types do not need the package. */
export interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
  registerMetric(metric: never): void;
}
