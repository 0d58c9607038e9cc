import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { KeptAnswer } from '../kept-answer.js';
import type { RepeatableRequest } from '../repeatable-request.js';

/** Keeps the answer to a request whose key this transaction has taken. */
export async function keepAnswer(tx: Queryable, request: RepeatableRequest, answer: KeptAnswer): Promise<void> {
  const { principal, key, fingerprint } = request;
  await queryRows(
    tx,
    sql`SELECT duework.keep_answer(${principal}::text, ${key}::text, ${fingerprint}::text, ${answer.status}::integer,
      ${JSON.stringify(answer.headers)}::text::jsonb, ${answer.body}::text)::text AS kept`,
  );
}
