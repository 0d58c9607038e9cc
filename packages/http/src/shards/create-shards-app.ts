import type { OpenAPIHono } from '@hono/zod-openapi';
import { DueworkError, openQueue, readNow, type Transactable } from '@duework/queue-core';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import type { ApiEnv, ApiParts, Route } from '../api.js';
import { assembleApp } from '../create-app.js';
import { createRoutes, createStreamShare } from '../create-routes.js';
import { authorizeInShards } from './authorize-in-shards.js';
import { isOfQueue } from '../queue-route.js';
import { compileIds, type DocumentSchema, type NameIds } from './name-ids.js';
import { createShardApp } from './create-shard-app.js';
import { describeAnswers, describePlan } from './describe-shards.js';
import { listShards } from './list-shards.js';
import type { Plan } from './plans/plan.js';
import { rememberClosed } from './remember-closed.js';
import { type ShardAway, ShardGate } from './shard-gate.js';
import { isShardName } from '@duework/queue-core/internals';
import type { Shard, ShardOf, Shards } from './shards.js';
import { nameFilter } from './split-filter.js';

/** What an API over several databases is given instead of one. */
export interface ShardOptions {
  /** Each by its name: small letters, digits and "_", a letter first, at most 16. */
  readonly shards: Readonly<Record<string, Transactable>>;
  readonly shardOf?: ShardOf | undefined;
  /** The shard whose ids were given out before there were shards, and are without a name. */
  readonly bareIds?: string | undefined;
}

/** What does not say a database, and says who calls only where the keys of the shards do not. */
type CommonParts = Omit<ApiParts, 'db' | 'queue' | 'authorize'> & Partial<Pick<ApiParts, 'authorize'>>;

/**
 * One API over several databases: each has its own, and before them stands what finds the shards of a request, asks them, and
 * makes one answer of theirs. Throws `invalid_option`.
 */
export function createShardsApp(
  options: ShardOptions,
  common: CommonParts,
  own: readonly Route[] = [],
): OpenAPIHono<ApiEnv> {
  const databases = checkShards(options);
  const tell = (shard: string) => (away: ShardAway | null) =>
    away === null ? common.log.info({ shard }, 'shard.back') : common.log.warn({ shard, ...away }, 'shard.away');
  const gates = new Map(databases.map(([name, db]) => [name, new ShardGate(() => readNow(db), tell(name))]));
  const keys = databases.map(([name, db]) => ({ name, gate: gates.get(name)!, authorize: authorizeByKey(db) }));
  const [[, firstDb]] = databases as [[string, Transactable]];
  const parts: ApiParts = {
    ...common,
    authorize: common.authorize ?? authorizeInShards(keys),
    db: firstDb,
    queue: openQueue(firstDb),
  };
  const streams = createStreamShare(parts);
  const all = new Map(
    databases.map(([name, db]): [string, Shard] => {
      const fetch = createShardApp({ ...parts, db, queue: openQueue(db) }, streams);
      const gate = gates.get(name)!;
      return [name, { name, db, gate, fetch, isClosed: rememberClosed(db, gate) }];
    }),
  );

  let document: object = {};
  let readDocument = (): object => ({});
  const findIds = rememberIds(() => (readDocument(), document));
  const shards: Shards = {
    names: databases.map(([name]) => name),
    bareIds: options.bareIds,
    shardOf: options.shardOf,
    all,
    nameIds: findIds,
  };
  const plans: Record<string, Plan> = {};
  return assembleApp(
    parts,
    (read) => {
      readDocument = read;
      return [...createRoutes(parts, read, own, streams).map((route) => planRoute(route)), listShards(shards)];
    },
    (whole) => {
      document = whole;
      return describeAnswers(whole, plans);
    },
  );

  function planRoute(route: Route): Route {
    if (!isOfQueue(route) || route.shards === 'none') return route;
    const operationId = route.doc.operationId!;
    const plan = (plans[operationId] = route.shards);
    return { ...route, doc: describePlan(route.doc, plan), handle: (c) => plan.handle(shards, c, operationId) };
  }
}

/** Throws `invalid_option`. */
function checkShards({ shards, bareIds }: ShardOptions): [name: string, db: Transactable][] {
  const databases = Object.entries(shards);
  const wrong = databases.map(([name]) => name).find((name) => !isShardName(name));
  if (databases.length === 0 || wrong !== undefined)
    throw new DueworkError('invalid_option', {
      option: 'shards',
      expected: 'at least one database by its name: small letters, digits and "_", a letter first, at most 16',
      value: wrong ?? Object.keys(shards),
    });
  if (bareIds !== undefined && !Object.hasOwn(shards, bareIds))
    throw new DueworkError('invalid_option', { option: 'bareIds', expected: 'the name of a shard', value: bareIds });
  return databases;
}

/** What names the ids of the answers, made from the document as routes are asked for the first time. */
function rememberIds(readDocument: () => object): Shards['nameIds'] {
  const known = new Map<string, NameIds | null>();
  return (operationId, status) => {
    const key = `${operationId} ${status}`;
    if (!known.has(key)) known.set(key, compileAnswer(readDocument() as OpenApiDocument, operationId, status));
    return known.get(key)!;
  };
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> };
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: DocumentSchema }>> }>
  >;
}

function compileAnswer(document: OpenApiDocument, operationId: string, status: number): NameIds | null {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const content = operations.find((one) => one.operationId === operationId)?.responses[status]?.content;
  const schema = (content?.['application/json'] ?? content?.['text/event-stream'])?.schema;
  if (schema === undefined) return null;
  const resolve = (ref: string): DocumentSchema =>
    document.components.schemas[ref.slice('#/components/schemas/'.length)]!;
  return compileIds(schema, resolve, nameFilter);
}
