import type { Cluster, Redis } from 'ioredis';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { toJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';

/**
 * Takes a job that waits, or has failed for good, out of its queue, so that nobody runs it any more, and remembers that it is
 * on its way. It stays where jobs stay that have succeeded, for as long: under its id it is known, and its key holds. 0: it is
 * not there any more.
 */
const TAKE = {
  numberOfKeys: 11,
  lua: `
    local job, lock, wait, prioritized, delayed, completed, moving, events, paused, failed, schedulers = unpack(KEYS)
    local id, member, token, nowMs, runAtMs, isDead = unpack(ARGV)
    if redis.call('EXISTS', lock) == 1 then return 0 end
    local status, cancelAt, acted, scheduler = unpack(redis.call('HMGET', job, 'dw:status', 'dw:cancelAt', 'dw:acted', 'rjk'))
    if isDead == '1' then
      if acted or redis.call('ZREM', failed, id) == 0 then return 0 end
      redis.call('HSET', job, 'returnvalue', 'null', 'dw:status', 'succeeded', 'dw:moved', token, 'dw:movedDead', 1)
      redis.call('ZADD', completed, nowMs, id)
      redis.call('HSET', moving, member, token)
      return 1
    end
    -- who runs it makes the next one
    if scheduler and redis.call('ZSCORE', schedulers, scheduler) then return 0 end
    -- its worker has died, and nobody has written that yet; or it is about to be cancelled; or only Redis knows what it did
    if status == 'running' or (cancelAt or '') ~= '' or acted then return 0 end
    local removed = redis.call('ZREM', prioritized, id) + redis.call('ZREM', delayed, id)
    if removed == 0 then removed = redis.call('LREM', wait, 1, id) + redis.call('LREM', paused, 1, id) end
    if removed == 0 then return 0 end
    redis.call('HSET', job, 'finishedOn', nowMs, 'returnvalue', 'null', 'dw:status', 'succeeded', 'dw:moved', token,
      'dw:runAt', runAtMs)
    redis.call('ZADD', completed, nowMs, id)
    redis.call('HSET', moving, member, token)
    redis.call('XADD', events, 'MAXLEN', '~', 10000, '*', 'event', 'completed', 'jobId', id, 'returnvalue', 'null')
    return 1`,
} as const;

/** What is on its way out of any queue: ids, and the tokens under which they were taken. */
export const movingKey = (queues: Queues): string => queues.key('moving');

type Taking = { dueworkTake(...args: readonly (string | number)[]): Promise<number> };
const known = new WeakSet<object>();

function withTake(client: Redis | Cluster): Taking {
  if (!known.has(client)) client.defineCommand('dueworkTake', TAKE);
  known.add(client);
  return client as unknown as Taking;
}

/**
 * Takes a run that waits or is dead, under a token by which whoever goes on with it knows it. false: it is not any
 * more.
 */
export async function takeWaiting(queues: Queues, run: BullmqRun, token: string): Promise<boolean> {
  const { keys } = queues.of(run.queue);
  const taken = await withTake(queues.redis).dueworkTake(
    queues.jobKey(run),
    queues.lockKey(run),
    keys.wait!,
    keys.prioritized!,
    keys.delayed!,
    keys.completed!,
    movingKey(queues),
    keys.events!,
    keys.paused!,
    keys.failed!,
    keys.repeat!,
    run.id,
    toJobId(run),
    token,
    Date.now(),
    run.runAtMs,
    run.status === 'dead' ? 1 : 0,
  );
  return taken === 1;
}

/** What was taken and has not arrived: ids, and the tokens under which they were. */
export async function readTaken(queues: Queues): Promise<Readonly<Record<string, string>>> {
  return queues.redis.hgetall(movingKey(queues));
}

/** Writes where a run has gone, for whoever asks for it here, and into its result for people; and forgets that it was on its way. */
export async function noteArrival(queues: Queues, run: BullmqRun, id: string): Promise<void> {
  const result = JSON.stringify({ dueworkMovedTo: id });
  await queues.redis.hset(queues.jobKey(run), FIELD.movedTo, id, 'returnvalue', result);
  await queues.redis.hdel(movingKey(queues), toJobId(run));
}
