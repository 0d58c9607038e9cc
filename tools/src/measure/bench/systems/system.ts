import type { Prisma } from '@duework/database';

/** The payload of every job of the benchmark; `id` counts from 0. */
export interface Payload {
  readonly id: number;
  readonly to: string;
}

/** What a worker calls for each job; a promise is awaited. */
export type Handle = (payload: Payload) => Promise<void> | undefined;

export interface Producer {
  /** Resolves when the job is as durable as the system makes it. */
  enqueue(payload: Payload): Promise<unknown>;
  /** As a user enqueues who sets nothing up for speed; `enqueue` unless given. */
  enqueuePlainly?(payload: Payload): Promise<unknown>;
  /** The system's own call for many jobs; they are due at once unless `dueAt` is given. */
  enqueueMany(payloads: readonly Payload[], options?: { readonly dueAt?: Date | undefined }): Promise<unknown>;
  close(): Promise<unknown>;
}

/**
 * What jobs have to wait for beside a slot, where `to` is their key: `limited` to one at a time of each key, `ordered` one
 * at a time, `paced` by a rate of PACE, `shared` by keys that take turns.
 */
export type Lane = 'limited' | 'ordered' | 'paced' | 'shared';
/** So many a second, over all workers. */
export const PACE = 1_000;

interface KeyOption {
  /** Whether the job has the key of its business event, so that there is one job for it. */
  readonly isKeyed: boolean;
}

/**
 * Enqueues beside a write of the user's own, in one of two ways: in the transaction, so that both commit or neither, or
 * after its commit, where the system has no other way, and a crash between the two loses the job.
 */
export type BusinessProducer = { close(): Promise<unknown> } & (
  | { enqueueIn(tx: Prisma.TransactionClient, payload: Payload, options: KeyOption): Promise<unknown> }
  | { enqueueAfter(payload: Payload, options: KeyOption): Promise<unknown> }
);

/** A worker that is connected; it claims from `start` on. */
export interface BenchWorker {
  start(): Promise<unknown> | void;
  stop(): Promise<unknown>;
}

export interface Inspector {
  /** Whether every due job has been settled. */
  isDrained(): Promise<boolean>;
  /** How many commands the server received since the last call; PostgreSQL's log has that for all its systems. */
  countCommands?(): Promise<number>;
  close(): Promise<unknown>;
}

export interface WorkerOptions {
  readonly handle: Handle;
  /** Handlers at once; the system's best setting unless given. */
  readonly concurrency?: number | undefined;
  readonly lane?: Lane | undefined;
}

/** How many rows are put beside the work. */
export interface RowsAround {
  readonly finished: number;
  readonly future: number;
}

/** What runs workflows in this process, and is connected. */
export interface Workflows {
  /** Runs so many workflows of ten steps each, a hundred at once where the system does not choose. */
  chains(count: number): Promise<void>;
  /** Runs one workflow that begins so many children at once and waits for the results of all. */
  fanOut(children: number): Promise<void>;
  stop(): Promise<unknown>;
}

/** The functions that every system has. */
export interface Adapter {
  /** Makes its tables in an empty database. */
  install(url: string): Promise<void>;
  openProducer(url: string, lane?: Lane): Promise<Producer>;
  openBusinessProducer(url: string): Promise<BusinessProducer>;
  openWorker(url: string, options: WorkerOptions): Promise<BenchWorker>;
  openInspector(url: string): Promise<Inspector>;
  /** Adds rows beside the work, as the system itself would have left them. */
  fill(url: string, rows: RowsAround): Promise<void>;
}

interface AnySystem {
  readonly name: SystemName;
  /** Its name in sentences, in the chart and in JSON. */
  readonly title: string;
  /** Its name at the head of a column; `\n` breaks it. */
  readonly head: string;
  /** The package that is installed for it; undefined: it is our own. */
  readonly rival?: string;
  /** The engine whose targets are judged. */
  readonly isOwn?: true;
  /** What it has of these. */
  readonly lanes?: readonly Lane[];
  /** It runs workflows. */
  readonly loadWorkflows?: () => Promise<(url: string) => Promise<Workflows>>;
  /** It takes part in the measures of workflows alone. */
  readonly isForWorkflows?: true;
  /** The names of the measures in which it takes part; default: all. */
  readonly measures?: readonly string[];
  load(): Promise<Adapter>;
}

export interface SqlSystem extends AnySystem {
  readonly server: 'postgres';
}

export interface RedisSystem extends AnySystem {
  readonly server: 'redis';
}

export type System = SqlSystem | RedisSystem;

export type SystemName =
  | 'duework'
  | 'duework-pg'
  | 'graphile'
  | 'pg-boss'
  | 'bullmq'
  | 'duework-bullmq'
  | 'dbos'
  | 'floor';
