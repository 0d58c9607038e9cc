import { systemClock } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { ApiContext } from '../api.js';
import { readExactly } from './exact-answers.js';
import type { ShardProblem } from './shard-gate.js';
import type { Shard, Shards } from './shards.js';

/** A shard whose part is missing in an answer. */
export interface LeftOut {
  readonly shard: string;
  readonly problem: ShardProblem | 'refused';
  /** Of a shard that has refused what others have done. */
  readonly code?: string;
}

/** What a shard has answered, with its name before its ids. */
export interface ShardAnswer {
  readonly shard: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The body of an answer: an object, whatever it has. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the schemas of the routes say what it has
export type Body = Record<string, any>;

/** What a shard is asked instead of what the request says. */
export interface Asked {
  readonly operationId: string;
  readonly method?: string;
  /** Below the path of the API; names in it are encoded. */
  readonly path?: string;
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  /** null: as long as the shard answers looks. */
  readonly limitMs: number | null;
}

/** How long a shard may take for its part of an answer. */
export const PART_MS = 1_000;

/** The query of a request without what is not for shards. */
export function queryOf(c: ApiContext): URLSearchParams {
  const query = new URL(c.req.url).searchParams;
  query.delete('shard');
  return query;
}

/** Asks one shard. A refusal is an answer, too, unless it says that the database is away. */
export async function askShard(
  shards: Shards,
  name: string,
  c: ApiContext,
  asked: Asked,
): Promise<ShardAnswer | LeftOut> {
  const shard = shards.all.get(name)!;
  const request = await toRequest(c, asked);
  const told = await shard.gate.ask(() => readAnswer(shards, shard, c, request, asked), asked.limitMs);
  if (typeof told === 'string') return { shard: name, problem: told };
  const { answer } = told;
  if (isAway(answer)) {
    await shard.gate.suspect();
    return { shard: name, problem: 'database_away' };
  }
  return answer;
}

export const isLeftOut = (told: ShardAnswer | LeftOut): told is LeftOut => 'problem' in told;

const isAway = ({ status, body }: ShardAnswer): boolean => status === 503 && body['code'] === 'database_unavailable';

/** A request to the API of one shard, without its path. The body of the client is read once, whoever gets it. */
export async function toRequest(c: ApiContext, { method, query, body }: Asked): Promise<Request> {
  const asked = method ?? (c.req.method === 'HEAD' ? 'GET' : c.req.method);
  const search = (query ?? queryOf(c)).toString();
  const headers = new Headers(c.req.raw.headers);
  for (const name of ['content-length', 'transfer-encoding', 'connection']) headers.delete(name);
  const bytes = body === undefined ? await readBody(c, asked) : JSON.stringify(body);
  return new Request(`http://shard/${search === '' ? '' : `?${search}`}`, {
    method: asked,
    headers,
    // whoever waits for a job, or follows it, may go
    ...(asked === 'GET' ? { signal: c.req.raw.signal } : {}),
    ...(bytes === null ? {} : { body: bytes }),
  });
}

async function readBody(c: ApiContext, method: string): Promise<ArrayBuffer | null> {
  if (method === 'GET' || c.req.method === 'GET' || c.req.method === 'HEAD') return null;
  const bytes = await c.req.arrayBuffer().catch((cause: unknown) => {
    throw new ApiError('incomplete_body', 'The connection ended before the body did.', { cause });
  });
  return bytes.byteLength === 0 ? null : bytes;
}

async function readAnswer(
  shards: Shards,
  { name, fetch }: Shard,
  c: ApiContext,
  request: Request,
  asked: Asked,
): Promise<ShardAnswer> {
  const { status, headers, body } = await readResponse(await fetch(c, request, asked));
  // a problem has no ids but in its sentence
  if (status < 400) shards.nameIds(asked.operationId, status)?.(name, body);
  const location = headers.get('location');
  if (location !== null) headers.set('Location', nameLocation(name, location));
  return { shard: name, status, headers, body };
}

async function readResponse(response: Response): Promise<Omit<ShardAnswer, 'shard'>> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: new Headers(response.headers),
    body: isJson ? (readExactly(text) as Body) : {},
  };
}

function nameLocation(shard: string, location: string): string {
  return location.replace(
    /^(\/v1\/(?:jobs|batches|bulk-actions)\/)([^/]+)$/,
    (_match, at: string, id: string) => `${at}${shard}.${id}`,
  );
}

/** The refusal of a request for a shard that does not answer. */
export function shardAway(shards: Shards, { shard, problem }: LeftOut, method: string): ApiError {
  const since = shards.all.get(shard)?.gate.away?.since ?? systemClock.now();
  const isRead = method === 'GET' || method === 'HEAD';
  return new ApiError(
    'database_away',
    `The database of the shard ${shard} does not answer (${problem}, noticed at ${since.toISOString()}).` +
      (isRead ? '' : ' The change may have been made before it stopped answering.'),
    { headers: { 'Retry-After': '1' }, errors: [] },
  );
}
