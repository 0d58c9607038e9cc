import type { Redis } from 'ioredis';

/**
 * What BullMQ has no verb for, each as one script, which Redis runs as a whole. A lock's token names the claim that it
 * belongs to, so whoever shows it holds the run.
 */
const SCRIPTS = {
  /**
   * The claim that has fetched jobs begins the attempt of each: a higher fence, which is the lock's token from now on, and a
   * lease. Returns of each its fence, its attempts, since when it is due, and whether it had
   * started before; or why it has not begun: `gone`, `lost` (another attempt had not ended), `cancelled`, `expired` (it had not
   * started in time). A job that another program has added is listed from then on.
   */
  dueworkBegin: {
    lua: `
      local leases, jobs, worker, nowMs = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
      local function begin(job, lock, member, token, leaseMs, unlistedMs, expiresAt)
        if redis.call('GET', lock) ~= token then return 'gone' end
        local known = redis.call('HMGET', job,
          'dw:status', 'dw:cancelAt', 'dw:fence', 'dw:runAt', 'dw:attempts', 'dw:snoozedAt', 'dw:releases')
        if known[1] == 'running' then return 'lost' end
        if (known[2] or '') ~= '' then return 'cancelled' end
        local before = 0
        for at = 5, 7 do before = before + (tonumber(known[at] or 0) or 0) end
        if expiresAt ~= '' and tonumber(expiresAt) <= tonumber(nowMs) and before == 0 then return 'expired' end
        local fence, attempts = (tonumber(known[3] or 0) or 0) + 1, (tonumber(known[5] or 0) or 0) + 1
        redis.call('HSET', job, 'dw:status', 'running', 'dw:worker', worker, 'dw:claimedAt', nowMs,
          'dw:fence', fence, 'dw:attempts', attempts)
        redis.call('SET', lock, 'fence ' .. fence .. ' of ' .. member, 'PX', leaseMs)
        redis.call('ZADD', leases, nowMs + leaseMs, member)
        if unlistedMs ~= '' then redis.call('ZADD', jobs, 'NX', unlistedMs, member) end
        return {fence, attempts, known[4], before}
      end
      local answers = {}
      for at = 1, #KEYS / 2 - 1 do
        answers[at] = begin(KEYS[2 * at + 1], KEYS[2 * at + 2], unpack(ARGV, 5 * at - 2, 5 * at + 2))
      end
      return answers`,
  },
  /**
   * A lease that has ended passes on only when somebody takes it: until then its claim may take it up again, so that it
   * settles. 0: somebody has it, or the run is over.
   */
  dueworkRetake: {
    numberOfKeys: 3,
    lua: `
      local job, lock, active, id, fence = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
      if redis.call('EXISTS', lock) == 1 or redis.call('HEXISTS', job, 'finishedOn') == 1 then return 0 end
      if redis.call('HGET', job, 'dw:status') ~= 'running' or redis.call('HGET', job, 'dw:fence') ~= fence then return 0 end
      if not redis.call('LPOS', active, id) then return 0 end
      redis.call('SET', lock, ARGV[4], 'PX', ARGV[3])
      return 1`,
  },
  /**
   * Renews the lease of a claim: when it is due, and when Redis's clock has gone ahead and leaves less than a third of it; or only
   * asks about it. That it asks shows that its worker lives. nil: it has lost the run. Else whether it was renewed, and who wants
   * it cancelled, and why.
   */
  dueworkExtend: {
    numberOfKeys: 5,
    lua: `
      local job, lock, leases, stalled, active = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
      local member, id, fence, untilMs, leaseMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
      local isDue = ARGV[6] == '1'
      local token = 'fence ' .. fence .. ' of ' .. member
      local held = redis.call('GET', lock)
      if held and held ~= token then return nil end
      if not held then
        if redis.call('HGET', job, 'dw:status') ~= 'running' or redis.call('HGET', job, 'dw:fence') ~= fence then return nil end
        if not redis.call('LPOS', active, id) then return nil end
      end
      local isExtended = leaseMs > 0 and (isDue or redis.call('PTTL', lock) < leaseMs / 3)
      if isExtended then
        redis.call('SET', lock, token, 'PX', leaseMs)
        redis.call('ZADD', leases, untilMs, member)
      end
      if leaseMs > 0 then redis.call('SREM', stalled, id) end
      return {isExtended and 1 or 0, unpack(redis.call('HMGET', job, 'dw:cancelAt', 'dw:cancelBy', 'dw:cancelReason'))}`,
  },
  /** Writes fields of a run, only while that claim holds it. */
  dueworkWrite: {
    numberOfKeys: 2,
    lua: `
      if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
      redis.call('HSET', KEYS[1], unpack(ARGV, 2))
      return 1`,
  },
  /** Replaces the payload of a run that nobody holds or carries away, only where it is what its reader has seen. */
  dueworkReplace: {
    numberOfKeys: 2,
    lua: `
      local data, status, moved = unpack(redis.call('HMGET', KEYS[1], 'data', 'dw:status', 'dw:moved'))
      if data ~= ARGV[1] or status == 'running' or moved then return 0 end
      if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
      redis.call('HSET', KEYS[1], 'data', ARGV[2])
      return 1`,
  },
  /**
   * Moves a run that nobody holds, wherever it is, and writes its fields, only where it is as its reader has seen it.
   * 0: it is not; -1: somebody holds it.
   */
  dueworkMove: {
    numberOfKeys: 9,
    lua: `
      local job, lock, active, wait, prioritized = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
      local delayed, failed, leases, events = KEYS[6], KEYS[7], KEYS[8], KEYS[9]
      local member, id, status, fence, target, score = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
      local known = redis.call('HGET', job, 'dw:status') or ''
      if known == '' then known = 'queued' end
      if known ~= status or (redis.call('HGET', job, 'dw:fence') or '0') ~= fence then return 0 end
      if redis.call('EXISTS', lock) == 1 then return -1 end
      local removed = redis.call('ZREM', prioritized, id) + redis.call('ZREM', delayed, id) + redis.call('ZREM', failed, id)
      if removed == 0 then removed = redis.call('LREM', active, 1, id) end
      if removed == 0 then removed = redis.call('LREM', wait, 1, id) end
      if removed == 0 then return 0 end
      redis.call('HDEL', job, 'finishedOn', 'processedOn', 'returnvalue', 'failedReason', 'defa')
      redis.call('HSET', job, unpack(ARGV, 8))
      redis.call('ZREM', leases, member)
      redis.call('ZADD', target == 'failed' and failed or delayed, score, id)
      redis.call('XADD', events, 'MAXLEN', '~', 10000, '*', 'event', ARGV[7], 'jobId', id)
      return 1`,
  },
  /** Asks for a running run to be cancelled; what was asked first stays. 0: it does not run. */
  dueworkRequestCancel: {
    numberOfKeys: 1,
    lua: `
      if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'finishedOn') == 1 then return 0 end
      if (redis.call('HGET', KEYS[1], 'dw:cancelAt') or '') == '' then
        redis.call('HSET', KEYS[1], 'dw:cancelAt', ARGV[1], 'dw:cancelBy', ARGV[2], 'dw:cancelReason', ARGV[3])
      end
      return 1`,
  },
  /** Writes that an effect is about to happen, only while that claim holds the run. */
  dueworkBeginEffect: {
    numberOfKeys: 3,
    lua: `
      local lock, effects, job = KEYS[1], KEYS[2], KEYS[3]
      local token, owner, name, isOnce = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1'
      if redis.call('GET', lock) ~= token then return {'lost'} end
      local status, known, result = unpack(redis.call('HMGET', effects, 's:' .. name, 'o:' .. name, 'r:' .. name))
      if status == 'done' then return {'done', result} end
      local isUnknown = status == 'unknown' or (status == 'started' and known ~= owner and isOnce)
      redis.call('HSET', effects, 's:' .. name, isUnknown and 'unknown' or 'started', 'o:' .. name, owner)
      redis.call('HSET', job, 'dw:acted', 1)
      if isUnknown then return {'unknown'} end
      return {'begun', status and '1' or '0'}`,
  },
  /** Writes how an effect ended, only where that claim began it; that it happened is a fact, whoever says so. */
  dueworkEndEffect: {
    numberOfKeys: 1,
    lua: `
      local effects, owner, name, ending, result = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
      local status, known = unpack(redis.call('HMGET', effects, 's:' .. name, 'o:' .. name))
      if not status then return 0 end
      local isOurs = status == 'started' and known == owner
      local isAnswer = ending == 'done' and (status == 'unknown' or status == 'approved')
      if not isOurs and not isAnswer then return 0 end
      if ending == 'undone' then
        redis.call('HDEL', effects, 's:' .. name, 'o:' .. name, 'r:' .. name)
        return 1
      end
      redis.call('HSET', effects, 's:' .. name, ending == 'not_repeated' and 'approved' or ending)
      if ending == 'done' then redis.call('HSET', effects, 'r:' .. name, result) end
      return 1`,
  },
  /** Forgets the effects that a run has begun. */
  dueworkForgetEffects: {
    numberOfKeys: 1,
    lua: `
      local fields = redis.call('HGETALL', KEYS[1])
      for at = 1, #fields, 2 do
        local name = string.sub(fields[at], 3)
        if string.sub(fields[at], 1, 2) == 'o:' and string.find(fields[at + 1], ARGV[1], 1, true) == 1 then
          redis.call('HDEL', KEYS[1], 's:' .. name, 'o:' .. name, 'r:' .. name)
        end
      end
      return 1`,
  },
  /** A person has decided about the effects of a run of which nobody knew whether they had happened. */
  dueworkSettleEffects: {
    numberOfKeys: 1,
    lua: `
      local fields = redis.call('HGETALL', KEYS[1])
      for at = 1, #fields, 2 do
        local name = string.sub(fields[at], 3)
        if string.sub(fields[at], 1, 2) == 's:' and fields[at + 1] == 'unknown'
            and string.find(redis.call('HGET', KEYS[1], 'o:' .. name) or '', ARGV[1], 1, true) == 1 then
          redis.call('HSET', KEYS[1], 's:' .. name, ARGV[2])
          if ARGV[2] == 'done' then redis.call('HSET', KEYS[1], 'r:' .. name, 'null') end
        end
      end
      return 1`,
  },
} as const;

type Argument = string | number;

/** The scripts as methods of a client, and of its pipelines. */
export type Scripts = { readonly [S in keyof typeof SCRIPTS]: (...args: readonly Argument[]) => Promise<unknown> };

const known = new WeakSet<Redis>();

/** Makes the scripts known to a client; it sends each whole only once. */
export function defineScripts(client: Redis): Redis & Scripts {
  if (!known.has(client)) for (const [name, script] of Object.entries(SCRIPTS)) client.defineCommand(name, script);
  known.add(client);
  return client as Redis & Scripts;
}
