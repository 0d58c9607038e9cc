import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import { type StoredPlace, type StoreName, storeOf } from './stores.js';

export interface StoredValue extends StoredPlace {
  readonly key: readonly string[];
  /** Not parsed: it would lose digits. */
  readonly json: string;
}

const BATCH = 500;

/** The next values of a store behind a key, in the order of keys; none: there are no more. `after` null: the first. */
export async function readStoredPayloads(
  db: Queryable,
  name: StoreName,
  after: readonly string[] | null,
): Promise<readonly StoredValue[]> {
  const { from, key, column, order, behind, type, version, isRead } = storeOf(name);
  const [row] = await queryRows<{ stored: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object('key', b.key, 'type', b.type, 'version', b.version, 'event', b.event, 'json', b.json)
      ORDER BY b.place), '[]')::text AS stored
    FROM (
      SELECT ${key} AS key, ${type} AS type, ${version} AS version,
        (SELECT d.event FROM duework.job_definitions AS d WHERE d.type = ${type}) AS event, t.${column}::text AS json, row_number() OVER (ORDER BY ${order}) AS place
      FROM ${from}
      WHERE ${after === null ? sql`true` : behind(after)} AND ${isRead}
      ORDER BY ${order} LIMIT ${BATCH}::integer
    ) b
  `,
  );
  return JSON.parse(row!.stored) as StoredValue[];
}
