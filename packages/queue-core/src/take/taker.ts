import { hostname } from 'node:os';
import type { Catalog, JobContract } from '@duework/contracts';
import { recogniseClient, type Queryable } from '@duework/sql';
import { OwnedRun } from '../claim/owned-run.js';
import { systemClock } from '../clock.js';
import type { ClaimableContract } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import { parsePayload } from '../run/parse-payload.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { HeldJob } from './held-job.js';
import type { JobTaker, TakenJob, TakerOptions } from './open-taker.js';

/** A worker whose contracts were not written for three minutes counts as gone. */
const ANNOUNCE_INTERVAL_MS = 60_000;

let count = 0;

/** A worker without a loop, handlers and chores: it claims when it is asked to, and settles what it is told. */
export class Taker implements JobTaker {
  readonly #store: Store;
  readonly #name: string;
  readonly #queues: readonly string[];
  readonly #contracts: ReadonlyMap<string, JobContract>;
  /** The contracts, with the lease that was asked for. */
  readonly #claimable: ReadonlyMap<string, ClaimableContract>;
  #announcedMs = -Infinity;
  #prepared: Promise<unknown> | null = null;
  /** With which queue the next call begins, so that none waits for ever behind another. */
  #turn = 0;

  constructor(
    db: Queryable,
    private readonly options: TakerOptions<Catalog>,
    leaseMs: number | null,
  ) {
    const { contracts, queues, name = `hand-${hostname()}-${process.pid}-${++count}` } = options;
    this.#store = createPostgresStore({ db: recogniseClient(db) });
    this.#name = name;
    this.#queues = queues ?? [...new Set(contracts.flatMap((contract) => contract.queues))];
    this.#contracts = new Map(contracts.map((contract) => [contract.type, contract]));
    this.#claimable = new Map(
      contracts.map((contract) => {
        const { type, oldestVersion, version, flow } = contract;
        return [type, { oldestVersion, version, flow, leaseMs: leaseMs ?? contract.leaseMs }];
      }),
    );
  }

  async take({ limit = 1 }: { readonly limit?: number } = {}): Promise<readonly TakenJob[]> {
    await this.#prepare();
    const jobs: TakenJob[] = [];
    const turn = this.#turn++;
    for (let i = 0; i < this.#queues.length && jobs.length < limit; i++) {
      const queue = this.#queues[(turn + i) % this.#queues.length]!;
      jobs.push(...(await this.#claim(queue, limit - jobs.length)));
    }
    return jobs;
  }

  /** Registers the contracts, as a worker does at its start, and says each minute what is taken here. */
  async #prepare(): Promise<void> {
    this.#prepared ??= this.#store.prepare(this.options.contracts);
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = null;
      throw error;
    }
    const nowMs = systemClock.monotonicMs();
    if (nowMs < this.#announcedMs + ANNOUNCE_INTERVAL_MS) return void (await this.#store.giveGates());
    await this.#store.announceContracts({ worker: this.#name, queues: this.#queues, contracts: this.#contracts });
    this.#announcedMs = nowMs;
    await this.#store.giveGates();
  }

  async #claim(queue: string, limit: number): Promise<readonly TakenJob[]> {
    const grantedMs = systemClock.monotonicMs();
    const claim = await this.#store.claim({ queue, contracts: this.#claimable, worker: this.#name, limit });
    const jobs = claim.runs.map((run) => {
      const contract = this.#contracts.get(run.type)!;
      const { leaseMs } = this.#claimable.get(run.type)!;
      return new HeldJob(this.#store, new OwnedRun(run, contract, grantedMs), leaseMs, grantedMs);
    });
    const parsed = await Promise.all(jobs.map(async (job) => ((await job.parse(parsePayload)) ? job : [])));
    return parsed.flat();
  }
}
