/** The libraries whose clients are known by their methods, and how each is passed. */
const ADAPTERS = {
  'a Drizzle database or transaction': 'fromDrizzle(tx, sql)',
  'a Kysely database or transaction': 'fromKysely(trx)',
  'a Knex client or transaction': 'fromKnex(trx)',
  'a postgres.js client or transaction': 'fromPostgresJs(sql)',
  'a TypeORM manager, runner or data source': 'fromTypeorm(manager)',
} as const;

export type GivenClient = keyof typeof ADAPTERS | 'something else';

/** The library that a value seems to come from, by methods of its own. */
export function nameClient(value: unknown): GivenClient {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return 'something else';
  const has = (...names: string[]): boolean => names.every((name) => typeof Reflect.get(value, name) === 'function');
  if (has('execute', 'select')) return 'a Drizzle database or transaction';
  if (has('executeQuery', 'selectFrom')) return 'a Kysely database or transaction';
  if (has('raw', 'transaction')) return 'a Knex client or transaction';
  if (has('unsafe')) return 'a postgres.js client or transaction';
  if (has('query') && (has('createQueryBuilder') || has('startTransaction')))
    return 'a TypeORM manager, runner or data source';
  return 'something else';
}

/** How such a client is passed; null: it is not known. */
export function adapterOf(given: GivenClient): string | null {
  return given === 'something else' ? null : ADAPTERS[given];
}
