import { retentionOf, type Retention } from '@duework/queue-core/ports';
import type { BullmqRun } from '../jobs/decode-job.js';
import { isForwardedId, readJobId, toJobId } from '../jobs/job-id.js';
import { effectsKey } from '../effects/effects.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { readOwnDays } from './readers.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 500;
/** A forward is tried for three and a half days; as long as its job is here, it makes no second one. */
const KEEP_FORWARDED_DAYS = 4;
const NEW_MS = 60_000;
/** What BullMQ answers where a job is the last one of a scheduler. */
const OF_SCHEDULER = -8;

/**
 * Removes runs that finished before the day (UTC) up to which their status is kept, with their keys, attempts and effects;
 * those that forwards have become stay for four days in any case. Returns of how many days some were removed.
 */
export async function pruneRuns(
  queues: Queues,
  keep: Retention,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const today = Math.floor(Date.now() / DAY_MS);
  const own = await readOwnDays(queues);
  const oldestForwardedMs = (today - KEEP_FORWARDED_DAYS) * DAY_MS;
  const newestMs = (today - Math.min(keep.keepDays, keep.keepDeadDays, own.shortest)) * DAY_MS;
  const isOld = ({ id, type, status, finishedAtMs }: BullmqRun): boolean => {
    const { keepDays, keepDeadDays } = retentionOf(keep, own.of(type));
    return (
      finishedAtMs! < (today - (status === 'dead' ? keepDeadDays : keepDays)) * DAY_MS &&
      (!isForwardedId(id) || finishedAtMs! < oldestForwardedMs)
    );
  };
  const days = new Set<number>();
  for (const queue of await queues.names()) {
    for (const state of ['completed', 'failed'] as const) {
      const key = queues.of(queue).keys[state]!;
      // what is kept longer is passed over
      for (let kept = 0, hasMore = true; hasMore && !signal.aborted;) {
        const ids = await queues.redis.zrangebyscore(key, '-inf', `(${newestMs}`, 'LIMIT', kept, AT_ONCE);
        const runs = await readRuns(
          queues,
          ids.map((id) => ({ queue, id })),
        );
        const old = runs.filter((run): run is BullmqRun => run !== null && isOld(run));
        const areGone = await Promise.all(old.map((run) => removeRun(queues, run)));
        const gone = old.filter((_, at) => areGone[at]);
        for (const run of gone) days.add(Math.floor(run.finishedAtMs! / DAY_MS));
        kept += ids.length - gone.length;
        hasMore = ids.length === AT_ONCE;
      }
    }
  }
  await forgetGone(queues, signal);
  return days.size;
}

/** A job that another program has removed is listed no more. */
async function forgetGone(queues: Queues, signal: AbortSignal): Promise<void> {
  for (let cursor: string | null = '0'; cursor !== null && !signal.aborted;) {
    const [next, flat]: [string, string[]] = await queues.redis.zscan(queues.jobs, cursor, 'COUNT', AT_ONCE);
    // one that is being enqueued at this moment is listed before it is there
    const ids = flat.filter((_, at) => at % 2 === 0 && Number(flat[at + 1]) < Date.now() - NEW_MS);
    const isThere = await Promise.all(ids.map((id) => queues.redis.exists(queues.jobKey(readJobId(id)!))));
    const gone = ids.filter((_, at) => isThere[at] === 0);
    if (gone.length > 0) await queues.redis.zrem(queues.jobs, ...gone);
    cursor = next === '0' ? null : next;
  }
}

/** Its effects first: a run that is gone names them no more. false: it stays, because a scheduler of BullMQ's has it. */
export async function removeRun(queues: Queues, run: BullmqRun): Promise<boolean> {
  const id = toJobId(run);
  const effects = effectsKey(queues, { type: run.type, runKey: run.key ?? `run:${id}` });
  await queues.redis.dueworkForgetEffects(effects, `${id} `);
  try {
    await queues.of(run.queue).remove(run.id, false);
  } catch (error) {
    if ((error as { code?: unknown }).code === OF_SCHEDULER) return false;
    throw error;
  }
  await queues.redis.zrem(queues.jobs, id);
  return true;
}
