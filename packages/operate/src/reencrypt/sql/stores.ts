import { toPointer } from '@duework/contracts';
import type { SealedPart } from '@duework/queue-core/internals';
import { sql, type Sql } from '@duework/sql';

/** What is read of a row beside its value. */
export interface StoredPlace {
  readonly type: string;
  readonly version: number;
  /** The event to which its type subscribes; null: none. */
  readonly event: string | null;
}

/** A column in which encrypted values wait, or from which they are brought back. */
interface Store {
  /** The table, as `t`, with what is joined to it. */
  readonly from: Sql;
  readonly table: Sql;
  readonly column: Sql;
  /** The columns of a unique index, in its order, as a JSON list of texts, behind those of a row before, and of the row `i`. */
  readonly order: Sql;
  readonly key: Sql;
  readonly behind: (key: readonly string[]) => Sql;
  readonly isIt: Sql;
  readonly type: Sql;
  readonly version: Sql;
  /** Of rows that are read, and of those that are written. */
  readonly isRead: Sql;
  readonly isWritten: Sql;
  readonly partsOf: (root: { readonly value: unknown }, place: StoredPlace) => readonly SealedPart[];
}

type Holder = Record<string, unknown>;
const byId: Pick<Store, 'order' | 'key' | 'behind' | 'isIt'> = {
  order: sql`t.id`,
  key: sql`json_build_array(t.id::text)`,
  behind: ([id]) => sql`t.id > ${id!}::text::bigint`,
  isIt: sql`t.id = (i.key ->> 0)::bigint`,
};
const whole: Store['partsOf'] = (root, place) => [{ holder: root as unknown as Holder, key: 'value', ...place }];
const payloads = (table: Sql): Store => ({
  ...byId,
  table,
  from: sql`${table} AS t`,
  column: sql`payload`,
  type: sql`t.job_type`,
  version: sql`t.job_version`,
  isRead: sql`true`,
  isWritten: sql`true`,
  partsOf: whole,
});
/** Without values of a signal that its contract calls sensitive, which are always encrypted, there is nothing to look at. */
const isSealed = (column: Sql): Sql => sql`strpos(${column}::text, '"$sealed"') > 0`;
const signalOf = sql`'signal ' || split_part(t.awaited, ' ', 1)`;

/** Every column of the schema that can hold an encrypted value which somebody reads again. */
export const STORES = {
  // of a run that is running only its worker changes anything
  runs: { ...payloads(sql`duework.job_runs`), isWritten: sql`t.status IN ('queued', 'failed')` },
  dead: payloads(sql`duework.job_history_dead`),
  cancelled: payloads(sql`duework.job_history_cancelled`),
  schedules: payloads(sql`duework.schedules`),
  callbacks: {
    ...payloads(sql`duework.job_batches`),
    column: sql`callbacks`,
    behind: ([id]) => sql`t.id > ${id!}::text`,
    isIt: sql`t.id = i.key ->> 0`,
    type: sql`''`,
    version: sql`0`,
    isRead: sql`t.callbacks <> '{}'`,
    partsOf: ({ value }) =>
      Object.values(value as Record<string, Holder & StoredPlace>).map((callback) => ({
        ...{ holder: callback, key: 'payload', type: callback.type, version: callback.version },
      })),
  },
  events: {
    ...payloads(sql`duework.published_events`),
    type: sql`'event ' || t.event`,
    version: sql`t.version`,
    isRead: isSealed(sql`t.payload`),
  },
  signals: {
    ...payloads(sql`duework.job_signals`),
    type: signalOf,
    version: sql`0`,
    isRead: isSealed(sql`t.payload`),
  },
  steps: {
    ...payloads(sql`duework.job_steps`),
    column: sql`result`,
    order: sql`t.run_id, t.name`,
    key: sql`json_build_array(t.run_id::text, t.name)`,
    behind: ([id, name]) => sql`(t.run_id, t.name) > (${id!}::text::bigint, ${name!}::text)`,
    isIt: sql`t.run_id = (i.key ->> 0)::bigint AND t.name = i.key ->> 1`,
    type: signalOf,
    version: sql`0`,
    isRead: sql`t.awaits = 'signal' AND ${isSealed(sql`t.result`)}`,
  },
  edits: {
    ...payloads(sql`duework.bulk_actions`),
    column: sql`options`,
    // a version that no payload has
    version: sql`0`,
    isRead: isSealed(sql`t.options`),
    partsOf: ({ value }, place) => {
      const { path } = value as { readonly path: readonly string[] };
      return [{ holder: value as Holder, key: 'sensitiveValue', ...place, pointer: toPointer(path) }];
    },
  },
  undos: {
    ...payloads(sql`duework.bulk_undos`),
    from: sql`duework.bulk_undos AS t JOIN LATERAL (
        SELECT job_type, job_version FROM duework.job_runs WHERE id = t.run_id
        UNION ALL SELECT job_type, job_version FROM duework.job_history_dead WHERE id = t.run_id
        UNION ALL SELECT job_type, job_version FROM duework.job_history_cancelled WHERE id = t.run_id
      ) AS j ON true`,
    column: sql`was`,
    order: sql`t.bulk_action_id, t.run_id`,
    key: sql`json_build_array(t.bulk_action_id::text, t.run_id::text)`,
    behind: ([action, run]) => sql`(t.bulk_action_id, t.run_id) > (${action!}::text::bigint, ${run!}::text::bigint)`,
    isIt: sql`t.bulk_action_id = (i.key ->> 0)::bigint AND t.run_id = (i.key ->> 1)::bigint`,
    type: sql`j.job_type`,
    version: sql`j.job_version`,
    isRead: isSealed(sql`t.was`),
    partsOf: ({ value }, place) => [{ holder: value as Holder, key: 'payload', ...place }],
  },
} as const satisfies Readonly<Record<string, Store>>;

export type StoreName = keyof typeof STORES;
export const STORE_NAMES = Object.keys(STORES) as StoreName[];
export const storeOf = (name: StoreName): Store => STORES[name];
