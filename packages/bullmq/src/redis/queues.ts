import { createRedisBackend, type IQueueBackend } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';
import type { PlacedId } from '../jobs/job-id.js';
import { toJobId } from '../jobs/job-id.js';
import { checkPlace } from './check-place.js';
import { checkPolicy } from './check-policy.js';
import { defineScripts, type Scripts } from './scripts.js';

export interface BullmqConnection {
  /** A client of ioredis, of one Redis or of a cluster; its caller closes it. */
  readonly connection: Redis | Cluster;
  /** Prefix of all keys; default `duework`, on a cluster `{duework}`. */
  readonly prefix?: string;
}

/** How long a job that is fetched may take until its attempt begins, which is one round trip; then it is given back. */
const FETCH_MS = 3_000;
/** How often BullMQ looks for jobs without a lock; it gives back what it finds so twice. */
const STALLED_INTERVAL_MS = 3_000;

/** BullMQ's queues of one prefix, over one client, and what is kept beside them. */
export class Queues {
  readonly redis: Redis & Scripts;
  readonly prefix: string;
  readonly #first: IQueueBackend;
  readonly #backends = new Map<string, IQueueBackend>();
  readonly #known = new Set<string>();
  /** null: this connection was not asked yet. */
  #kept: Promise<void> | null = null;

  constructor({ connection, prefix }: BullmqConnection) {
    const isCluster = connection.isCluster;
    this.prefix = prefix ?? (isCluster ? '{duework}' : 'duework');
    checkPrefix(this.prefix, isCluster);
    this.redis = defineScripts(connection as Redis);
    const options = {
      connection,
      prefix: this.prefix,
      lockDuration: FETCH_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      // the caller has chosen its Redis
      skipVersionCheck: true,
    };
    this.#first = createRedisBackend('default', options);
    // what fails says so itself; an emitter's error that nobody hears would end the process
    this.#first.on('error', () => {});
    // it may be another server
    connection.on('close', () => (this.#kept = null));
  }

  /**
   * Asks once for each connection whether this Redis takes jobs, in the database that was asked for, and keeps all that it has
   * acknowledged. Throws `redis_may_evict`, `redis_refused` and `redis_away`.
   */
  keepsAll(): Promise<void> {
    return (this.#kept ??= Promise.all([checkPolicy(this.redis), checkPlace(this.redis)]).then(
      () => {},
      (error: unknown) => {
        this.#kept = null;
        throw error;
      },
    ));
  }

  /** BullMQ's verbs for a queue. */
  of(queue: string): IQueueBackend {
    const known = this.#backends.get(queue);
    if (known !== undefined) return known;
    const backend = this.#first.forQueue(queue);
    this.#backends.set(queue, backend);
    return backend;
  }

  /** A key that belongs to no queue; no queue has an empty name. */
  key(name: string): string {
    return `${this.prefix}::${name}`;
  }

  jobKey({ queue, id }: PlacedId): string {
    return this.of(queue).toKey(id);
  }

  lockKey(placed: PlacedId): string {
    return `${this.jobKey(placed)}:lock`;
  }

  /** Every lease, by its end. */
  get leases(): string {
    return this.key('leases');
  }

  /** Every job, by the moment at which it was made. */
  get jobs(): string {
    return this.key('jobs');
  }

  /** Remembers that there is such a queue. */
  async note(queue: string): Promise<void> {
    if (this.#known.has(queue)) return;
    await this.redis.sadd(this.key('queues'), queue);
    this.#known.add(queue);
  }

  async names(): Promise<string[]> {
    return (await this.redis.smembers(this.key('queues'))).sort();
  }

  /** Tells workers that a run may be due in a queue. */
  wake(queue: string | null): void {
    this.tell({ kind: 'woken', queue });
  }

  tell(message: object): void {
    // a worker that misses it polls
    this.redis.publish(this.key('wakes'), JSON.stringify(message)).catch(() => {});
  }

  memberOf(placed: PlacedId): string {
    return toJobId(placed);
  }
}

/** The token of a claim's lock: no other claim of any run has it. */
export const tokenOf = (placed: PlacedId, fence: number): string => `fence ${fence} of ${toJobId(placed)}`;

function checkPrefix(prefix: string, isCluster: boolean): void {
  const isFit = isCluster ? /^[^{}:]*\{[^{}:]+\}[^{}:]*$/.test(prefix) : /^[^:]+$/.test(prefix);
  if (isFit) return;
  throw new DueworkError('invalid_option', {
    option: 'prefix',
    expected: isCluster ? 'a text with braces, {duework}, so that all keys are on one node' : 'a text without a colon',
    value: prefix,
  });
}
