import { afterAll, beforeAll } from '@jest/globals';
import { describeStore, type StoreHarness } from '@duework/testing/conformance';
import type { Cluster, Redis } from 'ioredis';
import { BULLMQ_CAPABILITIES, createBullmqStore, openBullmqQueue } from './index.js';
import { passTimeInRedis } from './testing/pass-time.js';
import { startRedis, type RedisServer } from './testing/start-redis.js';
import { startRedisCluster, type RedisCluster } from './testing/start-redis-cluster.js';

let redis: RedisServer;
let cluster: RedisCluster;
const clients: (Redis | Cluster)[] = [];
let ofRedis: Redis;
let ofCluster: Cluster;

beforeAll(async () => {
  // what fsync costs is not what these cases are about
  [redis, cluster] = await Promise.all([startRedis({ appendfsync: 'no' }), startRedisCluster()]);
  ofRedis = redis.connect();
  ofCluster = cluster.connect();
  clients.push(ofRedis, ofCluster);
});

afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all([redis?.stop(), cluster?.stop()]);
});

async function open(connection: Redis | Cluster): Promise<StoreHarness> {
  const nodes = connection.isCluster ? (connection as Cluster).nodes('master') : [connection as Redis];
  await Promise.all(nodes.map((node) => node.flushall()));
  return {
    store: createBullmqStore({ connection }),
    queue: openBullmqQueue({ connection }),
    tx: {},
    ids: {
      malformed: [
        '',
        '1',
        'default',
        'default:',
        ':r1',
        '2nd:r1',
        'a:b:c',
        'default:wait',
        'default:r1:lock',
        'default:meta',
        'default:id',
      ],
      unknown: 'default:r0',
    },
    passTime: (ms) => passTimeInRedis(connection, ms),
  };
}

describeStore('BullMQ on one Redis', () => open(ofRedis), BULLMQ_CAPABILITIES);
describeStore('BullMQ on a cluster of three', () => open(ofCluster), BULLMQ_CAPABILITIES);
