import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Cluster } from 'ioredis';
import { startRedis, type RedisServer } from './start-redis.js';

export interface RedisCluster {
  readonly ports: readonly number[];
  /** Its members: three masters first, then the replicas. */
  readonly servers: readonly RedisServer[];
  /** A connection of its own, which its caller closes. */
  connect(): Cluster;
  stop(): Promise<void>;
}

const MASTERS = 3;
const SETTINGS = { 'cluster-enabled': 'yes', 'cluster-config-file': 'nodes.conf', 'cluster-node-timeout': '2000' };

/** Starts a cluster of three masters on this machine alone, each with so many replicas that can take over from it. */
export async function startRedisCluster({
  replicas = 0,
  ...settings
}: { readonly replicas?: number; readonly appendfsync?: 'always' | 'everysec' } = {}): Promise<RedisCluster> {
  const all = { ...SETTINGS, ...settings };
  const servers = await Promise.all(Array.from({ length: MASTERS * (1 + replicas) }, () => startRedis(all)));
  const ports = servers.map(({ port }) => port);
  const members = ports.map((port) => `127.0.0.1:${port}`);
  await promisify(execFile)('redis-cli', [
    '--cluster',
    'create',
    ...members,
    '--cluster-replicas',
    String(replicas),
    '--cluster-yes',
  ]);
  const connect = (): Cluster =>
    new Cluster(
      ports.map((port) => ({ host: '127.0.0.1', port })),
      { redisOptions: { maxRetriesPerRequest: null } },
    );
  await Promise.all(servers.map((server) => untilReady(server, servers.length)));
  return {
    ports,
    servers,
    connect,
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** The members agree a moment after the command has ended. */
async function untilReady(server: RedisServer, members: number): Promise<void> {
  const client = server.connect();
  client.on('error', () => {});
  try {
    for (;;) {
      const info = await client.cluster('INFO');
      if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${members}\r`)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    client.disconnect();
  }
}
