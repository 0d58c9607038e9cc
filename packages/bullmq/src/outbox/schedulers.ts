/**
 * Hands job schedulers of BullMQ over to a database, and back. One is taken out of its queue in one script that remembers it;
 * whoever has made a schedule of it notes that it has arrived. The job that it has made last stays, as a job like others, so
 * what begins elsewhere begins behind that one. What was remembered of it is how it comes back.
 */
import { Queue, type JobSchedulerTemplateOptions } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { readJson, readMoment, readWhole, UNREADABLE } from '../jobs/read-fields.js';
import { Queues, type BullmqConnection } from '../redis/queues.js';
import { listQueues } from './plan-bring-back.js';

/** A job scheduler of BullMQ's. */
export interface BullmqScheduler {
  readonly queue: string;
  readonly id: string;
  /** Of its jobs. */
  readonly name: string;
  readonly pattern: string | null;
  readonly everyMs: number | null;
  /** null: that of the worker's machine. */
  readonly timeZone: string | null;
  readonly endsAtMs: number | null;
  /** So many jobs it makes at most; null: as many as it likes. */
  readonly limit: number | null;
  readonly data: unknown;
  readonly options: JobSchedulerTemplateOptions;
  /** The due time of the job that it has made last. */
  readonly dueMs: number;
  /** When it was taken out of its queue by a call that did not come to its end; null: it is there. */
  readonly takenAtMs: number | null;
}

/** What was remembered of one: the fields of its hash, in a row, and its place in line. */
interface Remembered {
  readonly fields: readonly string[];
  readonly dueTime: string;
  readonly takenAtMs: number;
  readonly hasArrived?: boolean;
}

const TAKE = {
  numberOfKeys: 3,
  lua: `
    local schedulers, scheduler, moving = unpack(KEYS)
    local id, member, nowMs = unpack(ARGV)
    local dueTime = redis.call('ZSCORE', schedulers, id)
    if not dueTime then return 0 end
    local was = {fields = redis.call('HGETALL', scheduler), dueTime = dueTime, takenAtMs = tonumber(nowMs)}
    redis.call('HSET', moving, member, cjson.encode(was))
    redis.call('ZREM', schedulers, id)
    redis.call('DEL', scheduler)
    return 1`,
} as const;

type Taking = { dueworkTakeScheduler(...args: readonly (string | number)[]): Promise<number> };

/** The job schedulers of a prefix, for those who move them. Its verbs throw errors of Redis. */
export class Schedulers {
  readonly #queues: Queues;
  readonly #connection: BullmqConnection;

