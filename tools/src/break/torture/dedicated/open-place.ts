import { startRedis, startRedisCluster, type RedisServer } from '@duework/bullmq/testing';
import type { Redis } from 'ioredis';
import { onEnd } from '../../../kit/clean-up.js';
import type { DedicatedAddress } from './connect-dedicated.js';

/** Where the dedicated queue is: one Redis, or a cluster whose masters have a replica each. */
export interface DedicatedPlace {
  readonly title: string;
  readonly address: DedicatedAddress;
  /** The server that has the queue at this moment. */
  findServer(): Promise<RedisServer>;
  stop(): Promise<void>;
}

const ONE_KEY = '{duework}';

/** A Redis that has each write on its disk before it answers. */
export async function openOneRedis(): Promise<DedicatedPlace> {
  const server = await startRedis({ appendfsync: 'always' });
  const endNow = onEnd(() => void kill(server.pid));
  return {
    title: 'one Redis, appendfsync always',
    address: { ports: [server.port], isCluster: false },
    findServer: async () => server,
    async stop() {
      endNow();
      await server.stop();
    },
  };
}

export async function openCluster(): Promise<DedicatedPlace> {
  const cluster = await startRedisCluster({ replicas: 1, appendfsync: 'always' });
  const { servers, ports } = cluster;
  const endNow = onEnd(() => {
    for (const { pid } of servers) kill(pid);
  });
  const client = cluster.connect();
  client.on('error', () => {});
  return {
    title: 'a cluster of three, a replica each',
    address: { ports, isCluster: true },
    async findServer() {
      const port = await findMaster(client.nodes('master'));
      return servers.find((server) => server.port === port)!;
    },
    async stop() {
      client.disconnect();
      endNow();
      await cluster.stop();
    },
  };
}

/** The port of the master that has the queue's keys. */
async function findMaster(masters: readonly Redis[]): Promise<number> {
  for (const master of masters) {
    try {
      const slot = await master.cluster('KEYSLOT', ONE_KEY);
      const ranges = await master.cluster('SLOTS');
      const holder = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
      if (holder !== undefined) return holder[1];
    } catch {
      // it is away
    }
  }
  throw new Error('No member of the cluster says who has the queue.');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
