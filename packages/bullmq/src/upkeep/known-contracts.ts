import type { Catalog, JobContract, RetryPolicy } from '@duework/contracts';
import { makeTerms, ownDays, type NewTerms, type OwnDays } from '@duework/queue-core/ports';
import type { Queues } from '../redis/queues.js';

/** What others need to know of a type who may not have its contract: who rescues a run of it, or tells it of another's end. */
export interface KnownContract {
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly retry: RetryPolicy;
  /** Without the type that is told of its death: what tells of one tells nobody of its own. */
  readonly terms: NewTerms;
  readonly maxWaitMs: number | null;
  /** Whether some value of its payloads is, or was, sensitive. */
  readonly isSensitive: boolean;
  /** For how long its runs are kept. */
  readonly keeps: OwnDays;
}

/** Writes what is to be known of each type. */
export async function writeContracts(queues: Queues, catalog: Catalog): Promise<void> {
  const known = Object.fromEntries(catalog.map((contract) => [contract.type, JSON.stringify(toKnown(contract))]));
  if (catalog.length > 0) await queues.redis.hset(queues.key('contracts'), known);
}

function toKnown(contract: JobContract): KnownContract {
  const { version, queue, priority, maxAttempts, retry, maxWaitMs, sensitiveEver } = contract;
  const { onDead: _, maxWaitMs: __, ...terms } = makeTerms(contract) ?? {};
  const isSensitive = sensitiveEver.length > 0;
  return { version, queue, priority, maxAttempts, retry, terms, maxWaitMs, isSensitive, keeps: ownDays(contract) };
}

/** null: no worker has told of the type. */
export async function readContract(queues: Queues, type: string): Promise<KnownContract | null> {
  const text = await queues.redis.hget(queues.key('contracts'), type);
  return text === null ? null : (JSON.parse(text) as KnownContract);
}

/** All that workers have told of, by type. */
export async function readContracts(queues: Queues): Promise<ReadonlyMap<string, KnownContract>> {
  const rows = Object.entries(await queues.redis.hgetall(queues.key('contracts')));
  return new Map(rows.map(([type, text]) => [type, JSON.parse(text) as KnownContract]));
}
