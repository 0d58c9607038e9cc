import type { Transactable } from '@duework/queue-core';
import { inTransaction } from '@duework/sql';
import type { RepeatableRequest } from './repeatable-request.js';
import { takeAnswer } from './sql/take-answer.js';

/** Whether nothing was answered under this `Idempotency-Key`, and nothing is being answered now. */
export async function isKeyFree(
  db: Transactable,
  { principal, key }: Pick<RepeatableRequest, 'principal' | 'key'>,
): Promise<boolean> {
  const taken = await inTransaction(db, (tx) => takeAnswer(tx, { principal, key, fingerprint: '' }));
  return taken.state === 'free';
}
