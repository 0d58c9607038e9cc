import { Cluster, Redis } from 'ioredis';

/** The ports of one Redis, or of the members of a cluster, on this machine. */
export interface DedicatedAddress {
  readonly ports: readonly number[];
  readonly isCluster: boolean;
}

/** As a product connects: each call waits until there is an answer. */
export function connectDedicated({ ports, isCluster }: DedicatedAddress): Redis | Cluster {
  const redisOptions = { maxRetriesPerRequest: null, retryStrategy: () => 100 };
  const client = isCluster
    ? new Cluster(
        ports.map((port) => ({ host: '127.0.0.1', port })),
        { redisOptions, clusterRetryStrategy: () => 100, retryDelayOnClusterDown: 100 },
      )
    : new Redis(ports[0]!, '127.0.0.1', redisOptions);
  client.on('error', () => {});
  return client;
}
