import { ownDays, type OwnDays, type WorkerContracts } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';
import { readContracts } from './known-contracts.js';

/** A worker that has not said for so long what it can run counts as gone. */
const READER_MS = 180_000;

/**
 * What a worker can run: by type its oldest and its newest version, how many releases its contract allows, and for how long it
 * keeps its runs.
 */
export interface Reader {
  readonly seenAtMs: number;
  readonly queues: readonly string[];
  readonly types: {
    readonly [type: string]: readonly [oldest: number, newest: number, releases: number, ...keeps: OwnDays];
  };
}

export async function writeReader(
  queues: Queues,
  { worker, queues: names, contracts }: WorkerContracts,
): Promise<void> {
  const types = Object.fromEntries(
    Array.from(contracts.values(), (contract) => {
      const { type, oldestVersion, version, alertAfterReleases } = contract;
      return [type, [oldestVersion, version, alertAfterReleases, ...ownDays(contract)] as const];
    }),
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

/** What programs say of how long the runs of a type are kept, and the shortest time of all; Infinity: none says one. */
export async function readOwnDays(
  queues: Queues,
): Promise<{ readonly of: (type: string) => readonly OwnDays[]; readonly shortest: number }> {
  const [known, readers] = await Promise.all([readContracts(queues), allReaders(queues)]);
  const said = new Map<string, OwnDays[]>();
  for (const [type, { keeps }] of known) said.set(type, [keeps]);
  for (const [, { types }] of readers)
    for (const [type, [, , , ...keeps]] of Object.entries(types)) said.set(type, [...(said.get(type) ?? []), keeps]);
  const days = [...said.values()].flat(2).filter((one) => one !== null);
  return { of: (type) => said.get(type) ?? [], shortest: Math.min(...days) };
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
