import type { RawClient, Transactable } from '@duework/queue-core';
import { inTransaction } from '@duework/sql';
import type { KeptAnswer } from './kept-answer.js';
import type { RepeatableRequest } from './repeatable-request.js';
import { keepAnswer } from './sql/keep-answer.js';
import { takeAnswer } from './sql/take-answer.js';

export type AnsweredOnce =
  | { readonly state: 'answered'; readonly answer: KeptAnswer; readonly isReplayed: boolean }
  | { readonly state: 'in_flight' | 'other_request' };

/**
 * Answers a request with an `Idempotency-Key`: calls `act` in one transaction with what keeps its answer, so that what
 * it writes and the answer are there together, or neither is. For a day, the same request gets that answer again, and
 * `act` is not called; another one under the same key is told `other_request`, and one that comes while the first is
 * not answered yet `in_flight`.
 *
 * Where `act` throws, nothing is written and the key is free again: so it is after a crash, as soon as PostgreSQL has seen
 * the connection end. Throws what `act` throws, and `transaction_needed`.
 */
export async function answerOnce(
  db: Transactable,
  request: RepeatableRequest,
  act: (tx: RawClient) => Promise<KeptAnswer>,
): Promise<AnsweredOnce> {
  return inTransaction(db, async (tx) => {
    const taken = await takeAnswer(tx, request);
    if (taken.state === 'kept') {
      const { status, headers, body } = taken;
      return { state: 'answered', answer: { status, headers, body }, isReplayed: true };
    }
    if (taken.state !== 'free') return { state: taken.state };
    const answer = await act(tx);
    await keepAnswer(tx, request, answer);
    return { state: 'answered', answer, isReplayed: false };
  });
}
