import type { Catalog, RetryPolicy } from '@duework/contracts';
import type { Queues } from '../redis/queues.js';

/** Writes how long each type waits between its attempts, for who rescues a run of a type that it does not know. */
export async function writeContracts(queues: Queues, catalog: Catalog): Promise<void> {
  const retries = Object.fromEntries(catalog.map(({ type, retry }) => [type, JSON.stringify(retry)]));
  if (catalog.length > 0) await queues.redis.hset(queues.key('retries'), retries);
}

/** null: no worker has told of the type. */
export async function readRetry(queues: Queues, type: string): Promise<RetryPolicy | null> {
  const text = await queues.redis.hget(queues.key('retries'), type);
  return text === null ? null : (JSON.parse(text) as RetryPolicy);
}
