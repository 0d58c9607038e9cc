import type { Json, Queryable } from '@duework/queue-core';
import { type Gates, gatesIn, havePassed, lineUpAnew, lookAt, ordersOf } from '@duework/queue-core/internals';
import { empty, queryRows, sql, type Sql, toArray } from '@duework/sql';
import type { BulkPlan } from '../bulk-plan.js';
import type { Stage } from '../stages.js';
import { textsOf } from './texts-of.js';
import { tableOf, verdictOf } from './verdicts.js';

export interface PayloadToEdit {
  readonly id: string;
  readonly version: number;
  /** As JSON. */
  readonly payload: string;
  readonly md5: string;
  /** What the field has, as JSON; null: it is not there. */
  readonly old: string | null;
  readonly verdict: string | null;
}

/** One run of a step that edits. */
export interface EditedPayload {
  readonly id: string;
  readonly verdict: string | null;
  /** Of the payload that was read. */
  readonly md5: string;
  readonly old: string | null;
  /** The whole payload as it becomes, and as it was; null: the field alone is edited. */
  readonly whole: { readonly payload: Json; readonly was: Json } | null;
  /** Where the run has to stand in line with its new payload. */
  readonly flow: Gates | null;
}

/** The next payloads of a stage, in the order of ids; those that are none of the action's come without their payload. */
export function readPayloadsToEdit(
  db: Queryable,
  plan: BulkPlan,
  path: readonly string[],
  { stage, afterId, lastId, limit }: { stage: Stage; afterId: string; lastId: string; limit: number },
): Promise<PayloadToEdit[]> {
  return queryRows(
    db,
    sql`
    SELECT id::text AS id, version, CASE WHEN verdict = '' THEN payload::text ELSE 'null' END AS payload, md5(payload::text) AS md5,
      CASE WHEN verdict = '' THEN (payload #> ${toArray(path)}::text::text[])::text END AS old, verdict
    FROM (
      SELECT j.id, j.job_version AS version, j.payload, ${verdictOf(plan, stage)} AS verdict FROM ${tableOf(stage)} AS j
      WHERE j.id > ${afterId}::bigint AND j.id <= ${lastId}::bigint ORDER BY j.id LIMIT ${limit}::integer
    ) AS looked
    ORDER BY looked.id
  `,
  );
}

/** Some payloads of a stage as JSON, by the ids of their runs: parsed, they would lose digits. */
export async function readPayloadTexts(
  db: Queryable,
  stage: Stage,
  runs: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ id: string; payload: string }>(
    db,
    sql`
    SELECT j.id::text AS id, j.payload::text AS payload FROM ${tableOf(stage)} AS j
    WHERE j.id = ANY(${toArray(runs.map(({ id }) => id))}::text::bigint[])
  `,
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}

/**
 * CTEs that write edited payloads, each only where nobody has changed it since it was read. What an undo needs is `{ value }` of the
 * field, empty where it was not there; or the whole `{ payload }`.
 */
export function editPicked(
  actionId: string,
  stage: Stage,
  edited: readonly EditedPayload[],
  { path, value }: { readonly path: readonly string[]; readonly value?: Json | undefined },
): Sql {
  const names = sql`${toArray(path)}::text::text[]`;
  const changed =
    value === undefined
      ? sql`j.payload #- ${names}`
      : sql`jsonb_set(j.payload, ${names}, ${JSON.stringify(value)}::text::jsonb)`;
  return sql`edited AS MATERIALIZED (
      SELECT x.id, x.md5, x.whole, ${textsOf(sql`x.flow->'gates'`)} AS gates, (${textsOf(sql`x.flow->'units'`)})::integer[] AS units, CASE
          WHEN x.whole IS NOT NULL THEN jsonb_build_object('payload', x.whole->'was')
          WHEN x.old IS NULL THEN '{}'::jsonb
          ELSE jsonb_build_object('value', x.old::jsonb)
        END AS was
      FROM jsonb_to_recordset(${JSON.stringify(edited.filter(({ verdict }) => verdict === ''))}::text::jsonb)
        AS x (id bigint, md5 text, old text, whole jsonb, flow jsonb)
      WHERE EXISTS (SELECT FROM action)
    ),
    before AS MATERIALIZED (
      SELECT b.*, (b.gates, b.gate_units) IS DISTINCT FROM (b.new_gates, b.new_units) AS is_gated_anew
      FROM (
        SELECT j.id, j.gates, j.gate_units, ${gatesIn(sql`e.gates`, sql`j.queue`)} AS new_gates, e.units AS new_units
        FROM edited AS e JOIN ${tableOf(stage)} AS j ON j.id = e.id
        ORDER BY j.id FOR UPDATE OF j
      ) AS b
    ),
    updated AS (
      UPDATE ${tableOf(stage)} AS j SET payload = CASE WHEN e.whole IS NULL THEN ${changed} ELSE e.whole->'payload' END,
        gates = b.new_gates, gate_units = b.new_units
        ${stage === 'live' ? sql`, held_by = CASE WHEN b.is_gated_anew THEN b.new_gates[1] ELSE j.held_by END` : empty}
      FROM edited AS e JOIN before AS b ON b.id = e.id
      WHERE j.id = e.id AND j.status <> 'running'
        AND md5(j.payload::text) = e.md5
      RETURNING j.id, j.queue, j.gates, j.fence, md5(j.payload::text) AS md5, b.is_gated_anew, b.gates AS left_gates, e.was || CASE
        WHEN b.is_gated_anew THEN jsonb_build_object('gates', b.gates, 'units', b.gate_units) ELSE '{}'::jsonb END AS was
    ),
    leavers AS MATERIALIZED (SELECT u.id, u.left_gates AS gates FROM updated AS u WHERE u.is_gated_anew),
    ${stage === 'live' ? lineUpAnew(sql`(SELECT * FROM updated WHERE is_gated_anew)`, sql`leavers`) : lookAt(ordersOf(sql`leavers`))},
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, u.id, u.fence, u.was, jsonb_build_object('md5', u.md5) FROM updated AS u
    ),
    acted AS (
      SELECT id, ${stage === 'live' ? sql`CASE WHEN is_gated_anew THEN queue END` : sql`NULL::text`} AS queue FROM updated
      WHERE ${stage === 'live' ? havePassed : sql`true`}
    )`;
}

/** What a step that edits has looked at, for its frame. */
export const scannedPayloads = (edited: readonly EditedPayload[]): Sql =>
  sql`SELECT id, verdict FROM jsonb_to_recordset(${JSON.stringify(edited.map(({ id, verdict }) => ({ id, verdict })))}::text::jsonb)
      AS x (id bigint, verdict text) WHERE EXISTS (SELECT FROM action)`;
