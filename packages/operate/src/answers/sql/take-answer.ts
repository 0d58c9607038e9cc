import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { KeptAnswer } from '../kept-answer.js';
import type { RepeatableRequest } from '../repeatable-request.js';

export type TakenAnswer =
  | { readonly state: 'free' | 'in_flight' | 'other_request' }
  | ({ readonly state: 'kept' } & KeptAnswer);

/** Takes the key of a request until the transaction `tx` ends, and says what is known of it. Waits for nobody. */
export async function takeAnswer(tx: Queryable, request: RepeatableRequest): Promise<TakenAnswer> {
  const { principal, key, fingerprint } = request;
  const [row] = await queryRows<{ taken: string }>(
    tx,
    sql`SELECT duework.take_answer(${principal}::text, ${key}::text, ${fingerprint}::text) AS taken`,
  );
  return JSON.parse(row!.taken) as TakenAnswer;
}
