import type { WorkerContracts } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';

/** A worker that has not said for so long what it can run counts as gone. */
const READER_MS = 180_000;

/** What a worker can run: by type its oldest and its newest version, and how many releases its contract allows. */
export interface Reader {
  readonly seenAtMs: number;
  readonly queues: readonly string[];
  readonly types: { readonly [type: string]: readonly [oldest: number, newest: number, releases: number] };
}

export async function writeReader(
  queues: Queues,
  { worker, queues: names, contracts }: WorkerContracts,
): Promise<void> {
  const types = Object.fromEntries(
    Array.from(contracts.values(), ({ type, oldestVersion, version, alertAfterReleases }) => [
      type,
      [oldestVersion, version, alertAfterReleases] as const,
    ]),
  );
  const reader: Reader = { seenAtMs: Date.now(), queues: names, types };
  await queues.redis.hset(queues.key('readers'), worker, JSON.stringify(reader));
  // once more, where Redis has lost what it had
  await queues.redis.sadd(queues.key('queues'), ...names);
  await forgetOld(queues);
}

export async function removeReader(queues: Queues, worker: string): Promise<void> {
  await queues.redis.hdel(queues.key('readers'), worker);
}

/** The workers that live, by what they last said. */
export async function readReaders(queues: Queues): Promise<Reader[]> {
  const oldestMs = Date.now() - READER_MS;
  return (await allReaders(queues)).map(([, reader]) => reader).filter(({ seenAtMs }) => seenAtMs > oldestMs);
}

export function canRead(readers: readonly Reader[], queue: string, type: string, version: number): boolean {
  return readers.some(({ queues, types }) => {
    const known = types[type];
    return known !== undefined && queues.includes(queue) && known[0] <= version && version <= known[1];
  });
}

async function allReaders(queues: Queues): Promise<[string, Reader][]> {
  const rows = Object.entries(await queues.redis.hgetall(queues.key('readers')));
  return rows.map(([worker, text]) => [worker, JSON.parse(text) as Reader]);
}

/** Those that died without a word are kept for a day. */
async function forgetOld(queues: Queues): Promise<void> {
  const oldestMs = Date.now() - 86_400_000;
  const gone = (await allReaders(queues)).filter(([, { seenAtMs }]) => seenAtMs < oldestMs).map(([worker]) => worker);
  if (gone.length > 0) await queues.redis.hdel(queues.key('readers'), ...gone);
}
