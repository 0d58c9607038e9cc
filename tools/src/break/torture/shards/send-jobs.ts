import { setTimeout as pause } from 'node:timers/promises';
import { connectPg } from '@duework/database';
import { forward, openShards, type Shards } from '@duework/shards';
import { note } from './shard-jobs.js';
import type { ShardPlace } from './place.js';

/** What became of an enqueue: a fault may hide whether it was written. */
export interface SentJob {
  readonly n: number;
  /** Where it is to be done. */
  readonly shard: string;
  readonly isForward: boolean;
  readonly isAcknowledged: boolean;
}

export interface Sender {
  readonly sent: readonly SentJob[];
  /** Sends no more, and resolves when all calls have ended. */
  stop(): Promise<void>;
}

/** Enqueues at each shard `perSecond` jobs, and forwards every fourth one from there to the next shard. */
export function sendJobs(places: readonly ShardPlace[], perSecond: number): Sender {
  const clients = places.map(({ url }) =>
    connectPg({
      url,
      poolSize: 5,
      role: 'app',
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 3_000,
      onConnectionLost: () => {},
    }),
  );
  const shards: Shards = openShards({ shards: Object.fromEntries(places.map(({ name }, at) => [name, clients[at]!])) });
  const sent: SentJob[] = [];
  const stopping = new AbortController();
  let next = 0;
  const send = async (at: number): Promise<void> => {
    const n = next++;
    const isForward = n % 4 === 0;
    const here = places[at]!.name;
    const shard = isForward ? places[(at + 1) % places.length]!.name : here;
    try {
      if (isForward) await clients[at]!.$transaction((tx) => forward(tx, shard, note, { n }), { timeout: 3_000 });
      else await shards.in(here).enqueue(note, { n });
      sent.push({ n, shard, isForward, isAcknowledged: true });
    } catch {
      sent.push({ n, shard, isForward, isAcknowledged: false });
    }
  };
  const open = new Set<Promise<void>>();
  const loops = places.map(async (_, at) => {
    while (!stopping.signal.aborted) {
      // who hangs is not asked for more and more
      if (open.size < 400) {
        const call = send(at).finally(() => open.delete(call));
        open.add(call);
      }
      await pause(1_000 / perSecond);
    }
  });
  return {
    sent,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(open);
      await Promise.allSettled(clients.map((client) => client.$disconnect()));
    },
  };
}
