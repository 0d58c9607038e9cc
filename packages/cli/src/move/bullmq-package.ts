import { join } from 'node:path';
import type { JobContract } from '@duework/contracts';
import type { Transactable } from '@duework/queue-core';
import { importInstalled } from '@duework/queue-core/handling';
import type { ForwardTarget } from '@duework/shards';
import { PlainError } from '../plain-error.js';
import { sayInstall } from '../project/install-command.js';

/** One line of what `planBringBack` of @duework/bullmq answers. */
export interface PlannedJobs {
  readonly queue: string;
  readonly name: string | null;
  readonly place: string;
  readonly jobs: number;
  readonly type: string | null;
  readonly problem: string | null;
  readonly ids: readonly string[];
}

export interface Place {
  readonly connection: unknown;
  readonly prefix: string;
}

/** A job scheduler, as @duework/bullmq reads it. */
export interface BullmqScheduler {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly pattern: string | null;
  readonly everyMs: number | null;
  readonly timeZone: string | null;
  readonly endsAtMs: number | null;
  readonly limit: number | null;
  readonly data: unknown;
  readonly options: object;
  readonly dueMs: number;
  readonly takenAtMs: number | null;
}

export interface Schedulers {
  list(): Promise<readonly BullmqScheduler[]>;
  take(scheduler: BullmqScheduler): Promise<BullmqScheduler | null>;
  noteArrival(scheduler: BullmqScheduler): Promise<void>;
  was(id: string, name: string): Promise<BullmqScheduler | null>;
  putBack(scheduler: Omit<BullmqScheduler, 'takenAtMs' | 'limit'>): Promise<number | null>;
  forget(scheduler: Pick<BullmqScheduler, 'queue' | 'id'>): Promise<void>;
}

export interface FailedJob {
  readonly queue: string;
  readonly id: string;
  readonly hash: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The parts of @duework/bullmq that are used; they are loaded from the project. */
export interface BullmqPackage {
  readonly connectRedis: (url: string) => { readonly connection: unknown; check(): Promise<void>; close(): void };
}
export interface OutboxPackage {
  readonly planBringBack: (
    place: Place & { readonly contracts: readonly JobContract[] },
  ) => Promise<readonly PlannedJobs[]>;
  readonly bullmqTarget: (place: Place) => ForwardTarget & { close(): void };
  readonly bringBack: (
    options: Place & {
      readonly db: Transactable;
      readonly contract: JobContract;
      readonly queues: 'all';
      readonly failed: boolean;
      readonly signal: AbortSignal;
      readonly onPortion: (brought: number) => void;
    },
  ) => Promise<{ readonly brought: number; readonly left: number }>;
  readonly putBackFailed: (place: Place, jobs: readonly FailedJob[]) => Promise<readonly boolean[]>;
  readonly Schedulers: new (place: Place) => Schedulers;
}

/** Throws `PlainError` `not_installed`. */
export async function loadBullmq(dir: string): Promise<readonly [BullmqPackage, OutboxPackage]> {
  const load = async <T>(entry: string): Promise<T> => {
    const found = await importInstalled<T>(join(dir, 'package.json'), '@duework/bullmq', entry);
    if (found !== undefined) return found;
    const install = sayInstall(dir, ['@duework/bullmq', 'bullmq', 'ioredis'], { isDev: false });
    throw new PlainError('not_installed', `To read the jobs of BullMQ run: ${install}`);
  };
  return [await load<BullmqPackage>('.'), await load<OutboxPackage>('./outbox')];
}
