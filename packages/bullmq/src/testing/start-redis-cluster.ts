import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Cluster } from 'ioredis';
import { startRedis, type RedisServer } from './start-redis.js';

export interface RedisCluster {
  readonly ports: readonly number[];
  /** A connection of its own, which its caller closes. */
  connect(): Cluster;
  stop(): Promise<void>;
}

const SETTINGS = { 'cluster-enabled': 'yes', 'cluster-config-file': 'nodes.conf', 'cluster-node-timeout': '2000' };

/** Starts a cluster of three masters on this machine alone. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const servers = await Promise.all([1, 2, 3].map(() => startRedis(SETTINGS)));
  const ports = servers.map(({ port }) => port);
  const members = ports.map((port) => `127.0.0.1:${port}`);
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...members, '--cluster-yes']);
  const connect = (): Cluster =>
    new Cluster(
      ports.map((port) => ({ host: '127.0.0.1', port })),
      { redisOptions: { maxRetriesPerRequest: null } },
    );
  await Promise.all(servers.map(untilReady));
  return {
    ports,
    connect,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** The members agree a moment after the command has ended. */
async function untilReady(server: RedisServer): Promise<void> {
  const client = server.connect();
  client.on('error', () => {});
  try {
    for (;;) {
      const info = await client.cluster('INFO');
      if (info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    client.disconnect();
  }
}
