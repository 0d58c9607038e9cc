import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DueworkError } from '@duework/sql/errors';
import type { Queryable } from '@duework/sql';
import { findUnneeded } from '../sql/objects/find-unneeded.js';
import { takeChores } from '../sql/upkeep/take-chores.js';
import { requireOffload } from './current-offload.js';
import { OBJECTS } from './object-ref.js';
import type { ObjectStore } from './object-store.js';
import { UNNAMED_MS } from './put-object.js';

const BATCH = 500;
/** What tells whose objects are in a store. */
const DATABASES = 'databases/';

export interface PruneObjectsOptions {
  readonly signal?: AbortSignal;
  /** What was put later may belong to a transaction that has not committed; default: a day. */
  readonly olderThanMs?: number;
}

/**
 * Removes the objects that no job needs any more: of jobs that retention has removed, and of transactions that did not
 * commit. `dbs`: every database whose jobs have objects in this store, because what one does not know may be another's.
 * Returns how many it has removed. Throws `store_shared` where other databases keep objects there, too, and removes none
 * then; `offload_missing`; and what the store throws.
 */
export async function pruneObjects(
  dbs: readonly Queryable[],
  { signal = new AbortController().signal, olderThanMs = UNNAMED_MS }: PruneObjectsOptions = {},
): Promise<number> {
  const { store } = requireOffload();
  const looks = await Promise.all(dbs.map((db) => takeChores(db, [])));
  await checkOwners(
    store,
    looks.flatMap(({ identity }) => identity ?? []),
    signal,
  );
  const before = Math.min(...looks.map(({ nowMs }) => nowMs)) - olderThanMs;
  let removed = 0;
  let keys: string[] = [];
  const flush = async (): Promise<void> => {
    let unneeded: readonly string[] = keys;
    for (const db of dbs) unneeded = unneeded.length === 0 ? unneeded : await findUnneeded(db, unneeded);
    if (unneeded.length > 0) await store.delete(unneeded, { signal });
    removed += unneeded.length;
    keys = [];
  };
  for await (const { key, putAt } of store.list(OBJECTS, { signal })) {
    if (putAt.getTime() >= before) continue;
    if (keys.push(key) === BATCH) await flush();
  }
  await flush();
  return removed;
}

/** Each database that removes objects has left its name, and does so before it first removes anything. */
async function checkOwners(store: ObjectStore, identities: readonly string[], signal: AbortSignal): Promise<void> {
  const own = new Set(identities.map((identity) => createHash('sha256').update(identity).digest('hex').slice(0, 16)));
  const found = new Set<string>();
  for await (const { key } of store.list(DATABASES, { signal })) found.add(key.slice(DATABASES.length));
  for (const name of own)
    if (!found.has(name)) await store.put(`${DATABASES}${name}`, Readable.from([Buffer.from(name)]), { signal });
  const others = [...found].filter((name) => !own.has(name)).sort();
  if (others.length > 0) throw new DueworkError('store_shared', { databases: others });
}
