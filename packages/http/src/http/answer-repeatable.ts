import { answerOnce, fingerprintRequest } from '@duework/operate';
import type { RawClient } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { ApiContext, ApiParts } from '../api.js';
import { retryConflicts } from './retry-conflicts.js';

/** What a route answers, before it is written. */
export interface RepeatableAnswer {
  readonly status: 200 | 201 | 202;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Visible ASCII: it is shown in logs and stored as it came. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers a request that may be sent again. Where it has an `Idempotency-Key`, `act` is given the transaction in which
 * its answer is kept, and a repetition gets the first answer without `act`. Without one `act` is given null: it may use
 * its own client, and nothing is kept. Throws `malformed_idempotency_key`, `idempotency_key_reused` (it was another
 * request), `idempotency_key_in_flight`, and what `act` throws: then nothing was written and the key is free.
 *
 * `checkAgain` throws where the principal may no longer have that answer: its rights may have changed since.
 */
export async function answerRepeatable(
  c: ApiContext,
  { db, databaseUrl }: Pick<ApiParts, 'db' | 'databaseUrl'>,
  act: (tx: RawClient | null) => Promise<RepeatableAnswer>,
  checkAgain: () => void | Promise<void>,
): Promise<Response> {
  const key = c.req.header('idempotency-key');
  if (key === undefined) {
    const { status, headers, body } = await retryConflicts(databaseUrl, () => act(null));
    return c.json(body, status, headers);
  }
  const request = { principal: c.get('principal').id, key: checkKey(key), fingerprint: await fingerprint(c) };
  const answered = await retryConflicts(databaseUrl, () =>
    answerOnce(db, request, async (tx) => {
      const { status, headers = {}, body } = await act(tx);
      return { status, headers, body: JSON.stringify(body) };
    }),
  );
  if (answered.state !== 'answered') throw answered.state === 'in_flight' ? inFlight() : reused();
  if (answered.isReplayed) await checkAgain();
  const { status, headers, body } = answered.answer;
  return c.body(body, status as RepeatableAnswer['status'], {
    ...headers,
    'Content-Type': 'application/json',
    ...(answered.isReplayed && { 'Idempotency-Replayed': 'true' }),
  });
}

function checkKey(key: string): string {
  if (KEY.test(key)) return key;
  throw new ApiError(
    'malformed_idempotency_key',
    'Idempotency-Key is 1 to 255 visible ASCII characters, such as a UUID. Make one for each thing to do, not for each try.',
  );
}

async function fingerprint(c: ApiContext): Promise<string> {
  const bytes = await c.req.arrayBuffer().catch((cause: unknown) => {
    throw new ApiError('incomplete_body', 'The connection ended before the body did.', { cause });
  });
  const { search } = new URL(c.req.url);
  return fingerprintRequest(c.req.method, c.req.path + search, new Uint8Array(bytes));
}

const inFlight = (): ApiError =>
  new ApiError('idempotency_key_in_flight', 'The first request with this Idempotency-Key is not answered yet.', {
    headers: { 'Retry-After': '1' },
  });
const reused = (): ApiError =>
  new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another method, path or body before. Send that request again, or take a new key.',
  );
