import type { Part } from '@duework/shards/merges';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiContext } from '../api.js';
import type { Body, LeftOut, ShardAnswer } from './ask-shard.js';
import type { ShardAnswers } from './ask-shards.js';
import { writeExactly } from '../http/exact-json.js';
import { replaceId } from './name-ids.js';

/** Headers of an answer of a shard that are the client's, too. */
const PASSED = ['location', 'retry-after', 'idempotency-replayed', 'accept', 'www-authenticate'];

/** The answer of one shard is that of the API. `asked`: the id that was asked for, and what its shard calls it. */
export function answerAsShard(
  c: ApiContext,
  { status, headers, body }: ShardAnswer,
  asked?: { readonly given: string; readonly id: string },
): Response {
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  if (status === 204) return c.body(null, 204, passed);
  const isProblem = status >= 400;
  if (isProblem && asked !== undefined && typeof body['detail'] === 'string')
    body['detail'] = replaceId(body['detail'], asked.id, asked.given);
  return c.body(writeExactly(body), status as ContentfulStatusCode, {
    ...passed,
    'Content-Type': isProblem ? 'application/problem+json' : 'application/json',
  });
}

/** One answer made of several, which says whose part is missing. */
export function answerMerged(
  c: ApiContext,
  body: Body,
  problems: readonly LeftOut[],
  status: ContentfulStatusCode = 200,
): Response {
  return c.body(writeExactly({ ...body, problems }), status, { 'Content-Type': 'application/json' });
}

/** What shards have answered, as the schema of the route says it. */
export const partsOf = <T>({ answers }: ShardAnswers): Part<T>[] =>
  answers.map(({ shard, body }) => ({ shard, answer: body as T }));

/** The first refusal among answers: what is wrong with a request is wrong with it everywhere. */
export const findRefusal = ({ answers }: ShardAnswers): ShardAnswer | undefined =>
  answers.find(({ status }) => status >= 400);
