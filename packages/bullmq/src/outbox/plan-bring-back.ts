import { readPayload, type JobContract } from '@duework/contracts';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { readMovedId, toJobId, type PlacedId } from '../jobs/job-id.js';
import { Queues, type BullmqConnection } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';

/** The jobs of one name, in one queue and place of BullMQ, and the plan for them. */
export interface PlannedJobs {
  readonly queue: string;
  /** null: a place whose jobs are only counted. */
  readonly name: string | null;
  /** As BullMQ calls it: `wait`, `paused`, `prioritized`, `delayed`, `waiting-children`, `active`, `failed`. */
  readonly place: string;
  readonly jobs: number;
  /** The type that would take them; null: they stay. */
  readonly type: string | null;
  /** Why they stay, or are dead as soon as they run; null: neither. */
  readonly problem: string | null;
  /** The ids of the first ones. */
  readonly ids: readonly string[];
}

const PLACES = ['wait', 'paused', 'prioritized', 'delayed', 'failed'] as const;
/** What does not wait, and has not failed for good: a worker has it, or it waits for its children. */
const COUNTED = ['active', 'waiting-children'] as const;
const BATCH = 500;
const MOST_IDS = 20;

type Planned = { -readonly [K in keyof PlannedJobs]: PlannedJobs[K] } & { ids: string[] };

/** The plan of `bringBack` for each queue of a prefix. It only reads. Throws errors of Redis. */
export async function planBringBack({
  contracts,
  ...connection
}: BullmqConnection & { readonly contracts: readonly JobContract[] }): Promise<readonly PlannedJobs[]> {
  const queues = new Queues(connection);
  const plan = new Map<string, Planned>();
  const add = (entry: Omit<PlannedJobs, 'jobs' | 'ids'>, jobs: number, id?: string): void => {
    const key = JSON.stringify(entry);
    const known = plan.get(key) ?? { ...entry, jobs: 0, ids: [] };
    plan.set(key, known);
    known.jobs += jobs;
    if (id !== undefined && known.ids.length < MOST_IDS) known.ids.push(id);
  };
  for (const queue of await listQueues(queues)) {
    for (const place of COUNTED) {
      const jobs = await queues.redis[place === 'active' ? 'llen' : 'zcard'](queues.of(queue).toKey(place));
      if (jobs > 0) add({ queue, name: null, place, type: null, problem: null }, jobs);
    }
    for (const place of PLACES)
      for (let from = 0; ; from += BATCH) {
        const ids = await readPlace(queues, queue, place, from, BATCH);
        for (const run of await readRuns(queues, ids))
          // a scheduler's next one goes where its scheduler goes
          if (run !== null && run.status !== 'cancelled' && !(await hasScheduler(queues, run)))
            add({ queue, name: run.raw.name ?? null, place, ...judge(run, place, contracts) }, 1, run.id);
        if (ids.length < BATCH) break;
      }
  }
  return [...plan.values()];
}

/** Whether the scheduler that has made a job which waits is still there, to make the next one. */
const hasScheduler = async (queues: Queues, { queue, raw: { rjk, finishedOn } }: BullmqRun): Promise<boolean> =>
  rjk !== undefined &&
  finishedOn === undefined &&
  (await queues.redis.zscore(queues.of(queue).keys.repeat!, rjk)) !== null;

function judge(
  run: BullmqRun,
  place: string,
  contracts: readonly JobContract[],
): Pick<PlannedJobs, 'type' | 'problem'> {
  const stays = (problem: string): Pick<PlannedJobs, 'type' | 'problem'> => ({ type: null, problem });
  const contract = contracts.find(({ type }) => type === run.type);
  if (contract === undefined) return stays('no contract');
  if (readMovedId(toJobId(run)) === null) return stays('no contract can name its queue');
  if (run.unreadable !== null) return stays('it is unreadable');
  if (run.raw.parentKey !== undefined) return stays('a job of BullMQ waits for it as its child');
  if (run.raw[FIELD.acted] !== undefined) return stays('it has begun effects, which Redis alone knows');
  if (place === 'failed') return { type: contract.type, problem: null };
  const reading = readPayload(contract, run.version, JSON.parse(run.payloadJson));
  return { type: contract.type, problem: reading.success ? null : 'its contract refuses it: it is dead once it runs' };
}

/** The names of all queues of BullMQ's with that prefix. */
export async function listQueues(queues: Queues): Promise<readonly string[]> {
  const { redis, prefix } = queues;
  const found = new Set<string>();
  const nodes = redis.isCluster
    ? (redis as unknown as { nodes(role: 'master'): (typeof redis)[] }).nodes('master')
    : [redis];
  for (const node of nodes)
    for (let cursor = '0'; ;) {
      const [next, keys] = await node.scan(cursor, 'MATCH', `${prefix}:*:meta`, 'COUNT', 1_000);
      for (const key of keys) found.add(key.slice(prefix.length + 1, -':meta'.length));
      if (next === '0') break;
      cursor = next;
    }
  found.delete('');
  return [...found].sort();
}

/** The next ids in that place of a queue. */
export async function readPlace(
  queues: Queues,
  queue: string,
  place: (typeof PLACES)[number],
  from: number,
  count: number,
): Promise<PlacedId[]> {
  const key = queues.of(queue).keys[place]!;
  const to = from + count - 1;
  const ids = await (place === 'wait' || place === 'paused'
    ? queues.redis.lrange(key, from, to)
    : queues.redis.zrange(key, from, String(to)));
  return ids.map((id) => ({ queue, id }));
}
