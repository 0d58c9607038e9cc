import type { EventContract, JobContract, SignalContract } from '@duework/contracts';
import type { Transactable } from '@duework/queue-core';
import type { ApiContext } from '../api.js';
import type { NameIds } from './name-ids.js';
import type { ShardGate } from './shard-gate.js';
import type { ShardNames } from './shard-ids.js';

/** Names the shard of a job or a signal by what is in it; undefined: it may be any. */
export type ShardOf = (contract: JobContract | SignalContract | EventContract, payload: unknown) => string | undefined;

/** One database behind the API. */
export interface Shard {
  readonly name: string;
  readonly db: Transactable;
  readonly gate: ShardGate;
  /** It takes no job that any shard would do for. */
  isClosed(): Promise<boolean>;
  /**
   * Answers a request as the route `operationId` over this database alone does, and no other; `c` is the request that it is a
   * part of. `path`: that of `c` unless it is given; the request's address has none.
   */
  fetch(
    c: ApiContext,
    request: Request,
    asked: { readonly operationId: string; readonly path?: string },
  ): Promise<Response>;
}

/** All of them, and what is known of the API that each has. */
export interface Shards extends ShardNames {
  readonly all: ReadonlyMap<string, Shard>;
  readonly shardOf: ShardOf | undefined;
  /** What names the ids in an answer of a route, by its `operationId` and its status. */
  nameIds(operationId: string, status: number): NameIds | null;
}
