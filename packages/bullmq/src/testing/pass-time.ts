import type { Cluster, Redis } from 'ioredis';

/**
 * Makes Redis, and whoever asks this process for the time, behave as if time had gone by: what expires then has expired, and
 * what is due then is due. BullMQ and its store take their moments from `Date.now`.
 */
export async function passTimeInRedis(connection: Redis | Cluster, ms: number): Promise<void> {
  const nodes = connection.isCluster ? (connection as Cluster).nodes('master') : [connection as Redis];
  await Promise.all(nodes.map((node) => expireSooner(node, ms)));
  advanceClock(ms);
}

async function expireSooner(node: Redis, ms: number): Promise<void> {
  for (let cursor = '0'; ;) {
    const [next, keys] = await node.scan(cursor, 'COUNT', 1_000);
    await Promise.all(
      keys.map(async (key) => {
        const leftMs = await node.pttl(key);
        if (leftMs >= 0) await node.pexpire(key, Math.max(0, leftMs - ms));
      }),
    );
    if (next === '0') return;
    cursor = next;
  }
}

const realNow = Date.now;
let aheadMs = 0;

function advanceClock(ms: number): void {
  aheadMs += ms;
  Date.now = () => realNow() + aheadMs;
}