  constructor(connection: BullmqConnection) {
    this.#connection = connection;
    this.#queues = new Queues(connection);
    (this.#queues.redis as Redis | Cluster).defineCommand('dueworkTakeScheduler', TAKE);
  }

  /** Those that are there, and those that are on their way. */
  async list(): Promise<readonly BullmqScheduler[]> {
    const all = (await this.#remembered()).flatMap(([queue, id, { hasArrived, fields, dueTime, takenAtMs }]) =>
      hasArrived === true ? [] : [decode(queue, id, toHash(fields), Number(dueTime), takenAtMs)],
    );
    for (const queue of await listQueues(this.#queues)) {
      const { keys } = this.#queues.of(queue);
      const placed = await this.#queues.redis.zrange(keys.repeat!, 0, '-1', 'WITHSCORES');
      for (let at = 0; at < placed.length; at += 2) {
        const [id, dueTime] = [placed[at]!, Number(placed[at + 1])];
        const hash = await this.#queues.redis.hgetall(`${keys.repeat!}:${id}`);
        all.push(decode(queue, id, hash, dueTime, null));
      }
    }
    return all;
  }

  /** Takes it out of its queue, as it is then. null: it is there no more. */
  async take({ queue, id }: Pick<BullmqScheduler, 'queue' | 'id'>): Promise<BullmqScheduler | null> {
    const repeat = this.#queues.of(queue).keys.repeat!;
    const member = toMember(queue, id);
    const redis = this.#queues.redis as unknown as Taking;
    const nowMs = Date.now();
    const taken = await redis.dueworkTakeScheduler(repeat, `${repeat}:${id}`, this.#key, id, member, nowMs);
    if (taken === 0) return null;
    const { fields, dueTime, takenAtMs } = JSON.parse(
      (await this.#queues.redis.hget(this.#key, member))!,
    ) as Remembered;
    return decode(queue, id, toHash(fields), Number(dueTime), takenAtMs);
  }

  /** Notes that a schedule stands for it. */
  async noteArrival({ queue, id }: Pick<BullmqScheduler, 'queue' | 'id'>): Promise<void> {
    const member = toMember(queue, id);
    const was = await this.#queues.redis.hget(this.#key, member);
    if (was === null) return;
    const arrived: Remembered = { ...(JSON.parse(was) as Remembered), hasArrived: true };
    await this.#queues.redis.hset(this.#key, member, JSON.stringify(arrived));
  }

  /** What is remembered of one that has arrived, by its id and the name of its jobs; null: nothing. */
  async was(id: string, name: string): Promise<BullmqScheduler | null> {
    const all = (await this.#remembered()).map(([queue, was, { fields, dueTime, takenAtMs }]) =>
      decode(queue, was, toHash(fields), Number(dueTime), takenAtMs),
    );
    return all.find((one) => one.id === id && one.name === name) ?? null;
  }

  /**
   * Puts one back into its queue, with its first job at `dueMs`, unless one of its id is there. Answers with the due
   * time from which that one fires, as far as it says so: it may be older.
   */
  async putBack(scheduler: Omit<BullmqScheduler, 'takenAtMs' | 'limit'>): Promise<number | null> {
    const { queue: name, id, pattern, everyMs, timeZone, endsAtMs, data, options, dueMs } = scheduler;
    const place = { connection: this.#connection.connection as never, prefix: this.#queues.prefix };
    const queue = new Queue(name, { ...place, skipVersionCheck: true });
    // its caller sees what fails
    queue.on('error', () => {});
    try {
      const there = await queue.getJobScheduler(id);
      // what a pattern begins with is the first of its due times behind that moment
      const leadMs = pattern === null ? 0 : LEAD_MS;
      if (there !== undefined && there !== null)
        return typeof there.startDate === 'number' ? there.startDate + leadMs : null;
      const span = { startDate: dueMs - leadMs, ...(endsAtMs === null ? {} : { endDate: endsAtMs }) };
      const rule = pattern === null ? { every: everyMs! } : { pattern, ...(timeZone === null ? {} : { tz: timeZone }) };
      await queue.upsertJobScheduler(id, { ...rule, ...span }, { name: scheduler.name, data, opts: options });
      return dueMs;
    } finally {
      await queue.close();
    }
  }

  /** Forgets one that is back. */
  async forget({ queue, id }: Pick<BullmqScheduler, 'queue' | 'id'>): Promise<void> {
    await this.#queues.redis.hdel(this.#key, toMember(queue, id));
  }

  get #key(): string {
    return this.#queues.key('moving-schedulers');
  }

  async #remembered(): Promise<readonly (readonly [queue: string, id: string, was: Remembered])[]> {
    const all = await this.#queues.redis.hgetall(this.#key);
    return Object.entries(all).map(([member, json]) => {
      const [queue, id] = JSON.parse(member) as [string, string];
      return [queue, id, JSON.parse(json) as Remembered] as const;
    });
  }
}

const LEAD_MS = 1_000;

const toMember = (queue: string, id: string): string => JSON.stringify([queue, id]);

const toHash = (fields: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]!] as const] : [])));

function decode(
  queue: string,
  id: string,
  hash: Readonly<Record<string, string>>,
  dueMs: number,
  takenAtMs: number | null,
): BullmqScheduler {
  const { name = '', pattern = null, every, tz = null, endDate, limit, data, opts } = hash;
  const json = (text = '{}'): unknown => {
    const value = readJson(text);
    return value === UNREADABLE ? {} : value;
  };
  const everyMs = readWhole(every, 1, 0);
  const most = readWhole(limit, 1, 0);
  return {
    queue,
    id,
    name,
    pattern,
    everyMs: everyMs === 0 ? null : everyMs,
    timeZone: tz,
    endsAtMs: readMoment(endDate),
    limit: most === 0 ? null : most,
    data: json(data),
    options: json(opts) as JobSchedulerTemplateOptions,
    dueMs,
    takenAtMs,
  };
}
